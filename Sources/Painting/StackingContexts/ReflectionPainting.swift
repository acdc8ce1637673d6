import OffprintCSS
import OffprintCoreTypes
import OffprintLayout

// `-webkit-box-reflect`
extension StackingContextPainter {
  /// Maximum nesting. Each reflection paints its contents once more, so the cost is exponential in the depth.
  private static let maximumReflections = 2

  func paintReflection(_ reflection: BoxReflection, of index: Int, depth: Int) throws {
    let layer = layers[index]
    guard openReflections < Self.maximumReflections, let piece = layer.pieces.first else { return }
    openReflections += 1
    defer { openReflections -= 1 }
    let fragment = fragments[piece.fragment]
    pushTransform(transform(of: reflection, DisplayRect(BoxGeometry(context, fragment, piece.offset).borderBox)))
    if reflection.mask != nil { pushGroup(Group()) }
    try paintOrdered(index, layer.children, depth: depth)
    if reflection.mask != nil {
      masks.paintMask(of: reflection, fragment, piece.offset)
      popGroup()
    }
    popTransform()
  }

  /// Mirrors the box about the center line of the gap beside it.
  private func transform(of reflection: BoxReflection, _ box: DisplayRect) -> AffineTransform {
    func gap(_ size: Double) -> Double { reflection.offset.resolve(size / scale) * scale }
    switch reflection.side {
    case .below: return AffineTransform(a: 1, b: 0, c: 0, d: -1, e: 0, f: 2 * box.maxY + gap(box.height))
    case .above: return AffineTransform(a: 1, b: 0, c: 0, d: -1, e: 0, f: 2 * box.y - gap(box.height))
    case .right: return AffineTransform(a: -1, b: 0, c: 0, d: 1, e: 2 * box.maxX + gap(box.width), f: 0)
    case .left: return AffineTransform(a: -1, b: 0, c: 0, d: 1, e: 2 * box.x - gap(box.width), f: 0)
    }
  }
}
