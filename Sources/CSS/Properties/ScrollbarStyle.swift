/// https://drafts.csswg.org/css-overflow-3/#scrollbar-gutter-property, https://drafts.csswg.org/css-scrollbars-1/#scrollbar-width
public struct ScrollbarStyle: Hashable, Sendable {
  public enum Gutter: UInt8, Hashable, Sendable {
    case auto, stable, bothEdges

    var css: String {
      switch self {
      case .auto: "auto"
      case .stable: "stable"
      case .bothEdges: "stable both-edges"
      }
    }
  }
  public enum Width: UInt8, Hashable, Sendable { case auto, thin, none }
  public var gutter = Gutter.auto
  public var width = Width.auto
  public init() {}

  /// The thickness of a scrollbar in CSS px, as in Chromium on Linux.
  public var thickness: Float {
    switch width {
    case .auto: 15
    case .thin: 10
    case .none: 0
    }
  }
}

extension ValueParser {
  mutating func scrollbarGutter() -> ScrollbarStyle.Gutter? {
    if keyword("auto") { return .auto }
    let isBoth = keyword("both-edges")
    guard keyword("stable") else { return nil }
    return isBoth || keyword("both-edges") ? .bothEdges : .stable
  }
}
