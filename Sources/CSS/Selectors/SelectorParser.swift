import OffprintCoreTypes
import OffprintDOM

/// The namespaces declared in a style sheet. https://drafts.csswg.org/css-namespaces-3/
struct NamespaceMap {
  var defaultNamespace: Namespace?
  var prefixes: [[UInt8]: Namespace] = [:]

  static func namespace(_ url: ArraySlice<UInt8>) -> Namespace {
    switch String(decoding: url, as: UTF8.self) {
    case "": .none
    case "http://www.w3.org/1999/xhtml": .html
    case "http://www.w3.org/2000/svg": .svg
    case "http://www.w3.org/1998/Math/MathML": .mathML
    case "http://www.w3.org/1999/xlink": .xlink
    case "http://www.w3.org/XML/1998/namespace": .xml
    case "http://www.w3.org/2000/xmlns/": .xmlns
    default: .other
    }
  }
}

/// Parses selectors into a `SelectorStore`.
///
/// https://drafts.csswg.org/selectors-4/#grammar
struct SelectorParser {
  enum Mode {
    case normal
    /// In `:has()`: relative to the anchor.
    case relative
    /// In a style rule: relative to the selector list `nesting` of that rule. In `@scope`: relative to the scoping root.
    case nested
    /// In `@scope … to`: relative to the scoping root if the selector starts with a combinator.
    case limit
  }

  let list: TokenList
  let names: NameInterner
  let quirks: Bool
  var namespaces = NamespaceMap()
  /// Index of the selector list for `&`; nil at top level and directly in `@scope`, where `&` is `:scope`.
  var nesting: UInt32?
  var store: SelectorStore
  var meter: WorkMeter?
  /// Whether invalid selectors in `:is()` and `:where()` are ignored. In `@supports` they are not.
  var isForgiving = true
  /// Whether the parser is inside the argument of `:has()`, which cannot be nested.
  var isInsideHas = false
  /// The parts of the current selector in source order; nested lists use the space after it.
  private var scratch: [SelectorPart] = []
  var position = 0
  var end = 0
  var depth = 0
  /// The state of the current selector.
  var current = Progress()

  struct Progress {
    var specificity = Specificity()
    var pseudo = SelectorHead.noPseudo
    var variant = ScrollPartVariant()
    var usesNesting = false
    /// The reach of the current compound selector.
    var reach = SelectorReach.own
    /// Whether the current compound selector starts with `*`.
    var isUniversal = false
    /// Whether the selector contains `::slotted()` or `::part()`, which match elements of other trees.
    var isElsewhere: Bool { !reach.isDisjoint(with: [.slotted, .part]) }
  }

  static let maximumDepth = 32
  static let maximumParts = 2048

  init(list: TokenList, names: NameInterner, quirks: Bool, store: SelectorStore) {
    self.list = list
    self.names = names
    self.quirks = quirks
    self.store = store
  }

  /// Parses a selector list; nil if a selector is invalid. Forgiving lists ignore invalid selectors.
  mutating func parseList(_ range: Range<Int>, mode: Mode, forgiving: Bool = false, allowsPseudoElements: Bool = false) -> [SelectorHead]? {
    guard depth < Self.maximumDepth else { return nil }
    let forgiving = forgiving && isForgiving
    depth += 1
    let saved = (position, end, current)
    defer {
      depth -= 1
      (position, end, current) = saved
    }
    var heads: [SelectorHead] = []
    let trimmed = list.trimmed(range)
    if trimmed.isEmpty { return forgiving ? [] : nil }
    var start = trimmed.lowerBound
    while start <= trimmed.upperBound {
      guard meter?.spend(8) ?? true else { return nil }
      let part = start..<list.next(.comma, start..<trimmed.upperBound)
      start = part.upperBound + 1
      let mark = scratch.count
      current = Progress()
      position = part.lowerBound
      end = part.upperBound
      let isValid =
        parseComplex(mode) && (allowsPseudoElements || current.pseudo == SelectorHead.noPseudo && !current.isElsewhere)
      if isValid { heads.append(finish(from: mark)) }
      scratch.removeLast(scratch.count - mark)
      if !isValid, !forgiving { return nil }
    }
    return heads
  }

  // MARK: Complex selectors

  /// Parses a complex selector and appends its parts to `scratch`.
  private mutating func parseComplex(_ mode: Mode) -> Bool {
    let mark = scratch.count
    skipWhitespace()
    if mode == .relative || mode == .nested || mode == .limit && combinator != nil { appendStart(mode) }
    while true {
      (current.reach, current.isUniversal) = (.own, false)
      guard scratch.count - mark < Self.maximumParts, parseCompound() else { return false }
      let hadSpace = list.kind(position) == .whitespace
      skipWhitespace()
      guard position < end else { break }
      guard current.pseudo == SelectorHead.noPseudo, !current.isElsewhere else { return false }
      if let combinator = parseCombinator() {
        scratch.append(SelectorPart(combinator))
      } else if hadSpace {
        scratch.append(SelectorPart(.descendant))
      } else {
        return false
      }
    }
    // A nested selector that contains `&` and does not start with a combinator is not relative.
    if mode == .nested, current.usesNesting, scratch[mark].kind == .matchesAny || scratch[mark].kind == .scope,
      scratch[mark].flag == Self.impliedFlag, scratch[mark + 1].kind == .descendant, scratch[mark + 1].flag == Self.impliedFlag
    {
      scratch.removeSubrange(mark..<(mark + 2))
    } else if mode == .nested {
      current.specificity = current.specificity + (nesting.map { store.maximumSpecificity($0) } ?? Specificity())
    }
    return true
  }

