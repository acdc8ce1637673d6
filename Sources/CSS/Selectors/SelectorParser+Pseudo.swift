import OffprintCoreTypes
import OffprintDOM

extension SelectorParser {
  /// Parses a pseudo-class or pseudo-element; `position` is at the colon.
  mutating func parsePseudo() -> Bool {
    let isElement = list.kind(position + 1) == .colon
    let name = position + (isElement ? 2 : 1)
    guard name < end else { return false }
    let kind = list.kind(name)
    guard kind == .ident || kind == .function else { return false }
    let text = list.lowercased(name)
    if isElement { return parsePseudoElement(text, at: name) }
    if kind == .ident, ["before", "after", "first-line", "first-letter"].contains(text) { return parsePseudoElement(text, at: name) }
    if current.pseudo != SelectorHead.noPseudo {
      if kind == .ident, current.variant.state == .any, let pseudo = PseudoElement(rawValue: current.pseudo),
        let state = ScrollPartVariant.state(text, of: pseudo)
      {
        current.variant.state = state
        current.specificity = current.specificity + Specificity(0, 1, 0)
        position = name + 1
        return true
      }
      // Other states of pseudo-elements never occur on a static page.
      current.pseudo = SelectorHead.neverMatches
      position = list.skip(name)
      return kind == .ident ? Self.simplePseudoClasses[text] != nil || Self.isVendorState(text) : true
    }
    // Parts have states but no structural position.
    if current.isElsewhere, current.reach != .part || Self.structuralPseudoClasses.contains(text) { return false }
    return kind == .ident ? parsePseudoClass(text, at: name) : parseFunctionalPseudoClass(text, at: name)
  }

  /// https://drafts.csswg.org/css-shadow-parts-1/#part
  private static let structuralPseudoClasses: Set<ByteString> = [
    "root", "empty", "first-child", "last-child", "only-child", "first-of-type", "last-of-type", "only-of-type", "nth-child",
    "nth-last-child", "nth-of-type", "nth-last-of-type", "has", "host", "host-context",
  ]

  // MARK: Pseudo-elements

  private static let pseudoElements: [ByteString: PseudoElement] = [
    "before": .before, "after": .after, "marker": .marker, "first-line": .firstLine, "first-letter": .firstLetter,
    "placeholder": .placeholder, "backdrop": .backdrop, "selection": .selection, "file-selector-button": .fileSelectorButton,
    "details-content": .detailsContent, "picker-icon": .pickerIcon, "checkmark": .checkmark, "scroll-marker": .scrollMarker,
    "scroll-marker-group": .scrollMarkerGroup,
    "-webkit-input-placeholder": .placeholder, "-webkit-file-upload-button": .fileSelectorButton,
    "-webkit-slider-runnable-track": .sliderTrack, "-webkit-slider-thumb": .sliderThumb, "-webkit-progress-bar": .progressBar,
    "-webkit-progress-value": .progressValue, "-webkit-meter-bar": .meterBar, "-webkit-meter-optimum-value": .meterOptimumValue,
    "-webkit-meter-suboptimum-value": .meterSuboptimumValue, "-webkit-meter-even-less-good-value": .meterPoorValue,
  ]
  /// Valid pseudo-elements that generate no box here.
  private static let boxlessPseudoElements: Set<ByteString> = [
    "cue", "grammar-error", "spelling-error", "target-text", "search-text", "view-transition", "column", "highlight",
    "view-transition-group", "view-transition-image-pair", "view-transition-new", "view-transition-old",
  ]

