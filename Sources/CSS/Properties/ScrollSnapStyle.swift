public import OffprintCoreTypes

/// https://drafts.csswg.org/css-scroll-snap-1/
public struct ScrollSnapStyle: Hashable, Sendable {
  public enum Axis: UInt8, Hashable, Sendable { case x, y, block, inline, both }
  public enum Align: UInt8, Hashable, Sendable { case none, start, center, end }
  public struct Kind: Hashable, Sendable {
    public var axis: Axis
    public var isMandatory: Bool
  }
  public struct Alignment: Hashable, Sendable {
    public var block = Align.none
    public var inline = Align.none
    public init() {}
  }
  /// `scroll-snap-type`; nil for `none`.
  public var kind: Kind?
  public var align = Alignment()
  /// `scroll-initial-target: nearest`. https://drafts.csswg.org/css-scroll-snap-2/#scroll-initial-target
  public var isInitialTarget = false
  /// `scroll-padding`; `auto` is zero.
  public var padding = PhysicalSides(all: LengthPercentageAuto.auto)
  /// `scroll-margin` in CSS px.
  public var margin = PhysicalSides(all: Float(0))
  public init() {}
}

extension ScrollSnapStyle.Axis {
  static let names: [(StaticString, ScrollSnapStyle.Axis)] = [
    ("x", .x), ("y", .y), ("block", .block), ("inline", .inline), ("both", .both),
  ]
  var name: String { Self.names.first { $0.1 == self }.map { "\($0.0)" } ?? "" }
}

extension ScrollSnapStyle.Align {
  static let names: [(StaticString, ScrollSnapStyle.Align)] = [("none", .none), ("start", .start), ("center", .center), ("end", .end)]
  var name: String { Self.names.first { $0.1 == self }.map { "\($0.0)" } ?? "" }
}

extension ValueParser {
  mutating func scrollSnapType() -> ScrollSnapStyle.Kind?? {
    if keyword("none") { return .some(nil) }
    guard let axis = keyword(of: ScrollSnapStyle.Axis.names) else { return nil }
    let isMandatory = keyword("mandatory")
    if !isMandatory { _ = keyword("proximity") }
    return ScrollSnapStyle.Kind(axis: axis, isMandatory: isMandatory)
  }

  mutating func scrollPadding() -> LengthPercentageAuto? {
    keyword("auto") ? .auto : lengthPercentage(nonNegative: true).map { .value($0) }
  }

  mutating func scrollSnapAlign() -> ScrollSnapStyle.Alignment? {
    guard let block = keyword(of: ScrollSnapStyle.Align.names) else { return nil }
    var result = ScrollSnapStyle.Alignment()
    (result.block, result.inline) = (block, keyword(of: ScrollSnapStyle.Align.names) ?? block)
    return result
  }
}
