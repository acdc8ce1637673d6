// Shorthands of boxes and borders. Longhands are referred to by their index in each list.

extension TableBuilder {
  mutating func registerShorthands() {
    four("margin", ["margin-top", "margin-right", "margin-bottom", "margin-left"], quirks: true)
    four("padding", ["padding-top", "padding-right", "padding-bottom", "padding-left"], quirks: true)
    four("inset", ["top", "right", "bottom", "left"], quirks: false)
    four("border-width", ["border-top-width", "border-right-width", "border-bottom-width", "border-left-width"], quirks: true)
    four("border-style", ["border-top-style", "border-right-style", "border-bottom-style", "border-left-style"], quirks: false)
    four("border-color", ["border-top-color", "border-right-color", "border-bottom-color", "border-left-color"], quirks: true)
    four("scroll-margin", ["scroll-margin-top", "scroll-margin-right", "scroll-margin-bottom", "scroll-margin-left"], quirks: false)
    four("scroll-padding", ["scroll-padding-top", "scroll-padding-right", "scroll-padding-bottom", "scroll-padding-left"], quirks: false)
    registerPairs()
    registerBorderShorthands()
  }

  /// Registers a shorthand with one to four values for the four sides.
  private mutating func four(_ name: StaticString, _ longhands: [StaticString], quirks: Bool) {
    shorthand(name, longhands, quirks: quirks) { parser, values in
      guard values.take(0, &parser) else { return false }
      if values.take(1, &parser) {
        if values.take(2, &parser) {
          if !values.take(3, &parser) { values.copy(3, from: 1) }
        } else {
          values.copy(2, from: 0)
          values.copy(3, from: 1)
        }
      } else {
        for side in 1..<4 { values.copy(side, from: 0) }
      }
      return true
    }
  }

  /// Registers a shorthand with one or two values for two longhands.
  mutating func pair(_ name: StaticString, _ first: StaticString, _ second: StaticString) {
    shorthand(name, [first, second]) { parser, values in
      guard values.take(0, &parser) else { return false }
      if !values.take(1, &parser) { values.copy(1, from: 0) }
      return true
    }
  }

  private mutating func registerPairs() {
    pair("margin-block", "margin-block-start", "margin-block-end")
    pair("margin-inline", "margin-inline-start", "margin-inline-end")
    pair("padding-block", "padding-block-start", "padding-block-end")
    pair("padding-inline", "padding-inline-start", "padding-inline-end")
    pair("inset-block", "inset-block-start", "inset-block-end")
    pair("inset-inline", "inset-inline-start", "inset-inline-end")
    pair("border-block-width", "border-block-start-width", "border-block-end-width")
    pair("border-block-style", "border-block-start-style", "border-block-end-style")
    pair("border-block-color", "border-block-start-color", "border-block-end-color")
    pair("border-inline-width", "border-inline-start-width", "border-inline-end-width")
    pair("border-inline-style", "border-inline-start-style", "border-inline-end-style")
    pair("border-inline-color", "border-inline-start-color", "border-inline-end-color")
    pair("overflow", "overflow-x", "overflow-y")
    pair("overscroll-behavior", "overscroll-behavior-x", "overscroll-behavior-y")
    pair("contain-intrinsic-size", "contain-intrinsic-width", "contain-intrinsic-height")
    pair("scroll-margin-block", "scroll-margin-block-start", "scroll-margin-block-end")
    pair("scroll-margin-inline", "scroll-margin-inline-start", "scroll-margin-inline-end")
    pair("scroll-padding-block", "scroll-padding-block-start", "scroll-padding-block-end")
    pair("scroll-padding-inline", "scroll-padding-inline-start", "scroll-padding-inline-end")
    // The order is optional and comes first.
    shorthand("position-try", ["position-try-order", "position-try-fallbacks"]) { parser, values in
      _ = values.take(0, &parser)
      return values.take(1, &parser)
    }
    shorthand("container", ["container-name", "container-type"]) { parser, values in
      guard values.take(0, &parser) else { return false }
      return !parser.delimiter("/") || values.take(1, &parser)
    }
  }

  /// - Parameter isPrefixed: Two values without a slash are a horizontal and a vertical radius, not those of opposite corners.
  private mutating func radii(_ name: StaticString, isPrefixed: Bool) {
    shorthand(
      name, ["border-top-left-radius", "border-top-right-radius", "border-bottom-right-radius", "border-bottom-left-radius"]
    ) { parser, values in
      guard let radii = parser.specifiedLengths({ $0.cornerRadii(pairIsOneCorner: isPrefixed) }) else { return false }
      values.set(0, specified: radii.map(\.topLeft), parser)
      values.set(1, specified: radii.map(\.topRight), parser)
      values.set(2, specified: radii.map(\.bottomRight), parser)
      values.set(3, specified: radii.map(\.bottomLeft), parser)
      return true
    }
  }

