import OffprintCoreTypes

/// The layout algorithm of a MathML element. https://w3c.github.io/mathml-core/#presentation-markup
public enum MathKind: UInt8, Sendable {
  /// `math`, `mrow`, and elements laid out like these: unknown ones, and those with an invalid number of children.
  case row
  /// Text only: `mi`, `mn`, `mtext`, `ms`; and `mo`.
  case token, operatorToken
  case fraction
  /// `msqrt`, `mroot`.
  case root, indexedRoot
  case sub, sup, subSup, under, over, underOver, multiscripts
  case padded, space
}

/// The stretch size of an operator. https://w3c.github.io/mathml-core/#dfn-stretch-size-constraint
enum MathStretch: Hashable {
  case block(ascent: LayoutUnit, descent: LayoutUnit)
  case inline(LayoutUnit)
}