  private static let impliedFlag: UInt8 = 1

  /// Appends the anchor or `&` with which a relative selector starts.
  private mutating func appendStart(_ mode: Mode) {
    var anchor = mode == .relative ? SelectorPart(.anchor) : nestingPart()
    anchor.flag = Self.impliedFlag
    scratch.append(anchor)
    if let combinator = parseCombinator() {
      scratch.append(SelectorPart(combinator))
    } else {
      scratch.append(SelectorPart(.descendant, flag: Self.impliedFlag))
    }
  }

  func nestingPart() -> SelectorPart { nesting.map { SelectorPart(.matchesAny, extra: $0) } ?? SelectorPart(.scope) }

  private var combinator: SelectorPart.Kind? {
    guard position < end, list.kind(position) == .delim else { return nil }
    switch list[position].delimiter {
    case 0x3E: return .child
    case 0x2B: return .nextSibling
    case 0x7E: return .subsequentSibling
    default: return nil
    }
  }

  private mutating func parseCombinator() -> SelectorPart.Kind? {
    guard let kind = combinator else { return nil }
    position += 1
    skipWhitespace()
    return kind
  }

  mutating func skipWhitespace() {
    while position < end, list.kind(position) == .whitespace { position += 1 }
  }

  /// Moves the parts after `mark` into the store, compound selectors from right to left.
  private mutating func finish(from mark: Int) -> SelectorHead {
    let start = store.parts.count
    var compoundEnd = scratch.count
    var index = compoundEnd - 1
    while index >= mark {
      if scratch[index].isCombinator {
        store.parts.append(contentsOf: scratch[(index + 1)..<compoundEnd])
        store.parts.append(scratch[index])
        compoundEnd = index
      }
      index -= 1
    }
    store.parts.append(contentsOf: scratch[mark..<compoundEnd])
    var head = SelectorHead(
      start: UInt32(truncatingIfNeeded: start), end: UInt32(truncatingIfNeeded: store.parts.count), specificity: current.specificity,
      pseudo: current.pseudo)
    head.reach = current.reach
    head.variant = current.variant
    head.ancestorHashes = ancestorHashes(start..<store.parts.count)
    return head
  }

  private func ancestorHashes(_ range: Range<Int>) -> (UInt32, UInt32, UInt32) {
    var hashes: (UInt32, UInt32, UInt32) = (0, 0, 0)
    var isAncestor = false
    for index in range where hashes.2 == 0 {
      let part = store.parts[index]
      switch part.kind {
      case .descendant, .child, .slotAssignment, .partOwner: isAncestor = true
      case .nextSibling, .subsequentSibling: isAncestor = false
      case .anchor: return (0, 0, 0)
      case .id, .class: if isAncestor { hashes = (AncestorFilter.hash(part.kind, part.name), hashes.0, hashes.1) }
      case .type: if isAncestor, part.name.raw == part.extra { hashes = (AncestorFilter.hash(.type, part.name), hashes.0, hashes.1) }
      default: break
      }
    }
    return hashes
  }

  // MARK: Compound selectors

  private mutating func parseCompound() -> Bool {
    let start = position
    guard parseType() else { return false }
    while position < end, current.pseudo != SelectorHead.neverMatches || list.kind(position) == .colon {
      switch list.kind(position) {
      case .hash:
        guard list[position].isIntegerOrID, allowsSimpleSelectors else { return false }
        add(SelectorPart(.id, name: caseFolded(list.value(position))), Specificity(1, 0, 0))
        position += 1
      case .delim where list.isDelimiter(position, "."):
        guard position + 1 < end, list.kind(position + 1) == .ident, allowsSimpleSelectors else { return false }
        add(SelectorPart(.class, name: caseFolded(list.value(position + 1))), Specificity(0, 1, 0))
        position += 2
      case .delim where list.isDelimiter(position, "&"):
        addNesting()
        position += 1
      case .openSquare:
        guard allowsSimpleSelectors, parseAttribute() else { return false }
      case .colon: guard parsePseudo() else { return false }
      default: return position > start
      }
    }
    return position > start
  }

  private var allowsSimpleSelectors: Bool { current.pseudo == SelectorHead.noPseudo && !current.isElsewhere }

  mutating func add(_ part: SelectorPart, _ specificity: Specificity) {
    scratch.append(part)
    current.specificity = current.specificity + specificity
  }

