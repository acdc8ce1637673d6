package import OffprintCSS
package import OffprintCoreTypes
internal import OffprintDOM

/// The positions of boxes in their scroll containers, at the initial scroll positions, without transforms.
///
/// https://drafts.csswg.org/scroll-animations-1/#view-progress-timelines
package struct ScrollGeometry {
  /// A scroll container, or the viewport.
  package struct Scroller {
    /// The size of the scrollport, which is the padding box.
    package var port: LayoutSize
    /// The size of the scrollable overflow area from the same corner, at least that of the scrollport.
    package var content: LayoutSize
    package var style: ComputedStyle
  }

  /// The position of a box that a timeline tracks.
  package struct TrackedBox {
    /// The border box in the scroller's content.
    package var rect: LayoutRect
    package var scroller: Int
    /// The index of the box's own scroller, if it is a scroll container.
    package var own: Int?
  }

  /// The scrollers, the viewport first.
  package private(set) var scrollers: [Scroller] = []
  package private(set) var boxes: [TimelineSubject: TrackedBox] = [:]

  /// - Parameters:
  ///   - subjects: The elements to locate.
  ///   - content: The size of the entire page.
  package init(_ tree: BoxTree, _ fragments: FragmentTree, of subjects: Set<TimelineSubject>, viewport: LayoutSize, content: LayoutSize) {
    guard !fragments.root.isNone else { return }
    let root = fragments[fragments.root]
    let whole = LayoutSize(width: max(content.width, viewport.width), height: max(content.height, viewport.height))
    scrollers = [Scroller(port: viewport, content: whole, style: Self.rootStyle(tree) ?? root.style)]
    var open = [Step(fragment: fragments.root, origin: .zero, scroller: 0)]
    while let step = open.popLast() {
      let inner = add(step, tree, fragments, subjects)
      for link in fragments.children(of: step.fragment) {
        let origin = LayoutPoint(x: inner.origin.x + link.offset.x, y: inner.origin.y + link.offset.y)
        open.append(Step(fragment: link.fragment, origin: origin, scroller: inner.scroller))
      }
    }
  }

  /// A fragment and the offset of its border box in its scroller's content.
  private struct Step {
    var fragment: FragmentID
    var origin: LayoutPoint
    var scroller: Int
  }

  /// - Returns: The offset of the fragment's border box for its children.
  private mutating func add(_ step: Step, _ tree: BoxTree, _ fragments: FragmentTree, _ subjects: Set<TimelineSubject>) -> Step {
    let fragment = fragments[step.fragment]
    guard fragment.kind == .box else { return step }
    let box = tree[fragment.box]
    var inner = step
    if Sizing.isScrollContainer(fragment.style), !RootLayout.passesOverflowToViewport(tree, fragment.box) {
      inner = Step(
        fragment: step.fragment, origin: LayoutPoint(x: -fragment.border.left, y: -fragment.border.top), scroller: scrollers.count)
      scrollers.append(Self.scroller(step.fragment, fragments, tree))
    }
    let subject = TimelineSubject(node: box.node, pseudo: box.pseudo)
    guard !box.node.isNone, subjects.contains(subject) else { return inner }
    let rect = LayoutRect(origin: step.origin, size: fragment.size)
    // The box of an element with several fragments is their union.
    if let known = boxes[subject], known.scroller == step.scroller {
      boxes[subject]?.rect = known.rect.union(rect)
    } else if boxes[subject] == nil {
      let own = box.isRoot ? 0 : inner.scroller == step.scroller ? nil : inner.scroller
      boxes[subject] = TrackedBox(rect: rect, scroller: step.scroller, own: own)
    }
    return inner
  }

  private static func scroller(_ id: FragmentID, _ fragments: FragmentTree, _ tree: BoxTree) -> Scroller {
    let fragment = fragments[id], range = ScrollableContent.range(of: id, fragments, tree)
    let port = LayoutRect(origin: .zero, size: fragment.size).inset(by: fragment.border).size
    return Scroller(
      port: port, content: LayoutSize(width: port.width + range.x, height: port.height + range.y), style: fragment.style)
  }

  /// The style of the root element, whose `scroll-padding` applies to the viewport.
  private static func rootStyle(_ tree: BoxTree) -> ComputedStyle? {
    tree.boxes.first { $0.isRoot }?.style
  }
}
