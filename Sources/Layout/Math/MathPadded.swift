import OffprintCSS
import OffprintCoreTypes

/// https://w3c.github.io/mathml-core/#adjust-space-around-content-mpadded and #space-mspace
enum MathPadded {
  static func layout(_ frame: inout MathFrame) throws -> LayoutResult {
    let content = try frame.children.first.map { try frame.child($0) }
    func attribute(_ name: StaticString) -> LayoutUnit? { MathAttributes.length(name, frame.box, frame.engine) }
    func size(_ name: StaticString) -> LayoutUnit? { attribute(name).flatMap { $0 >= .zero ? $0 : nil } }
    let ascent = frame.edges.blockStart + (size("height") ?? content?.ascent ?? .zero)
    let descent = (size("depth") ?? content?.descent ?? .zero) + frame.edges.blockEnd
    if let content {
      frame.place(
        content, inline: frame.edges.inlineStart + (attribute("lspace") ?? .zero).clampedToZero,
        baseline: ascent - (attribute("voffset") ?? .zero))
    }
    return try frame.finish(ascent: ascent, descent: descent)
  }

  static func layoutSpace(_ frame: inout MathFrame) throws -> LayoutResult {
    let height = (MathAttributes.length("height", frame.box, frame.engine) ?? .zero).clampedToZero
    return try frame.finish(ascent: frame.edges.blockStart + height, descent: frame.edges.blockEnd - height)
  }
}
