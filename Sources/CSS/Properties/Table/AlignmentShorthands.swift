import OffprintCoreTypes

extension TableBuilder {
  mutating func registerAlignmentShorthands() {
    shorthand("flex-flow", ["flex-direction", "flex-wrap"]) { parser, values in values.takeAnyOrder([0, 1], &parser) }
    shorthand("flex", ["flex-grow", "flex-shrink", "flex-basis"]) { $0.flex(&$1) }
    pair("gap", "row-gap", "column-gap")
    pair("place-items", "align-items", "justify-items")
    pair("place-self", "align-self", "justify-self")
    shorthand("place-content", ["align-content", "justify-content"]) { parser, values in
      guard values.take(0, &parser) else { return false }
      if values.take(1, &parser) { return true }
      // A single baseline value is `start` on the other axis, which has no baselines.
      values.copy(1, from: 0)
      if case .specified(let stored as FieldValue<Alignment>)? = values[values.shorthand.longhands[0]],
        stored.value.keyword == .baseline || stored.value.keyword == .lastBaseline
      {
        values.set(1, Alignment(.start), parser)
      }
      return true
    }
    // https://drafts.csswg.org/css-multicol-2/#columns
    shorthand("columns", ["column-width", "column-count", "column-height"]) { parser, values in
      var autos = 0
      while !parser.isAtEnd() {
        if parser.delimiter("/") {
          guard values.take(2, &parser), parser.isAtEnd() else { return false }
        } else if parser.keyword("auto") {
          autos += 1
        } else if !values.has(0), values.take(0, &parser) {
        } else if !values.has(1), values.take(1, &parser) {
        } else {
          return false
        }
      }
      let given = autos + (values.has(0) ? 1 : 0) + (values.has(1) ? 1 : 0)
      return given >= 1 && given <= 2
    }
    shorthand("grid-row", ["grid-row-start", "grid-row-end"]) { $0.gridPlacement(&$1, count: 2) }
    shorthand("grid-column", ["grid-column-start", "grid-column-end"]) { $0.gridPlacement(&$1, count: 2) }
    shorthand("grid-area", ["grid-row-start", "grid-column-start", "grid-row-end", "grid-column-end"]) { $0.gridPlacement(&$1, count: 4) }
    shorthand("grid-template", ["grid-template-rows", "grid-template-columns", "grid-template-areas"]) { $0.gridTemplateShorthand(&$1) }
    shorthand(
      "grid",
      ["grid-template-rows", "grid-template-columns", "grid-template-areas", "grid-auto-flow", "grid-auto-rows", "grid-auto-columns"]
    ) { $0.grid(&$1) }
  }
}

extension ValueParser {
  /// https://drafts.csswg.org/css-flexbox-1/#flex-property
  mutating func flex(_ values: inout ShorthandValues) -> Bool {
    if keyword("none") {
      values.set(0, Float(0), self)
      values.set(1, Float(0), self)
      values.set(2, SizeValue.auto, self)
      return true
    }
    var hasBasis = false
    var hasFactors = false
    while !isAtEnd() {
      if !hasFactors, values.take(0, &self) {
        hasFactors = true
        // A unitless zero after two factors is the basis.
        _ = values.take(1, &self)
      } else if !hasBasis, values.take(2, &self) {
        hasBasis = true
      } else {
        return false
      }
    }
    guard hasBasis || hasFactors else { return false }
    if !values.has(0) { values.set(0, Float(1), self) }
    if !values.has(1) { values.set(1, Float(1), self) }
    if !hasBasis { values.set(2, SizeValue.value(.percentage(0)), self) }
    return true
  }

