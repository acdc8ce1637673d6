internal import OffprintCSS
internal import OffprintCoreTypes

/// Which multi-column containers are laid out in fragmentainers; the others are laid out without breaks and broken afterwards (`Fragmenter`).
enum FragmentationSupport {
  /// A container follows the outermost one around it.
  static func includes(_ engine: LayoutEngine, _ box: BoxID) -> Bool {
    guard engine.pageAreas == nil else { return false }
    var outermost = box, parent = engine.tree[box].parent
    while !parent.isNone {
      if MultiColumnLayout.applies(to: parent, engine) { outermost = parent }
      parent = engine.tree[parent].parent
    }
    if let known = engine.supportedColumns[outermost] { return known }
    let result = isSupported(engine, outermost)
    engine.supportedColumns[outermost] = result
    return result
  }

  private static func isSupported(_ engine: LayoutEngine, _ root: BoxID) -> Bool {
    var waiting = [root]
    while let id = waiting.popLast() {
      let box = engine.tree[id]
      if id != root {
        if box.style.box.textBoxTrim != [] { return false }
      } else if !box.style.box.textBoxTrim.isEmpty {
        return false
      }
      for child in engine.tree.children(of: id) { waiting.append(child) }
    }
    return true
  }
}
