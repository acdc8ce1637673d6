internal import COffprintPango

/// The outline of a glyph: closed contours, filled by the nonzero rule.
public struct GlyphOutline: Hashable, Sendable {
  @frozen public struct Point: Hashable, Sendable, BitwiseCopyable {
    public var x: Float
    public var y: Float
    @inlinable public init(x: Float, y: Float) { self.x = x; self.y = y }
  }

  public enum Command: Hashable, Sendable {
    case move(Point)
    case line(Point)
    case quadratic(control: Point, Point)
    case cubic(control1: Point, control2: Point, Point)
    case close
  }

  public internal(set) var commands: [Command] = []

  public init() {}

  public var isEmpty: Bool { commands.isEmpty }

  /// Receives the callbacks of `FT_Outline_Decompose`.
  private struct Builder {
    var commands: [Command] = []
    var scale: Float
    var isOpen = false

    func point(_ vector: FT_Vector) -> Point { Point(x: Float(vector.x) * scale, y: -Float(vector.y) * scale) }
  }

  init(_ outline: inout FT_Outline, scale: Float) {
    var functions = FT_Outline_Funcs()
    functions.move_to = { to, user in
      guard let to, let builder = user?.assumingMemoryBound(to: Builder.self) else { return 1 }
      if builder.pointee.isOpen { builder.pointee.commands.append(.close) }
      builder.pointee.isOpen = true
      builder.pointee.commands.append(.move(builder.pointee.point(to.pointee)))
      return 0
    }
    functions.line_to = { to, user in
      guard let to, let builder = user?.assumingMemoryBound(to: Builder.self) else { return 1 }
      builder.pointee.commands.append(.line(builder.pointee.point(to.pointee)))
      return 0
    }
    functions.conic_to = { control, to, user in
      guard let control, let to, let builder = user?.assumingMemoryBound(to: Builder.self) else { return 1 }
      builder.pointee.commands.append(
        .quadratic(control: builder.pointee.point(control.pointee), builder.pointee.point(to.pointee)))
      return 0
    }
    functions.cubic_to = { control1, control2, to, user in
      guard let control1, let control2, let to, let builder = user?.assumingMemoryBound(to: Builder.self) else { return 1 }
      let point = builder.pointee.point
      builder.pointee.commands.append(
        .cubic(control1: point(control1.pointee), control2: point(control2.pointee), point(to.pointee)))
      return 0
    }
    var builder = Builder(scale: scale)
    let failed = withUnsafeMutablePointer(to: &builder) { FT_Outline_Decompose(&outline, &functions, $0) != 0 }
    guard !failed else { return }
    if builder.isOpen { builder.commands.append(.close) }
    commands = builder.commands
  }
}
