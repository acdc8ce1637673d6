import OffprintCSS
import OffprintCoreTypes
import OffprintDOM
import OffprintLayout

/// The content sizes of the query containers of a page that styles depend on.
///
/// https://drafts.csswg.org/css-conditional-5/#container-queries
struct ContainerSizes: Equatable {
  private(set) var sizes: [NodeID: (width: Float, height: Float)] = [:]

  init() {}

  /// The sizes found by layout; empty if no style depends on a container.
  init(_ page: LaidOutPage) {
    let containers = Set(page.styled.queryContainers)
    guard !containers.isEmpty, !page.fragments.root.isNone else { return }
    var open = [page.fragments.root]
    while let id = open.popLast() {
      add(page.fragments[id], page.tree, containers)
      for link in page.fragments.children(of: id) { open.append(link.fragment) }
    }
  }

  private mutating func add(_ fragment: Fragment, _ tree: BoxTree, _ containers: Set<NodeID>) {
    guard fragment.kind == .box else { return }
    let box = tree[fragment.box]
    guard box.pseudo == nil, !box.node.isNone, containers.contains(box.node), sizes[box.node] == nil
    else { return }
    sizes[box.node] = Self.contentSize(fragment)
  }

  private static func contentSize(_ fragment: Fragment) -> (width: Float, height: Float) {
    let (border, padding) = (fragment.border, fragment.padding)
    let width = fragment.size.width - border.left - border.right - padding.left - padding.right
    let height = fragment.size.height - border.top - border.bottom - padding.top - padding.bottom
    return (Float(width.clampedToZero.double), Float(height.clampedToZero.double))
  }

  static func == (a: ContainerSizes, b: ContainerSizes) -> Bool {
    a.sizes.count == b.sizes.count
      && a.sizes.allSatisfy { node, size in b.sizes[node].map { $0 == size } ?? false }
  }
}
