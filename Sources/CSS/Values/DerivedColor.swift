public import OffprintCoreTypes

/// A color function that depends on `currentcolor`, so that inheriting elements may have another color.
///
/// https://drafts.csswg.org/css-color-5/#resolving-rcs
struct DerivedColor: Hashable {
  let value: RawValue
  let isDark: Bool
  /// The `color` of the element that specifies it, and the result of the function there.
  let currentColor: Color
  let color: Color

  func resolve(_ other: Color) -> Color {
    guard other != currentColor else { return color }
    var parser = ValueParser(value, element: nil)
    parser.isDarkScheme = isDark
    parser.currentColor = other
    // A function that depends on more properties of the element keeps the result of the specifying element.
    guard let resolved = parser.spacedColor(), parser.isAtEnd() else { return color }
    return resolved.color
  }

  static func == (a: DerivedColor, b: DerivedColor) -> Bool {
    a.value.buffer.text.withUnsafeBytes(\.baseAddress) == b.value.buffer.text.withUnsafeBytes(\.baseAddress)
      && a.value.tokens == b.value.tokens && a.isDark == b.isDark && a.currentColor == b.currentColor && a.color == b.color
  }

  func hash(into hasher: inout Hasher) {
    hasher.combine(value.tokens)
    hasher.combine(color)
  }
}

/// A color in a `StyleArena`, valid as long as the arena, so that styles with colors stay trivially copyable.
public struct DerivedColorReference: Hashable, @unchecked Sendable {
  let pointer: UnsafePointer<DerivedColor>

  public func resolve(_ currentColor: Color) -> Color { pointer.pointee.resolve(currentColor) }
  public static func == (a: DerivedColorReference, b: DerivedColorReference) -> Bool {
    a.pointer == b.pointer || a.pointer.pointee == b.pointer.pointee
  }
  public func hash(into hasher: inout Hasher) { hasher.combine(pointer.pointee) }
}

extension ValueParser {
  /// Any color function except `light-dark()`.
  mutating func functionalColor() -> ColorValue? {
    let start = remaining.lowerBound, outer = usesCurrentColor
    usesCurrentColor = false
    defer { usesCurrentColor = outer || usesCurrentColor }
    let isOuterModern = sawModernColor
    sawModernColor = false
    defer { sawModernColor = isOuterModern || sawModernColor }
    guard var color = colorFunctionInSpace()?.color else { return nil }
    color.isLegacy = !sawModernColor
    guard usesCurrentColor, let element, let arena = element.arena else { return .color(color) }
    let value = RawValue(
      buffer: buffer, tokens: start..<remaining.lowerBound, quirks: quirks, baseURL: baseURL, hasSubstitutions: false)
    let derived = DerivedColor(value: value, isDark: element.isDark, currentColor: element.color, color: color)
    return .derived(DerivedColorReference(pointer: arena.allocate(derived)))
  }
}
