import OffprintCoreTypes

extension StyleSheetParser {
  private static let maximumPageRules = 1000

  /// https://drafts.csswg.org/css-page-3/#at-page-rule
  mutating func consumePage(_ prelude: Range<Int>, _ open: Int) {
    let selectors = prelude.isEmpty ? [(nil, [])] : list.split(prelude, at: .comma).map { pageSelector(list.trimmed($0)) }
    guard selectors.allSatisfy({ $0 != nil }) else { return report(.invalidAtRule, "The rule is not valid", prelude) }
    var rule = PageRule()
    consumePageBlock(open, &rule)
    for case let selector? in selectors where builder.pageRules.count < Self.maximumPageRules {
      rule.name = selector.name
      rule.pseudoClasses = selector.classes
      builder.pageRules.append(rule)
    }
  }

  /// Parses declarations and margin box rules.
  private mutating func consumePageBlock(_ open: Int, _ rule: inout PageRule) {
    var index = open + 1
    let end = list.blockEnd(open)
    while index < end, context.meter.spend() {
      switch list.kind(index) {
      case .whitespace, .semicolon: index += 1
      case .atKeyword:
        var block = index + 1
        while block < end, list.kind(block) != .openCurly, list.kind(block) != .semicolon { block = list.skip(block) }
        guard block < end, list.kind(block) == .openCurly else {
          index = block
          continue
        }
        if let box = PageMarginBox(rawValue: list.lowercased(index)) {
          rule.boxes[box, default: DeclarationBlock()].append(declarations((block + 1)..<list.blockEnd(block)))
        } else {
          report(.unknownAtRule, "The at-rule is unknown", index..<block)
        }
        index = list.skip(block)
      default:
        var next = index
        while next < end, list.kind(next) != .semicolon, list.kind(next) != .atKeyword { next = list.skip(next) }
        consumePageDeclaration(list.trimmed(index..<next), &rule)
        index = max(next, index + 1)
      }
    }
  }

  private mutating func consumePageDeclaration(_ range: Range<Int>, _ rule: inout PageRule) {
    let colon = list.skipWhitespace(range.lowerBound + 1)
    guard !range.isEmpty, list.kind(range.lowerBound) == .ident, colon < range.upperBound, list.kind(colon) == .colon else { return }
    var value = list.trimmed((colon + 1)..<range.upperBound)
    let isImportant = removeImportant(&value)
    switch list.lowercased(range.lowerBound) {
    case "size": if let size = PageValues(list: list).size(value) { rule.size = .init(value: size, isImportant: isImportant) }
    case "margin":
      guard let sides = PageValues(list: list).margins(value) else { return }
      rule.margins = sides.map { .init(value: $0, isImportant: isImportant) }
    case "marks", "bleed", "page-orientation": break
    case let name:
      guard let side = ["margin-top", "margin-right", "margin-bottom", "margin-left"].firstIndex(of: name) else {
        return rule.page.append(declarations(range))
      }
      if let margin = PageValues(list: list).margin(value) { rule.margins[side] = .init(value: margin, isImportant: isImportant) }
    }
  }

  /// Parses a page selector; nil if invalid. https://drafts.csswg.org/css-page-3/#page-selectors
  private func pageSelector(_ range: Range<Int>) -> (name: ByteString?, classes: [PageRule.PseudoClass])? {
    var classes: [PageRule.PseudoClass] = []
    var index = range.lowerBound
    var name: ByteString?
    if index < range.upperBound, list.kind(index) == .ident {
      name = ByteString(list.string(index))
      index += 1
    }
    while index < range.upperBound {
      guard list.kind(index) == .colon, index + 1 < range.upperBound, list.kind(index + 1) == .ident else { return nil }
      switch list.lowercased(index + 1) {
      case "first": classes.append(.first)
      case "left": classes.append(.left)
      case "right": classes.append(.right)
      case "blank": classes.append(.blank)
      default: return nil
      }
      index += 2
    }
    return (name, classes)
  }
}