  /// https://drafts.csswg.org/css-grid-2/#placement-shorthands
  mutating func gridPlacement(_ values: inout ShorthandValues, count: Int) -> Bool {
    var lines: [GridLine] = []
    repeat {
      guard lines.count < count, let line = gridLine() else { return false }
      lines.append(line)
    } while delimiter("/")
    // A lone custom identifier also applies to the opposite edge.
    func opposite(_ line: GridLine) -> GridLine { if case .named(_, nil) = line { line } else { .auto } }
    if count == 2 {
      if lines.count < 2 { lines.append(opposite(lines[0])) }
    } else {
      if lines.count < 2 { lines.append(opposite(lines[0])) }
      if lines.count < 3 { lines.append(opposite(lines[0])) }
      if lines.count < 4 { lines.append(opposite(lines[1])) }
    }
    for (index, line) in lines.enumerated() { values.set(index, line, self) }
    return true
  }

  /// https://drafts.csswg.org/css-grid-2/#explicit-grid-shorthand
  mutating func gridTemplateShorthand(_ values: inout ShorthandValues) -> Bool {
    if attempt({ $0.keyword("none") && $0.isAtEnd() ? true : nil }) != nil { return true }
    let plain: Void? = attempt { parser in
      guard let rows = parser.gridTemplate(), parser.delimiter("/"), let columns = parser.gridTemplate(), parser.isAtEnd() else {
        return nil
      }
      values.set(0, rows, parser)
      values.set(1, columns, parser)
      return ()
    }
    if plain != nil { return true }
    return gridTemplateWithAreas(&values)
  }

  /// `[ <line-names>? <string> <track-size>? <line-names>? ]+ [ / <explicit-track-list> ]?`
  private mutating func gridTemplateWithAreas(_ values: inout ShorthandValues) -> Bool {
    var components: [TrackComponent] = []
    var rows: [[ByteString?]] = []
    func append(_ names: [ByteString]) {
      if case .lineNames(let previous)? = components.last {
        components[components.count - 1] = .lineNames(previous + names)
      } else {
        components.append(.lineNames(names))
      }
    }
    while let token = peek(), token.kind != .delim {
      if let names = lineNames() { append(names) }
      guard let row = areaRow() else { return false }
      rows.append(row)
      components.append(.track(trackSize() ?? .breadth(.auto)))
      if let names = lineNames() { append(names) }
    }
    guard let areas = Self.areas(rows) else { return false }
    var columns = GridTemplate.none
    if delimiter("/") {
      guard let list = trackList(allowsRepeat: false) else { return false }
      columns = .tracks(list)
    }
    values.set(0, GridTemplate.tracks(components), self)
    values.set(1, columns, self)
    values.set(2, GridTemplateAreas?.some(areas), self)
    return true
  }

  /// https://drafts.csswg.org/css-grid-2/#grid-shorthand
  mutating func grid(_ values: inout ShorthandValues) -> Bool {
    let start = remaining.lowerBound
    if let flow = attempt({ $0.autoFlowPrefix() }) {
      // `auto-flow` rows / columns
      var autoRows: [TrackSize] = [.breadth(.auto)]
      if let given = list({ $0.trackSize() }) { autoRows = given }
      guard delimiter("/"), let columns = gridTemplate() else { return false }
      values.set(3, flow, self)
      values.set(4, autoRows, self)
      values.set(1, columns, self)
      return true
    }
    if let rows = attempt({ parser -> GridTemplate? in
      guard let rows = parser.gridTemplate(), parser.delimiter("/"),
        parser.peekIdentifier().map({
          $0.equalsIgnoringCase("auto-flow") || $0.equalsIgnoringCase("dense")
        }) == true
      else { return nil }
      return rows
    }) {
      guard var flow = autoFlowPrefix() else { return false }
      flow.isColumn = true
      var autoColumns: [TrackSize] = [.breadth(.auto)]
      if let given = list({ $0.trackSize() }) { autoColumns = given }
      values.set(0, rows, self)
      values.set(3, flow, self)
      values.set(5, autoColumns, self)
      return true
    }
    rewind(to: start)
    return gridTemplateShorthand(&values)
  }

  private mutating func autoFlowPrefix() -> GridAutoFlow? {
    var flow = GridAutoFlow()
    if keyword("dense") { flow.isDense = true }
    guard keyword("auto-flow") else { return nil }
    if !flow.isDense, keyword("dense") { flow.isDense = true }
    return flow
  }
}