  private mutating func registerBorderShorthands() {
    line("border-top", ["border-top-width", "border-top-style", "border-top-color"])
    line("border-right", ["border-right-width", "border-right-style", "border-right-color"])
    line("border-bottom", ["border-bottom-width", "border-bottom-style", "border-bottom-color"])
    line("border-left", ["border-left-width", "border-left-style", "border-left-color"])
    line("border-block-start", ["border-block-start-width", "border-block-start-style", "border-block-start-color"])
    line("border-block-end", ["border-block-end-width", "border-block-end-style", "border-block-end-color"])
    line("border-inline-start", ["border-inline-start-width", "border-inline-start-style", "border-inline-start-color"])
    line("border-inline-end", ["border-inline-end-width", "border-inline-end-style", "border-inline-end-color"])
    line("outline", ["outline-width", "outline-style", "outline-color"])
    registerRules()
    line("-webkit-text-stroke", ["-webkit-text-stroke-width", "-webkit-text-stroke-color"])
    lines(
      "border-block",
      [
        "border-block-start-width", "border-block-start-style", "border-block-start-color", "border-block-end-width",
        "border-block-end-style",
        "border-block-end-color",
      ], resets: 0)
    lines(
      "border-inline",
      [
        "border-inline-start-width", "border-inline-start-style", "border-inline-start-color", "border-inline-end-width",
        "border-inline-end-style", "border-inline-end-color",
      ], resets: 0)
    // `border` also resets `border-image`.
    lines(
      "border",
      [
        "border-top-width", "border-top-style", "border-top-color", "border-right-width", "border-right-style", "border-right-color",
        "border-bottom-width", "border-bottom-style", "border-bottom-color", "border-left-width", "border-left-style", "border-left-color",
        "border-image-source", "border-image-slice", "border-image-width", "border-image-outset", "border-image-repeat",
      ], resets: 5)
    radii("border-radius", isPrefixed: false)
    radii("-webkit-border-radius", isPrefixed: true)
    four(
      "corner-shape",
      ["corner-top-left-shape", "corner-top-right-shape", "corner-bottom-right-shape", "corner-bottom-left-shape"], quirks: false)
    pair("corner-top-shape", "corner-top-left-shape", "corner-top-right-shape")
    pair("corner-right-shape", "corner-top-right-shape", "corner-bottom-right-shape")
    pair("corner-bottom-shape", "corner-bottom-left-shape", "corner-bottom-right-shape")
    pair("corner-left-shape", "corner-top-left-shape", "corner-bottom-left-shape")
    pair("corner-block-start-shape", "corner-start-start-shape", "corner-start-end-shape")
    pair("corner-block-end-shape", "corner-end-start-shape", "corner-end-end-shape")
    pair("corner-inline-start-shape", "corner-start-start-shape", "corner-end-start-shape")
    pair("corner-inline-end-shape", "corner-start-end-shape", "corner-end-end-shape")
    shorthand(
      "border-image", ["border-image-source", "border-image-slice", "border-image-width", "border-image-outset", "border-image-repeat"]
    ) { $0.borderImage(&$1) }
    registerMaskBorderShorthand()
  }

