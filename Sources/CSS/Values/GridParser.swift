import OffprintCoreTypes

// https://drafts.csswg.org/css-grid-2/

extension ValueParser {
  private mutating func trackBreadth(allowsFlex: Bool = true) -> TrackBreadth? {
    if keyword("auto") { return .auto }
    if keyword("min-content") { return .minContent }
    if keyword("max-content") { return .maxContent }
    if let value = lengthPercentage(nonNegative: true) { return .value(value) }
    guard allowsFlex else { return nil }
    return dimension(.flex, Self.nonNegative).map { .flex(Float($0)) }
  }

  mutating func trackSize() -> TrackSize? {
    if let name = peekFunction() {
      if name.equalsIgnoringCase("minmax") {
        return function("minmax") { parser in
          guard let low = parser.trackBreadth(allowsFlex: false), parser.comma(), let high = parser.trackBreadth() else { return nil }
          return .minmax(low, high)
        }
      }
      if name.equalsIgnoringCase("fit-content") {
        return function("fit-content") { $0.lengthPercentage(nonNegative: true).map { .fitContent($0) } }
      }
    }
    return trackBreadth().map { .breadth($0) }
  }

  mutating func lineNames() -> [ByteString]? {
    guard peek()?.kind == .openSquare else { return nil }
    return block { parser in
      var names: [ByteString] = []
      while !parser.isAtEnd() {
        guard let name = parser.customIdentifier(excluding: ["span", "auto"]) else { return nil }
        names.append(name)
      }
      return names
    }
  }

  private enum RepeatContext { case top, subgrid }

  private mutating func trackRepeat(_ context: RepeatContext) -> TrackComponent? {
    function("repeat") { parser in
      let count: RepeatCount
      if parser.keyword("auto-fill") {
        count = .autoFill
      } else if context == .top, parser.keyword("auto-fit") {
        count = .autoFit
      } else if let number =
        parser.integer(min: 1)
      {
        // Layout clamps and reports the actual limit.
        count = .count(min(number, 1_000_000))
      } else {
        return nil
      }
      guard parser.comma() else { return nil }
      var components: [TrackComponent] = []
      var tracks = 0
      while !parser.isAtEnd() {
        if let names = parser.lineNames() {
          components.append(.lineNames(names))
        } else if context == .top, let size = parser.trackSize() {
          components.append(.track(size))
          tracks += 1
        } else {
          return nil
        }
      }
      guard context == .subgrid ? !components.isEmpty : tracks > 0 else { return nil }
      return .repeat(count, components)
    }
  }

  private static func isFixed(_ size: TrackSize) -> Bool {
    func isValue(_ breadth: TrackBreadth) -> Bool { if case .value = breadth { true } else { false } }
    switch size {
    case .breadth(let breadth): return isValue(breadth)
    case .minmax(let low, let high): return isValue(low) || isValue(high)
    case .fitContent: return false
    }
  }

  /// https://drafts.csswg.org/css-grid-2/#typedef-auto-track-list
  mutating func gridTemplate() -> GridTemplate? {
    if keyword("none") { return GridTemplate.none }
    if keyword("subgrid") {
      var components: [TrackComponent] = []
      var hasAutomatic = false
      while let token = peek(), token.kind != .delim {
        if let names = lineNames() {
          components.append(.lineNames(names))
        } else if let repeated = trackRepeat(.subgrid) {
          // Only one repetition fills what is left.
          if case .repeat(.autoFill, _) = repeated {
            guard !hasAutomatic else { return nil }
            hasAutomatic = true
          }
          components.append(repeated)
        } else {
          return nil
        }
      }
      return .subgrid(components)
    }
    return trackList(allowsRepeat: true).map { .tracks($0) }
  }

  mutating func trackList(allowsRepeat: Bool) -> [TrackComponent]? {
    var components: [TrackComponent] = []
    var tracks = 0
    var automatic = 0
    var isFixed = true
    while !isAtEnd() {
      if let names = lineNames() {
        components.append(.lineNames(names))
      } else if let size = trackSize() {
        isFixed = isFixed && Self.isFixed(size)
        components.append(.track(size))
        tracks += 1
      } else if allowsRepeat, let repeated = trackRepeat(.top) {
        if case .repeat(let count, let inner) = repeated {
          if count == .autoFill || count == .autoFit { automatic += 1 }
          for case .track(let size) in inner where !Self.isFixed(size) { isFixed = false }
        }
        components.append(repeated)
        tracks += 1
      } else {
        break
      }
      if components.suffix(2).count(where: \.isLineNames) == 2 { return nil }
    }
    guard tracks > 0, automatic == 0 || (automatic == 1 && isFixed) else { return nil }
    return components
  }

