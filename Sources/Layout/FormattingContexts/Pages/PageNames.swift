internal import OffprintCSS
internal import OffprintCoreTypes

/// The names of the pages on which boxes begin and end. Siblings with different names are separated by a page break.
///
/// https://drafts.csswg.org/css-page-3/#using-named-pages
enum PageNames {
  /// The used value of `page`: `auto` is the value of the parent.
  static func used(_ engine: LayoutEngine, _ box: BoxID) -> ByteString? {
    var box = box
    while !box.isNone {
      if let name = engine.tree[box].style.box.page { return name }
      box = engine.tree[box].parent
    }
    return nil
  }

  /// The start page value: that of the first in-flow child, if there is one. https://drafts.csswg.org/css-page-3/#start-page-value
  static func start(_ engine: LayoutEngine, _ box: BoxID) -> ByteString? {
    name(engine, box) { engine.tree.children(of: $0).first { isInFlow(engine, $0) } }
  }

  /// https://drafts.csswg.org/css-page-3/#end-page-value
  static func end(_ engine: LayoutEngine, _ box: BoxID) -> ByteString? {
    name(engine, box) { engine.tree.children(of: $0).reversed().first { isInFlow(engine, $0) } }
  }

  private static func name(_ engine: LayoutEngine, _ box: BoxID, _ next: (BoxID) -> BoxID?) -> ByteString? {
    var outermost = box, found = engine.tree[box].style.box.page
    while propagates(engine, outermost), let child = next(outermost) {
      outermost = child
      found = engine.tree[child].style.box.page ?? found
    }
    return found ?? used(engine, box)
  }

  private static func isInFlow(_ engine: LayoutEngine, _ box: BoxID) -> Bool {
    engine.tree[box].isInFlow && !engine.tree[box].isOutsideMarker
  }

  /// Whether there are break opportunities of class A between the children of a box, because they are not side by side.
  private static func propagates(_ engine: LayoutEngine, _ box: BoxID) -> Bool {
    let item = engine.tree[box]
    switch item.kind {
    case .blockContainer:
      return !item.hasInlineChildren && !MultiColumnLayout.applies(to: box, engine)
        && !Monolithic.contains(engine, box, WritingDirection(engine.style(box)))
    case .tableWrapper, .tableGrid, .tableRowGroup: return true
    default: return false
    }
  }
}