/// Parses the values of `@page` descriptors.
struct PageValues {
  let list: TokenList

  /// Parses a value of the `size` descriptor.
  static func size(_ text: String) -> PageRule.Size? {
    let list = TokenList(Tokenizer.tokenize(Array(text.utf8)))
    return PageValues(list: list).size(list.trimmed(0..<list.count))
  }

  static func margins(_ text: String) -> [PageRule.Margin]? {
    let list = TokenList(Tokenizer.tokenize(Array(text.utf8)))
    return PageValues(list: list).margins(list.trimmed(0..<list.count))
  }

  private func words(_ range: Range<Int>) -> [Int] { range.filter { list.kind($0) != .whitespace } }

  /// https://drafts.csswg.org/css-page-3/#page-size-prop
  func size(_ range: Range<Int>) -> PageRule.Size? {
    let words = words(range)
    guard (1...2).contains(words.count) else { return nil }
    let lengths = words.compactMap { length($0) }
    if lengths.count == words.count {
      guard lengths.allSatisfy({ $0 > 0 }), let width = lengths.first, let height = lengths.last else { return nil }
      return .px(width: width, height: height)
    }
    guard lengths.isEmpty, words.allSatisfy({ list.kind($0) == .ident }) else { return nil }
    let names = words.map { list.lowercased($0) }
    if names == ["auto"] { return .auto }
    let orientations = names.compactMap { $0 == "landscape" ? PageRule.Orientation.landscape : $0 == "portrait" ? .portrait : nil }
    let sizes = names.compactMap { PageRule.named($0) }
    guard orientations.count <= 1, sizes.count <= 1, orientations.count + sizes.count == names.count else { return nil }
    guard let size = sizes.first else { return orientations.first.map { .orientation($0) } }
    return orientations.first == .landscape ? .px(width: size.height, height: size.width) : .px(width: size.width, height: size.height)
  }

  /// Parses one to four values, as in `margin`.
  func margins(_ range: Range<Int>) -> [PageRule.Margin]? {
    let words = words(range), values = words.compactMap { margin($0..<$0 + 1) }
    guard values.count == words.count else { return nil }
    return switch values.count {
    case 1: [values[0], values[0], values[0], values[0]]
    case 2: [values[0], values[1], values[0], values[1]]
    case 3: [values[0], values[1], values[2], values[1]]
    case 4: values
    default: nil
    }
  }

  func margin(_ range: Range<Int>) -> PageRule.Margin? {
    let words = words(range)
    guard words.count == 1, let word = words.first else { return nil }
    if list.isIdent(word, "auto") { return .auto }
    if list.kind(word) == .percentage, list[word].number.isFinite { return .percentage(Float(list[word].number)) }
    return length(word).map { .px($0) }
  }

  /// A length in CSS px. Font-relative lengths refer to the initial font.
  private func length(_ index: Int) -> Float? {
    let number = list[index].number
    guard number.isFinite, abs(number) < 1e6 else { return nil }
    if list.kind(index) == .number { return number == 0 ? 0 : nil }
    guard list.kind(index) == .dimension else { return nil }
    let px: Double? =
      switch list.lowercased(index) {
      case "px": 1
      case "in": 96
      case "cm": 96 / 2.54
      case "mm": 96 / 25.4
      case "q": 96 / 101.6
      case "pt": 96.0 / 72
      case "pc": 16
      case "em", "rem": 16
      case "ex", "ch": 8
      default: nil
      }
    return px.map { Float(number * $0) }
  }
}

extension PageRule.Size {
  /// Parses a value of the `size` descriptor, such as `A4 landscape` or `210mm 297mm`; nil if invalid.
  public init?(text: String) {
    guard let size = PageValues.size(text) else { return nil }
    self = size
  }
}

extension PageRule.Margin {
  /// Parses a value of the `margin` descriptor: top, right, bottom and left.
  public static func all(text: String) -> [PageRule.Margin]? { PageValues.margins(text) }
}