  /// https://drafts.csswg.org/css-grid-2/#grid-template-areas-property
  mutating func gridAreas() -> GridTemplateAreas?? {
    if keyword("none") { return .some(nil) }
    var rows: [[ByteString?]] = []
    while let row = areaRow() { rows.append(row) }
    return Self.areas(rows).map { .some($0) }
  }

  mutating func areaRow() -> [ByteString?]? {
    attempt { parser in
      guard let text = parser.string() else { return nil }
      return Self.areaCells(text)
    }
  }

  /// The cells of a row, with nil for null cells; nil if the string is invalid.
  static func areaCells(_ text: String) -> [ByteString?]? {
    var cells: [ByteString?] = []
    var index = text.utf8.startIndex
    let bytes = text.utf8
    while index < bytes.endIndex {
      let byte = bytes[index]
      if byte == 0x20 || byte == 0x09 || byte == 0x0A {
        index = bytes.index(after: index)
      } else if byte == 0x2E {
        while index < bytes.endIndex, bytes[index] == 0x2E { index = bytes.index(after: index) }
        cells.append(nil)
      } else {
        let start = index
        while index < bytes.endIndex, isNameByte(bytes[index]) { index = bytes.index(after: index) }
        guard start < index else { return nil }
        cells.append(ByteString(text[start..<index]))
      }
      if cells.count > 1000 { return nil }
    }
    return cells.isEmpty ? nil : cells
  }

  private static func isNameByte(_ byte: UInt8) -> Bool {
    byte >= 0x80 || byte == 0x2D || byte == 0x5F || (byte >= 0x30 && byte <= 0x39) || ((byte | 0x20) >= 0x61 && (byte | 0x20) <= 0x7A)
  }

  /// Combines rows into named areas; nil if an area is not a rectangle.
  static func areas(_ rows: [[ByteString?]]) -> GridTemplateAreas? {
    guard let columns = rows.first?.count, rows.count <= 1000, rows.allSatisfy({ $0.count == columns }) else { return nil }
    var result = GridTemplateAreas()
    result.rows = rows.count
    result.columns = columns
    var places: [ByteString: Int] = [:]
    var cells: [Int] = []
    for (row, names) in rows.enumerated() {
      for (column, name) in names.enumerated() {
        guard let name else { continue }
        if let place = places[name] {
          let area = result.areas[place]
          result.areas[place].rowEnd = max(area.rowEnd, row + 2)
          result.areas[place].columnStart = min(area.columnStart, column + 1)
          result.areas[place].columnEnd = max(area.columnEnd, column + 2)
          cells[place] += 1
        } else {
          places[name] = result.areas.count
          cells.append(1)
          result.areas.append(GridArea(name: name, rowStart: row + 1, rowEnd: row + 2, columnStart: column + 1, columnEnd: column + 2))
        }
      }
    }
    for (area, count) in zip(result.areas, cells) {
      guard (area.rowEnd - area.rowStart) * (area.columnEnd - area.columnStart) == count else { return nil }
    }
    return result
  }

  /// https://drafts.csswg.org/css-grid-2/#typedef-grid-row-start-grid-line
  mutating func gridLine() -> GridLine? {
    if keyword("auto") { return .auto }
    var number: Int?
    var name: ByteString?
    var isSpan = false, isBehind = false
    while !isAtEnd() {
      if !isSpan, keyword("span") {
        // `span` precedes or follows the number and the name, but is not between them.
        isBehind = number != nil || name != nil
        isSpan = true
      } else if isBehind {
        break
      } else if number == nil, let given = integer() {
        guard given != 0 else { return nil }
        // Clamped to one more than the limit of layout, so that layout can report it.
        number = min(max(given, -10_001), 10_001)
      } else if name == nil, let given = customIdentifier(excluding: ["span", "auto"]) {
        name = given
      } else {
        break
      }
    }
    if isSpan {
      guard (number ?? 1) > 0, number != nil || name != nil else { return nil }
      return name.map { .spanNamed($0, number ?? 1) } ?? .span(number ?? 1)
    }
    if let name { return .named(name, number) }
    return number.map { .line($0) }
  }
}

extension TrackComponent {
  fileprivate var isLineNames: Bool { if case .lineNames = self { true } else { false } }
}
