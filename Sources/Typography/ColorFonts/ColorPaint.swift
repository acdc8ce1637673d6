public import OffprintCSS
public import OffprintCoreTypes

/// The paint of a color glyph, in font units, y upward.
/// https://learn.microsoft.com/typography/opentype/spec/colr
public indirect enum ColorPaint: Sendable {
  /// Painted in order, the first at the bottom.
  case layers([ColorPaint])
  case solid(ColorInk)
  case gradient(ColorGradient)
  /// Clipped to a glyph's outline.
  case glyph(UInt32, ColorPaint)
  /// x' = a·x + c·y + e, y' = b·x + d·y + f.
  case transform(a: Double, b: Double, c: Double, d: Double, e: Double, f: Double, ColorPaint)
  case composite(source: ColorPaint, mode: UInt8, backdrop: ColorPaint)
  /// Clipped to a box.
  case clip(left: Double, bottom: Double, right: Double, top: Double, ColorPaint)
}

/// A color of the palette, or the text color.
public struct ColorInk: Hashable, Sendable {
  /// Nil for the text color.
  public var color: Color?
  public var alpha: Float

  public func resolved(_ text: Color) -> Color {
    var result = color ?? text
    result.alpha *= alpha
    return result
  }
}

public struct ColorGradient: Sendable {
  public enum Extend: UInt8, Sendable { case pad, `repeat`, reflect }
  public enum Shape: Sendable {
    case linear(x0: Double, y0: Double, x1: Double, y1: Double)
    case radial(x0: Double, y0: Double, r0: Double, x1: Double, y1: Double, r1: Double)
    /// Counterclockwise degrees from the x axis.
    case sweep(x: Double, y: Double, start: Double, end: Double)
  }
  public var shape: Shape
  public var extend: Extend
  /// Sorted by offset.
  public var stops: [(offset: Float, ink: ColorInk)]
}

/// `font-palette`, resolved with the `@font-palette-values` rules of a family.
public struct FontPalette: Hashable, Sendable {
  public enum Base: Hashable, Sendable { case normal, light, dark, index(Int) }
  public var base = Base.normal
  /// Sorted by color index, without duplicates.
  public var overrides: [Override] = []

  public struct Override: Hashable, Sendable {
    public var index: Int
    public var color: Color
    public init(index: Int, color: Color) { self.index = index; self.color = color }
  }

  /// Two palettes whose colors are mixed; replaces the base.
  public struct Mixture: Hashable, Sendable {
    public var parts: [FontPalette]
    public var method: PaletteMixMethod
  }
  private var mixtures: [Mixture] = []
  public var mixture: Mixture? { mixtures.first }

  public init(base: Base = .normal, overrides: [Override] = []) { self.base = base; self.overrides = overrides }
  public init(mixing a: FontPalette, _ b: FontPalette, _ method: PaletteMixMethod) {
    mixtures = [Mixture(parts: [a, b], method: method)]
  }
  public var isNormal: Bool { base == .normal && overrides.isEmpty && mixtures.isEmpty }
}