  /// Pseudo-elements of form controls in Chromium. Style rules also accept unknown names with the prefix `-webkit-`, but `@supports` does
  /// not. https://drafts.csswg.org/selectors-4/#compat
  private static let vendorPseudoElements = Set<ByteString>(
    [
      "calendar-picker-indicator", "color-swatch", "color-swatch-wrapper", "date-and-time-value", "datetime-edit",
      "datetime-edit-ampm-field",
      "datetime-edit-day-field", "datetime-edit-fields-wrapper", "datetime-edit-hour-field", "datetime-edit-millisecond-field",
      "datetime-edit-minute-field", "datetime-edit-month-field", "datetime-edit-second-field", "datetime-edit-text",
      "datetime-edit-week-field", "datetime-edit-year-field", "inner-spin-button", "media-controls",
      "media-controls-current-time-display", "media-controls-enclosure", "media-controls-fullscreen-button", "media-controls-mute-button",
      "media-controls-overlay-enclosure", "media-controls-overlay-play-button", "media-controls-panel", "media-controls-play-button",
      "media-controls-time-remaining-display", "media-controls-timeline", "media-controls-timeline-container",
      "media-controls-toggle-closed-captions-button", "media-controls-volume-slider", "media-slider-container", "media-slider-thumb",
      "media-text-track-container", "media-text-track-display", "media-text-track-region", "media-text-track-region-container",
      "meter-inner-element", "progress-inner-element", "resizer", "scrollbar", "scrollbar-button", "scrollbar-corner", "scrollbar-thumb",
      "scrollbar-track", "scrollbar-track-piece", "search-cancel-button", "slider-container", "textfield-decoration-container",
    ].map { ByteString("-webkit-" + $0) })

  /// https://drafts.csswg.org/css-pseudo-4/
  private mutating func parsePseudoElement(_ text: String, at name: Int) -> Bool {
    if list.kind(name) == .function, text == "slotted" || text == "part" { return parseElsewhere(text, at: name) }
    let previous = current.pseudo
    if list.kind(name) == .function, text == "scroll-button" {
      guard let direction = scrollDirection(list.contents(name)) else { return false }
      current.pseudo = PseudoElement.scrollButtonBlockStart.rawValue
      current.variant.direction = direction
    } else if text == "picker" {
      // The picker generates a box only while it is open. https://drafts.csswg.org/css-forms-1/#picker-pseudo
      guard list.kind(name) == .function, isSelect(list.contents(name)) else { return false }
      current.pseudo = SelectorHead.neverMatches
    } else if list.kind(name) == .ident, text == "column", previous == SelectorHead.noPseudo {
      current.pseudo = SelectorHead.column
    } else if list.kind(name) == .ident, let element = Self.pseudoElements[text] {
      current.pseudo = element.rawValue
    } else if isForgiving && text.hasPrefix("-webkit-") || Self.vendorPseudoElements.contains(text)
      || Self.boxlessPseudoElements.contains(text)
    {
      current.pseudo = SelectorHead.neverMatches
    } else {
      return false
    }
    if previous != SelectorHead.noPseudo { current.pseudo = Self.nested(current.pseudo, in: previous) }
    current.specificity = current.specificity + Specificity(0, 0, 1)
    position = list.skip(name)
    return position <= end
  }

  /// The raw value of a nested pseudo-element. https://drafts.csswg.org/selectors-4/#sub-pseudo-elements
  private static func nested(_ pseudo: UInt8, in outer: UInt8) -> UInt8 {
    let inner = PseudoElement(rawValue: pseudo)
    if outer == SelectorHead.column {
      return inner == .scrollMarker ? PseudoElement.columnScrollMarker.rawValue : SelectorHead.neverMatches
    }
    let found: PseudoElement? =
      switch (PseudoElement(rawValue: outer), inner) {
      case (.before, .marker): .beforeMarker
      case (.after, .marker): .afterMarker
      case (.detailsContent, .firstLine): .detailsFirstLine
      case (.detailsContent, .firstLetter): .detailsFirstLetter
      default: nil
      }
    return found?.rawValue ?? SelectorHead.neverMatches
  }

  private func scrollDirection(_ range: Range<Int>) -> ScrollPartVariant.Direction? {
    let range = list.trimmed(range)
    guard range.count == 1 else { return nil }
    if list.isDelimiter(range.lowerBound, "*") { return .any }
    return list.kind(range.lowerBound) == .ident ? ScrollPartVariant.direction(list.lowercased(range.lowerBound)) : nil
  }

  private func isSelect(_ range: Range<Int>) -> Bool {
    let range = list.trimmed(range)
    return range.count == 1 && list.isIdent(range.lowerBound, "select")
  }

