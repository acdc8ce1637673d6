// https://drafts.csswg.org/css-logical-1/

extension TableBuilder {
  mutating func registerLogical() {
    sides(
      "margin-block-start", "margin-block-end", "margin-inline-start", "margin-inline-end",
      ["margin-top", "margin-right", "margin-bottom", "margin-left"])
    sides(
      "padding-block-start", "padding-block-end", "padding-inline-start", "padding-inline-end",
      ["padding-top", "padding-right", "padding-bottom", "padding-left"])
    sides("inset-block-start", "inset-block-end", "inset-inline-start", "inset-inline-end", ["top", "right", "bottom", "left"])
    sides(
      "border-block-start-width", "border-block-end-width", "border-inline-start-width", "border-inline-end-width",
      ["border-top-width", "border-right-width", "border-bottom-width", "border-left-width"])
    sides(
      "border-block-start-style", "border-block-end-style", "border-inline-start-style", "border-inline-end-style",
      ["border-top-style", "border-right-style", "border-bottom-style", "border-left-style"])
    sides(
      "border-block-start-color", "border-block-end-color", "border-inline-start-color", "border-inline-end-color",
      ["border-top-color", "border-right-color", "border-bottom-color", "border-left-color"])
    sides(
      "scroll-margin-block-start", "scroll-margin-block-end", "scroll-margin-inline-start", "scroll-margin-inline-end",
      ["scroll-margin-top", "scroll-margin-right", "scroll-margin-bottom", "scroll-margin-left"])
    sides(
      "scroll-padding-block-start", "scroll-padding-block-end", "scroll-padding-inline-start", "scroll-padding-inline-end",
      ["scroll-padding-top", "scroll-padding-right", "scroll-padding-bottom", "scroll-padding-left"])
    axes("block-size", "inline-size", ["width", "height"])
    axes("min-block-size", "min-inline-size", ["min-width", "min-height"])
    axes("max-block-size", "max-inline-size", ["max-width", "max-height"])
    axes("overflow-block", "overflow-inline", ["overflow-x", "overflow-y"])
    axes("contain-intrinsic-block-size", "contain-intrinsic-inline-size", ["contain-intrinsic-width", "contain-intrinsic-height"])
    let corners: [StaticString] = [
      "border-top-left-radius", "border-top-right-radius", "border-bottom-right-radius", "border-bottom-left-radius",
    ]
    logical("border-start-start-radius", LogicalMapping(kind: .startStart, targets: corners.map { id($0) }))
    logical("border-start-end-radius", LogicalMapping(kind: .startEnd, targets: corners.map { id($0) }))
    logical("border-end-start-radius", LogicalMapping(kind: .endStart, targets: corners.map { id($0) }))
    logical("border-end-end-radius", LogicalMapping(kind: .endEnd, targets: corners.map { id($0) }))
    let shapes: [StaticString] = [
      "corner-top-left-shape", "corner-top-right-shape", "corner-bottom-right-shape", "corner-bottom-left-shape",
    ]
    logical("corner-start-start-shape", LogicalMapping(kind: .startStart, targets: shapes.map { id($0) }))
    logical("corner-start-end-shape", LogicalMapping(kind: .startEnd, targets: shapes.map { id($0) }))
    logical("corner-end-start-shape", LogicalMapping(kind: .endStart, targets: shapes.map { id($0) }))
    logical("corner-end-end-shape", LogicalMapping(kind: .endEnd, targets: shapes.map { id($0) }))
  }

  private mutating func sides(
    _ blockStart: StaticString, _ blockEnd: StaticString, _ inlineStart: StaticString, _ inlineEnd: StaticString, _ physical: [StaticString]
  ) {
    let targets = physical.map { id($0) }
    logical(blockStart, LogicalMapping(kind: .blockStart, targets: targets))
    logical(blockEnd, LogicalMapping(kind: .blockEnd, targets: targets))
    logical(inlineStart, LogicalMapping(kind: .inlineStart, targets: targets))
    logical(inlineEnd, LogicalMapping(kind: .inlineEnd, targets: targets))
  }

  mutating func axes(_ block: StaticString, _ inline: StaticString, _ physical: [StaticString]) {
    let targets = physical.map { id($0) }
    logical(block, LogicalMapping(kind: .blockAxis, targets: targets))
    logical(inline, LogicalMapping(kind: .inlineAxis, targets: targets))
  }
}
