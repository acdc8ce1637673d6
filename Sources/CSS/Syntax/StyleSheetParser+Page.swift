import CoreTypes

extension StyleSheetParser {
  private static let mostPageRules = 1000

  /// https://drafts.csswg.org/css-page-3/#at-page-rule
  mutating func consumePage(_ prelude: Range<Int>, _ open: Int) {
    let selectors = prelude.isEmpty ? [[]] : list.split(prelude, at: .comma).map { pageSelector(list.trimmed($0)) }
    guard selectors.allSatisfy({ $0 != nil }) else { return report(.invalidAtRule, "The rule is not valid", prelude) }
    var rule = PageRule()
    for (name, value) in descriptors(open) {
      var value = value
      let isImportant = removeImportant(&value)
      switch name {
      case "size": if let size = PageValues(list: list).size(value) { rule.size = .init(value: size, isImportant: isImportant) }
      case "margin":
        guard let sides = PageValues(list: list).margins(value) else { continue }
        rule.margins = sides.map { .init(value: $0, isImportant: isImportant) }
      default:
        guard let side = ["margin-top", "margin-right", "margin-bottom", "margin-left"].firstIndex(of: name),
          let margin = PageValues(list: list).margin(value)
        else { continue }
        rule.margins[side] = .init(value: margin, isImportant: isImportant)
      }
    }
    for case let classes?? in selectors where builder.pageRules.count < Self.mostPageRules {
      rule.pseudoClasses = classes
      builder.pageRules.append(rule)
    }
  }

  /// The pseudo-classes of a selector; nil where it is not valid, and nil in it for one with the name of a page: no page has a name.
  private func pageSelector(_ range: Range<Int>) -> [PageRule.PseudoClass]?? {
    var classes: [PageRule.PseudoClass] = []
    var index = range.lowerBound, isNamed = false
    if list.kind(index) == .ident {
      isNamed = true
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
    return isNamed ? .some(nil) : classes
  }
}

/// Values of descriptors of `@page`.
struct PageValues {
  let list: TokenList

  /// A size as in `size`, from a text of its own.
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

  /// One to four, as in `margin`.
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

  /// CSS px. Font-relative lengths are those of the initial font.
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
  /// What `size` would be, as in `A4 landscape` or `210mm 297mm`; nil for anything else.
  public init?(text: String) {
    guard let size = PageValues.size(text) else { return nil }
    self = size
  }
}

extension PageRule.Margin {
  /// What `margin` would be: top, right, bottom and left.
  public static func all(text: String) -> [PageRule.Margin]? { PageValues.margins(text) }
}