  // MARK: Pseudo-classes

  private static let simplePseudoClasses: [ByteString: SelectorPart.Kind] = [
    "root": .root, "scope": .scope, "empty": .empty, "first-child": .firstChild, "last-child": .lastChild, "only-child": .onlyChild,
    "first-of-type": .firstOfType, "last-of-type": .lastOfType, "only-of-type": .onlyOfType, "link": .link, "any-link": .link,
    "-webkit-any-link": .link, "checked": .checked, "disabled": .disabled, "enabled": .enabled, "required": .required,
    "optional": .optional, "read-only": .readOnly, "read-write": .readWrite, "placeholder-shown": .placeholderShown,
    "default": .default, "indeterminate": .indeterminate, "defined": .defined, "valid": .valid, "invalid": .invalid,
    "in-range": .inRange, "out-of-range": .outOfRange, "open": .open, "autofill": .never, "-webkit-autofill": .never,
    "hover": .never, "active": .never, "focus": .never, "focus-visible": .never, "focus-within": .never, "visited": .visited,
    "target": .target, "user-valid": .never, "user-invalid": .never, "fullscreen": .never, "modal": .never,
    "popover-open": .never, "picture-in-picture": .never, "target-current": .never, "target-before": .never, "target-after": .never,
    "current": .never, "past": .never, "future": .never, "active-view-transition": .never, "-webkit-full-screen": .never,
    "-webkit-drag": .never, "xr-overlay": .never, "interest-source": .never, "interest-target": .never, "-internal-never": .never,
    "-internal-base-select": .baseSelect,
  ]

  private static func isVendorState(_ text: String) -> Bool {
    text.hasPrefix("-webkit-")
      || [
        "horizontal", "vertical", "start", "end", "increment", "decrement", "window-inactive", "corner-present",
        "single-button", "double-button", "no-button",
      ].contains(text)
  }

  private mutating func parsePseudoClass(_ text: String, at name: Int) -> Bool {
    if text == "host" { return parseHost(.host, 0..<0, after: name + 1) }
    guard let kind = Self.simplePseudoClasses[text], isForgiving || !text.hasPrefix("-internal-") else { return false }
    position = name + 1
    if kind == .scope, nesting == nil { current.usesNesting = true }
    add(SelectorPart(kind), Specificity(0, 1, 0))
    return true
  }

  private mutating func parseFunctionalPseudoClass(_ text: String, at name: Int) -> Bool {
    let arguments = list.trimmed(list.contents(name))
    let after = list.skip(name)
    guard after <= end else { return false }
    let isValid: Bool
    switch text {
    case "is", "-webkit-any": isValid = parseSelectorArgument(.matchesAny, arguments, forgiving: true)
    case "where": isValid = parseSelectorArgument(.matchesAny, arguments, forgiving: true, hasSpecificity: false)
    case "not": isValid = parseSelectorArgument(.not, arguments, forgiving: false)
    case "has": isValid = parseSelectorArgument(.has, arguments, forgiving: false)
    case "nth-child", "nth-last-child", "nth-of-type", "nth-last-of-type": isValid = parseNth(text, arguments)
    case "lang": isValid = parseLanguage(arguments)
    case "dir":
      guard arguments.count == 1, list.kind(arguments.lowerBound) == .ident else { return false }
      let value = list.lowercased(arguments.lowerBound)
      add(SelectorPart(value == "ltr" || value == "rtl" ? .dir : .never, flag: value == "rtl" ? 1 : 0), Specificity(0, 1, 0))
      isValid = true
    case "host": isValid = parseHost(.host, arguments, after: after)
    case "host-context": isValid = parseHost(.hostContext, arguments, after: after)
    case "state", "active-view-transition-type":
      add(SelectorPart(.never), Specificity(0, 1, 0))
      isValid = true
    default: isValid = false
    }
    position = after
    return isValid
  }