  // https://drafts.csswg.org/css-gaps-1/
  private mutating func registerRules() {
    let column: [StaticString] = ["column-rule-width", "column-rule-style", "column-rule-color"]
    let row: [StaticString] = ["row-rule-width", "row-rule-style", "row-rule-color"]
    shorthand("column-rule", column) { $0.gapRule(&$1) }
    shorthand("row-rule", row) { $0.gapRule(&$1) }
    shorthand("rule", column + row) { $0.gapRule(&$1) }
    same("rule-width", ["column-rule-width", "row-rule-width"])
    same("rule-style", ["column-rule-style", "row-rule-style"])
    same("rule-color", ["column-rule-color", "row-rule-color"])
    same("rule-break", ["column-rule-break", "row-rule-break"])
    same("rule-visibility-items", ["column-rule-visibility-items", "row-rule-visibility-items"])
    pair("column-rule-inset-cap", "column-rule-inset-cap-start", "column-rule-inset-cap-end")
    pair("column-rule-inset-junction", "column-rule-inset-junction-start", "column-rule-inset-junction-end")
    pair("row-rule-inset-cap", "row-rule-inset-cap-start", "row-rule-inset-cap-end")
    pair("row-rule-inset-junction", "row-rule-inset-junction-start", "row-rule-inset-junction-end")
    same("column-rule-inset-start", ["column-rule-inset-cap-start", "column-rule-inset-junction-start"])
    same("column-rule-inset-end", ["column-rule-inset-cap-end", "column-rule-inset-junction-end"])
    same("row-rule-inset-start", ["row-rule-inset-cap-start", "row-rule-inset-junction-start"])
    same("row-rule-inset-end", ["row-rule-inset-cap-end", "row-rule-inset-junction-end"])
    let columnInsets: [StaticString] = [
      "column-rule-inset-cap-start", "column-rule-inset-cap-end", "column-rule-inset-junction-start", "column-rule-inset-junction-end",
    ]
    let rowInsets: [StaticString] = [
      "row-rule-inset-cap-start", "row-rule-inset-cap-end", "row-rule-inset-junction-start", "row-rule-inset-junction-end",
    ]
    insets("column-rule-inset", columnInsets)
    insets("row-rule-inset", rowInsets)
    insets("rule-inset", columnInsets + rowInsets)
    starts("rule-inset-cap", [columnInsets[0], columnInsets[1], rowInsets[0], rowInsets[1]])
    starts("rule-inset-junction", [columnInsets[2], columnInsets[3], rowInsets[2], rowInsets[3]])
    same("rule-inset-start", [columnInsets[0], columnInsets[2], rowInsets[0], rowInsets[2]])
    same("rule-inset-end", [columnInsets[1], columnInsets[3], rowInsets[1], rowInsets[3]])
  }

  /// Registers a shorthand with one value for several longhands.
  private mutating func same(_ name: StaticString, _ longhands: [StaticString]) {
    shorthand(name, longhands) { parser, values in
      guard values.take(0, &parser) else { return false }
      for index in longhands.indices.dropFirst() { values.copy(index, from: 0) }
      return true
    }
  }

  /// Registers a shorthand with one or two values for starts and ends.
  private mutating func starts(_ name: StaticString, _ longhands: [StaticString]) {
    shorthand(name, longhands) { parser, values in
      guard values.take(0, &parser) else { return false }
      if !values.take(1, &parser) { values.copy(1, from: 0) }
      for index in longhands.indices.dropFirst(2) { values.copy(index, from: index % 2) }
      return true
    }
  }

  /// Registers a shorthand with one or two values for caps and, after a slash, for junctions.
  private mutating func insets(_ name: StaticString, _ longhands: [StaticString]) {
    shorthand(name, longhands) { parser, values in
      guard values.take(0, &parser) else { return false }
      if !values.take(1, &parser) { values.copy(1, from: 0) }
      if parser.delimiter("/") {
        guard values.take(2, &parser) else { return false }
        if !values.take(3, &parser) { values.copy(3, from: 2) }
      } else {
        values.copy(2, from: 0)
        values.copy(3, from: 1)
      }
      for index in longhands.indices.dropFirst(4) { values.copy(index, from: index - 4) }
      return true
    }
  }

  /// Registers a shorthand of width, style and color in any order.
  private mutating func line(_ name: StaticString, _ longhands: [StaticString]) {
    let indexes = Array(longhands.indices)
    shorthand(name, longhands) { parser, values in values.takeAnyOrder(indexes, &parser) }
  }

  /// Registers a shorthand that sets the same line for several sides.
  private mutating func lines(_ name: StaticString, _ longhands: [StaticString], resets: Int) {
    let sides = (longhands.count - resets) / 3
    shorthand(name, longhands) { parser, values in
      guard values.takeAnyOrder([0, 1, 2], &parser) else { return false }
      for part in 0..<3 {
        if !values.has(part) { values.setInitial(part) }
        for side in 1..<sides { values.copy(side * 3 + part, from: part) }
      }
      return true
    }
  }
}

extension ValueParser {
  /// https://drafts.csswg.org/css-backgrounds-3/#border-image
  mutating func borderImage(_ values: inout ShorthandValues) -> Bool {
    var open: Set<Int> = [0, 1, 4]
    var took = false
    while !isAtEnd() {
      if open.contains(1), values.take(1, &self) {
        open.remove(1)
        if delimiter("/") {
          let hasWidth = values.take(2, &self)
          if delimiter("/") {
            guard values.take(3, &self) else { return false }
          } else if !hasWidth {
            return false
          }
        }
      } else if open.contains(0), values.take(0, &self) {
        open.remove(0)
      } else if open.contains(4), values.take(4, &self) {
        open.remove(4)
      } else {
        return false
      }
      took = true
    }
    return took
  }
}