  private mutating func addNesting() {
    current.usesNesting = true
    if let nesting { reachHost(of: nesting) }
    if isInsideHas, let nesting, store.usesHas(nesting) { return add(SelectorPart(.never), store.maximumSpecificity(nesting)) }
    add(nestingPart(), nesting.map { store.maximumSpecificity($0) } ?? Specificity())
  }

  /// In quirks mode classes and IDs match ASCII case-insensitively, so both sides are interned in lowercase.
  private func caseFolded(_ bytes: ArraySlice<UInt8>) -> Name { quirks ? names.internLowercased(bytes) : names.table.intern(bytes) }

  /// Parses an optional type selector with an optional namespace prefix. Returns false if the prefix is not declared.
  private mutating func parseType() -> Bool {
    guard position < end else { return true }
    let isName = list.kind(position) == .ident || list.isDelimiter(position, "*")
    let bar = isName ? position + 1 : position
    let hasPrefix =
      bar + 1 < end && list.isDelimiter(bar, "|") && (list.kind(bar + 1) == .ident || list.isDelimiter(bar + 1, "*"))
    guard isName || hasPrefix else {
      if let namespace = namespaces.defaultNamespace, !isInsideFunction { scratch.append(namespacePart(namespace)) }
      return true
    }
    if hasPrefix {
      guard let allowed = prefix(at: position, hasName: isName) else { return false }
      if let namespace = allowed.namespace { scratch.append(namespacePart(namespace)) }
      position = bar + 1
    } else if let namespace = namespaces.defaultNamespace {
      scratch.append(namespacePart(namespace))
    }
    if list.kind(position) == .ident {
      let name = names.table.intern(list.value(position))
      let lower = names.internLowercased(list.value(position))
      add(SelectorPart(.type, name: lower, extra: name.raw), Specificity(0, 0, 1))
    } else {
      current.isUniversal = true
    }
    position += 1
    return true
  }

  var isInsideFunction: Bool { depth > 1 }

  private func namespacePart(_ namespace: Namespace) -> SelectorPart { SelectorPart(.namespace, flag: namespace.rawValue) }

  /// The namespace for a prefix, with nil inside for `*`; nil if the prefix is not declared.
  func prefix(at index: Int, hasName: Bool) -> (namespace: Namespace?, Void)? {
    if !hasName { return (Namespace.none, ()) }
    if list.isDelimiter(index, "*") { return (nil, ()) }
    return namespaces.prefixes[Array(list.value(index))].map { ($0, ()) }
  }

  // MARK: Attribute selectors

  /// https://drafts.csswg.org/selectors-4/#typedef-attribute-selector
  private mutating func parseAttribute() -> Bool {
    let range = list.trimmed(list.contents(position))
    let after = list.skip(position)
    guard list.kind(list.blockEnd(position)) == .closeSquare || list.blockEnd(position) == list.count else { return false }
    var index = range.lowerBound
    var namespace: Namespace? = Namespace.none
    let isStar = list.isDelimiter(index, "*")
    let bar = list.kind(index) == .ident || isStar ? index + 1 : index
    if bar + 1 < range.upperBound, list.isDelimiter(bar, "|"), list.kind(bar + 1) == .ident {
      guard let allowed = prefix(at: index, hasName: bar > index) else { return false }
      namespace = allowed.namespace
      index = bar + 1
    }
    guard index < range.upperBound, list.kind(index) == .ident else { return false }
    var test = AttributeTest(
      name: names.table.intern(list.value(index)), lowerName: names.internLowercased(list.value(index)), namespace: namespace,
      operation: .exists)
    index = list.skipWhitespace(index + 1)
    if index < range.upperBound {
      guard parseAttributeValue(from: index, to: range.upperBound, &test) else { return false }
    }
    store.attributes.append(test)
    add(
      SelectorPart(.attribute, name: test.lowerName, extra: UInt32(truncatingIfNeeded: store.attributes.count - 1)), Specificity(0, 1, 0))
    position = min(after, end)
    return true
  }

  private mutating func parseAttributeValue(from start: Int, to limit: Int, _ test: inout AttributeTest) -> Bool {
    var index = start
    guard list.kind(index) == .delim else { return false }
    switch list[index].delimiter {
    case 0x3D: test.operation = .equals
    case 0x7E: test.operation = .includes
    case 0x7C: test.operation = .dashMatch
    case 0x5E: test.operation = .prefix
    case 0x24: test.operation = .suffix
    case 0x2A: test.operation = .substring
    default: return false
    }
    if test.operation != .equals {
      index += 1
      guard index < limit, list.isDelimiter(index, "=") else { return false }
    }
    index = list.skipWhitespace(index + 1)
    guard index < limit, list.kind(index) == .ident || list.kind(index) == .string else { return false }
    test.value = store.addText(list.value(index))
    test.isCaseInsensitiveInHTML = CaseInsensitiveAttributes.contains(test.lowerName)
    index = list.skipWhitespace(index + 1)
    guard index < limit else { return true }
    if list.isIdent(index, "i") {
      test.ignoresCase = true
    } else if list.isIdent(index, "s") {
      test.ignoresCase = false
    } else {
      return false
    }
    return list.skipWhitespace(index + 1) >= limit
  }
}
