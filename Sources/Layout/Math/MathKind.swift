import OffprintCoreTypes

/// What lays out an element of MathML. https://w3c.github.io/mathml-core/#presentation-markup
public enum MathKind: UInt8, Sendable {
  /// `math`, `mrow`, and what is laid out like it: unknown elements, and those with a wrong number of children.
  case row
  /// Text alone: `mi`, `mn`, `mtext`, `ms`; and `mo`.
  case token, operatorToken
  case fraction
  /// `msqrt`, `mroot`.
  case root, indexedRoot
  case sub, sup, subSup, under, over, underOver, multiscripts
  case padded, space
}

/// How far an operator is to be stretched. https://w3c.github.io/mathml-core/#dfn-stretch-size-constraint
enum MathStretch: Hashable {
  case block(ascent: LayoutUnit, descent: LayoutUnit)
  case inline(LayoutUnit)
}
