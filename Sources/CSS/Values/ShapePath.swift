/// A path with CSS lengths. https://drafts.csswg.org/css-shapes-2/#shape-function
public struct ShapePath: Hashable, Sendable {
  /// The reference point of a control point's offset.
  public enum Anchor: Hashable, Sendable { case start, end, origin }

  public struct ControlPoint: Hashable, Sendable {
    public var offset: Position
    public var anchor: Anchor
  }

  public struct Arc: Hashable, Sendable {
    public var horizontal: LengthPercentage
    public var vertical: LengthPercentage
    public var isClockwise = false
    public var isLarge = false
    /// In degrees.
    public var angle: Float = 0
  }

  public enum Segment: Hashable, Sendable {
    case move, line, horizontal, vertical, close
    /// One or two control points.
    case curve([ControlPoint])
    /// The second control point; nil for a quadratic curve.
    case smooth(ControlPoint?)
    case arc(Arc)
  }

  public struct Command: Hashable, Sendable {
    public var segment: Segment
    /// Whether the command uses `by`: relative to the end of the previous command.
    public var isRelative: Bool
    public var end: Position
  }

  public var start: Position
  public var commands: [Command]
}

extension ShapePath: Zoomable {
  func zoomed(_ zoom: Float) -> ShapePath {
    func point(_ point: ControlPoint) -> ControlPoint { ControlPoint(offset: point.offset.zoomed(zoom), anchor: point.anchor) }
    return ShapePath(
      start: start.zoomed(zoom),
      commands: commands.map { command in
        var command = command
        command.end = command.end.zoomed(zoom)
        switch command.segment {
        case .curve(let points): command.segment = .curve(points.map(point))
        case .smooth(let control): command.segment = .smooth(control.map(point))
        case .arc(var arc):
          (arc.horizontal, arc.vertical) = (arc.horizontal.zoomed(zoom), arc.vertical.zoomed(zoom))
          command.segment = .arc(arc)
        case .move, .line, .horizontal, .vertical, .close: break
        }
        return command
      })
  }
}

extension ValueParser {
  /// Parses the arguments of `shape()`.
  mutating func shapePath() -> BasicShape? {
    let evenOdd: Bool = keyword(of: [("evenodd", true), ("nonzero", false)]) ?? false
    guard keyword("from"), let start = position(), comma() else { return nil }
    return commaList { $0.shapeCommand() }.map { .shape(evenOdd: evenOdd, ShapePath(start: start, commands: $0)) }
  }

  private enum CommandName { case move, line, horizontal, vertical, curve, smooth, arc, close }
  private static let commandNames: [(StaticString, CommandName)] = [
    ("move", .move), ("line", .line), ("hline", .horizontal), ("vline", .vertical), ("curve", .curve), ("smooth", .smooth), ("arc", .arc),
    ("close", .close),
  ]

  private mutating func shapeCommand() -> ShapePath.Command? {
    guard let name = keyword(of: Self.commandNames) else { return nil }
    let origin = Position(x: .zero, y: .zero)
    if name == .close { return ShapePath.Command(segment: .close, isRelative: false, end: origin) }
    guard let isRelative: Bool = keyword(of: [("to", false), ("by", true)]), let end = commandEnd(name, isRelative) else { return nil }
    guard let segment = segment(name, isRelative) else { return nil }
    return ShapePath.Command(segment: segment, isRelative: isRelative, end: end)
  }

  private mutating func commandEnd(_ name: CommandName, _ isRelative: Bool) -> Position? {
    switch name {
    case .horizontal:
      let side =
        isRelative
        ? nil : keyword(of: [("left", 0), ("x-start", 0), ("center", 50), ("right", 100), ("x-end", 100)] as [(StaticString, Float)])
      return (side.map { .percentage($0) } ?? lengthPercentage()).map { Position(x: $0, y: .zero) }
    case .vertical:
      let side =
        isRelative
        ? nil : keyword(of: [("top", 0), ("y-start", 0), ("center", 50), ("bottom", 100), ("y-end", 100)] as [(StaticString, Float)])
      return (side.map { .percentage($0) } ?? lengthPercentage()).map { Position(x: .zero, y: $0) }
    default: return isRelative ? coordinates() : position()
    }
  }

  private mutating func coordinates() -> Position? {
    guard let x = lengthPercentage(), let y = lengthPercentage() else { return nil }
    return Position(x: x, y: y)
  }

  private mutating func segment(_ name: CommandName, _ isRelative: Bool) -> ShapePath.Segment? {
    switch name {
    case .move: return .move
    case .line: return .line
    case .horizontal: return .horizontal
    case .vertical: return .vertical
    case .close: return .close
    case .curve:
      guard keyword("with"), let first = controlPoint(isRelative) else { return nil }
      guard delimiter("/") else { return .curve([first]) }
      return controlPoint(isRelative).map { .curve([first, $0]) }
    case .smooth:
      guard keyword("with") else { return .smooth(nil) }
      return controlPoint(isRelative).map { .smooth($0) }
    case .arc: return arc().map { .arc($0) }
    }
  }

  private mutating func controlPoint(_ isRelative: Bool) -> ShapePath.ControlPoint? {
    guard let offset = isRelative ? coordinates() : position() else { return nil }
    guard keyword("from") else { return ShapePath.ControlPoint(offset: offset, anchor: isRelative ? .start : .origin) }
    return keyword(of: [("start", .start), ("end", .end), ("origin", .origin)] as [(StaticString, ShapePath.Anchor)])
      .map { ShapePath.ControlPoint(offset: offset, anchor: $0) }
  }

  private mutating func arc() -> ShapePath.Arc? {
    guard keyword("of"), let horizontal = lengthPercentage() else { return nil }
    var arc = ShapePath.Arc(horizontal: horizontal, vertical: lengthPercentage() ?? horizontal)
    // In any order, each at most once.
    var sweep: Bool?, size: Bool?, turn: Double?
    for _ in 0..<3 {
      if sweep == nil, let isClockwise: Bool = keyword(of: [("cw", true), ("ccw", false)]) {
        sweep = isClockwise
      } else if size == nil, let isLarge: Bool = keyword(of: [("large", true), ("small", false)]) {
        size = isLarge
      } else if turn == nil, keyword("rotate") {
        guard let angle = angle() else { return nil }
        turn = angle
      }
    }
    (arc.isClockwise, arc.isLarge, arc.angle) = (sweep ?? false, size ?? false, Float(turn ?? 0))
    return arc
  }
}
