package import OffprintCSS
package import OffprintCoreTypes

/// The outline of `shape()`, converted to SVG path data, which has the same commands.
///
/// https://drafts.csswg.org/css-shapes-2/#shape-function
package struct ShapePathOutline {
  /// The size of the reference box in px.
  let width: Double
  let height: Double
  private var data = ""
  private var current = DisplayPoint(0, 0)
  private var start = DisplayPoint(0, 0)

  /// The path in px, relative to the reference box.
  package static func path(_ shape: ShapePath, width: Double, height: Double) -> VectorPath {
    var outline = ShapePathOutline(width: width, height: height)
    let start = outline.point(shape.start)
    outline.write("M", [start])
    (outline.current, outline.start) = (start, start)
    for command in shape.commands { outline.add(command) }
    return VectorPath(svgPath: outline.data.utf8)
  }

  private init(width: Double, height: Double) { self.width = width; self.height = height }

  private func point(_ position: Position) -> DisplayPoint { DisplayPoint(position.x.resolve(width), position.y.resolve(height)) }

  private mutating func write(_ letter: String, _ points: [DisplayPoint]) {
    data += letter
    for point in points { data += "\(Self.bounded(point.x)) \(Self.bounded(point.y)) " }
  }

  private static func bounded(_ value: Double) -> Double { value.isFinite ? max(-1e9, min(1e9, value)) : 0 }

  private func end(_ command: ShapePath.Command) -> DisplayPoint {
    let offset = point(command.end)
    var end = command.isRelative ? DisplayPoint(current.x + offset.x, current.y + offset.y) : offset
    if command.segment == .horizontal { end.y = current.y }
    if command.segment == .vertical { end.x = current.x }
    return end
  }

  private func control(_ control: ShapePath.ControlPoint, _ end: DisplayPoint) -> DisplayPoint {
    let offset = point(control.offset)
    switch control.anchor {
    case .origin: return offset
    case .start: return DisplayPoint(current.x + offset.x, current.y + offset.y)
    case .end: return DisplayPoint(end.x + offset.x, end.y + offset.y)
    }
  }

  private mutating func add(_ command: ShapePath.Command) {
    let end = end(command)
    switch command.segment {
    case .close:
      data += "Z"
      current = start
      return
    case .move:
      write("M", [end])
      start = end
    case .line, .horizontal, .vertical: write("L", [end])
    case .curve(let controls): write(controls.count > 1 ? "C" : "Q", controls.map { control($0, end) } + [end])
    case .smooth(let second): write(second == nil ? "T" : "S", (second.map { [control($0, end)] } ?? []) + [end])
    case .arc(let arc): add(arc, to: end)
    }
    current = end
  }

  private mutating func add(_ arc: ShapePath.Arc, to end: DisplayPoint) {
    let basis = ((width * width + height * height) / 2).squareRoot()
    data += "A"
    data +=
      "\(Self.bounded(arc.horizontal.resolve(basis))) \(Self.bounded(arc.vertical.resolve(basis))) \(Self.bounded(Double(arc.angle))) "
    write("\(arc.isLarge ? 1 : 0) \(arc.isClockwise ? 1 : 0) ", [end])
  }
}