  private mutating func parseSelectorArgument(
    _ kind: SelectorPart.Kind, _ range: Range<Int>, forgiving: Bool, hasSpecificity: Bool = true
  ) -> Bool {
    // https://drafts.csswg.org/selectors-4/#relational
    if kind == .has, isInsideHas { return false }
    let outer = isInsideHas
    isInsideHas = isInsideHas || kind == .has
    defer { isInsideHas = outer }
    let usesNesting = current.usesNesting || range.contains { list.isDelimiter($0, "&") }
    guard let heads = parseList(range, mode: kind == .has ? .relative : .normal, forgiving: forgiving) else { return false }
    let number = store.addList(heads)
    if kind == .matchesAny { reachHost(of: number) }
    current.usesNesting = usesNesting
    add(SelectorPart(kind, extra: number), hasSpecificity ? store.maximumSpecificity(number) : Specificity())
    return true
  }

  /// Parses a single identifier. Chromium accepts neither strings nor lists of language ranges.
  private mutating func parseLanguage(_ range: Range<Int>) -> Bool {
    guard range.count == 1, list.kind(range.lowerBound) == .ident else { return false }
    store.languages.append(list.value(range.lowerBound).map(asciiLowercased))
    add(SelectorPart(.lang, extra: UInt32(truncatingIfNeeded: store.languages.count - 1)), Specificity(0, 1, 0))
    return true
  }

  // MARK: An+B

  private mutating func parseNth(_ text: String, _ range: Range<Int>) -> Bool {
    var split = range.upperBound
    var index = range.lowerBound
    while index < range.upperBound {
      if list.isIdent(index, "of") {
        split = index
        break
      }
      index = list.skip(index)
    }
    guard let (step, offset) = AnPlusB.parse(list.source(list.trimmed(range.lowerBound..<split))) else { return false }
    var pattern = NthPattern(step: step, offset: offset, fromEnd: text.contains("last"), ofType: text.hasSuffix("of-type"), list: nil)
    var specificity = Specificity(0, 1, 0)
    if split < range.upperBound {
      guard !pattern.ofType, let heads = parseList((split + 1)..<range.upperBound, mode: .normal) else { return false }
      let number = store.addList(heads)
      pattern.list = number
      specificity = specificity + store.maximumSpecificity(number)
    }
    store.nths.append(pattern)
    add(SelectorPart(.nth, extra: UInt32(truncatingIfNeeded: store.nths.count - 1)), specificity)
    return true
  }
}

/// Parses An+B from the source of its tokens. https://drafts.csswg.org/css-syntax-3/#anb-microsyntax
enum AnPlusB {
  static func parse(_ source: ArraySlice<UInt8>) -> (step: Int, offset: Int)? {
    let text = source.map(asciiLowercased)
    if text == Array("odd".utf8) { return (2, 1) }
    if text == Array("even".utf8) { return (2, 0) }
    guard let n = text.firstIndex(of: 0x6E) else { return integer(text[...]).map { (0, $0) } }
    let step: Int
    switch Array(text[..<n]) {
    case [], [0x2B]: step = 1
    case [0x2D]: step = -1
    default:
      guard let value = integer(text[..<n]) else { return nil }
      step = value
    }
    var rest = text[(n + 1)...]
    rest = rest.trimming(while: isWhitespace)
    guard let sign = rest.first else { return (step, 0) }
    guard sign == 0x2B || sign == 0x2D else { return nil }
    let digits = rest.dropFirst()
    let number = digits.trimming(while: isWhitespace)
    guard let value = integer(number), !number.isEmpty, number.allSatisfy(isDigit) else { return nil }
    return (step, sign == 0x2D ? -value : value)
  }

  /// Parses an integer with an optional sign; clamped to ±10⁹.
  private static func integer(_ bytes: ArraySlice<UInt8>) -> Int? {
    var digits = bytes
    var isNegative = false
    if let sign = digits.first, sign == 0x2B || sign == 0x2D {
      isNegative = sign == 0x2D
      digits = digits.dropFirst()
    }
    guard !digits.isEmpty, digits.allSatisfy(isDigit) else { return nil }
    let value = digits.reduce(0) { min($0 * 10 + Int($1 - 0x30), 1_000_000_000) }
    return isNegative ? -value : value
  }
}
