import OffprintCoreTypes

/// The inputs of parsing a substituted value, besides quirks mode.
struct SubstitutedKey: Hashable {
  var written: UInt16
  var text: [UInt8]
  var baseURL: String
}

extension StyleComputer {
  private static let cacheLimit = 4096
  private static let cacheByteLimit = 8 << 20
  private static let customByteLimit = 64 << 20

  /// The custom properties of the element; shared with the parent if the element declares none.
  func computeCustom(
    _ declarations: [CascadedDeclaration], _ parent: ComputedStyle, _ attribute: @escaping (ArraySlice<UInt8>) -> ArraySlice<UInt8>?
  ) -> UnsafePointer<CustomProperties>? {
    let inheritedPointer = parent.record.pointee.custom
    let order = declarations.contains { $0.declaration.property == .custom }
    let hasUninherited = registeredProperties.contains { !$0.value.inherits && inheritedPointer?.pointee.values[$0.key] != nil }
    guard order || hasUninherited else { return inheritedPointer }
    meter.spend(registeredProperties.count + (inheritedPointer?.pointee.values.count ?? 0) >> 1)
    var inherited = inheritedPointer?.pointee ?? CustomProperties()
    for (name, property) in registeredProperties where !property.inherits { inherited.values[name] = nil }
    guard order, customBytes < Self.customByteLimit else { return arena.allocate(inherited) }
    let resolver = CustomPropertyResolver(
      inherited: inherited, names: names, registered: registeredProperties, bytes: Self.customByteLimit - customBytes, meter: meter,
      context: substitutionContext, attribute: attribute)
    var declared: [Name] = []
    for (index, cascaded) in declarations.enumerated() { declare(cascaded, index, declarations, resolver, &declared) }
    resolver.resolveAll(declared)
    usedAttributes = usedAttributes || resolver.usedAttributes
    if resolver.values.values == inherited.values, !hasUninherited { return inheritedPointer ?? arena.allocate(inherited) }
    customBytes += resolver.bytes + resolver.values.values.count * MemoryLayout<(Name, [UInt8])>.stride
    return arena.allocate(resolver.values)
  }

  private func declare(
    _ cascaded: CascadedDeclaration, _ index: Int, _ declarations: [CascadedDeclaration], _ resolver: CustomPropertyResolver,
    _ order: inout [Name]
  ) {
    switch cascaded.declaration.value {
    case .custom(let name, let value):
      resolver.declare(name, value)
      order.append(name)
    case .customWide(let name, .initial): resolver.setInitial(name)
    case .customWide(let name, .inherit): resolver.inherit(name)
    case .customWide(let name, .unset):
      if registeredProperties[name]?.inherits ?? true { resolver.inherit(name) } else { resolver.setInitial(name) }
    case .customWide(let name, let keyword):
      rollBack(name, keyword, cascaded, declarations[..<index], resolver, &order)
    default: break
    }
  }

  private func rollBack(
    _ name: Name, _ keyword: WideKeyword, _ from: CascadedDeclaration, _ earlier: ArraySlice<CascadedDeclaration>,
    _ resolver: CustomPropertyResolver, _ order: inout [Name]
  ) {
    resolver.inherit(name)
    for candidate in earlier.reversed() {
      let isEarlier = candidate.isBefore(from, rollingBack: keyword)
      guard isEarlier else { continue }
      switch candidate.declaration.value {
      case .custom(name, let value):
        resolver.declare(name, value)
        order.append(name)
        return
      case .customWide(name, .initial):
        resolver.setInitial(name)
        return
      case .customWide(name, _): return
      default: continue
      }
    }
  }

  // MARK: Values with substitutions

  /// The value of `property` in a declaration with substitutions; nil if invalid at computed-value time.
  ///
  /// https://drafts.csswg.org/css-variables-1/#invalid-at-computed-value-time
  func resolve(
    _ pending: PendingSubstitution, for property: PropertyID, _ attribute: @escaping (ArraySlice<UInt8>) -> ArraySlice<UInt8>?
  ) -> PropertyValue? {
    let identity = ObjectIdentifier(pending)
    let declarations: [Declaration]
    if let cached = shorthandCache.first(where: { $0.0 == identity }) {
      declarations = cached.1
    } else {
      declarations = parse(pending, attribute)
      shorthandCache.append((identity, declarations))
    }
    for declaration in declarations where declaration.property == property { return declaration.value }
    // Flow-relative longhands are requested by their physical equivalents.
    let text = builder.text.current
    for declaration in declarations {
      if table[declaration.property].logical?.target(text.pointee.writingMode, text.pointee.direction) == property {
        return declaration.value
      }
    }
    if case .wide(let keyword)? = declarations.first?.value, declarations.first?.property == .all { return .wide(keyword) }
    return nil
  }

  private func parse(_ pending: PendingSubstitution, _ attribute: @escaping (ArraySlice<UInt8>) -> ArraySlice<UInt8>?) -> [Declaration] {
    let raw = pending.value
    guard raw.hasSubstitutions else { return parseShorthand(pending.written, raw) }
    let values = custom
    let registered = registeredProperties
    var substitution = Substitution(
      names: names, variable: { values?.pointee.values[$0] ?? registered[$0]?.initialValue }, attribute: attribute, meter: meter,
      context: substitutionContext)
    let text = substitution.substitute(raw.buffer, raw.tokens)
    usedAttributes = usedAttributes || substitution.usedAttributes
    guard let text else { return [] }
    let key = SubstitutedKey(written: pending.written, text: text, baseURL: raw.baseURL)
    if let cached = substituted[key] { return cached }
    let result = parse(text, pending)
    // Values parsed for this element cannot be cached.
    if !result.contains(where: \.isElementBound) { remember(result, key) }
    return result
  }

  private func remember(_ declarations: [Declaration], _ key: SubstitutedKey) {
    if substituted.count >= Self.cacheLimit || substitutedBytes + key.text.count > Self.cacheByteLimit {
      substituted.removeAll(keepingCapacity: true)
      substitutedBytes = 0
    }
    substitutedBytes += key.text.count
    substituted[key] = declarations
  }

  private func parse(_ text: [UInt8], _ pending: PendingSubstitution) -> [Declaration] {
    let buffer = Tokenizer.tokenize(text)
    let tokens = DeclarationParser.trimmed(0..<buffer.tokens.count, buffer)
    let entry = table.entry(pending.written)
    var result: [Declaration] = []
    if let keyword = DeclarationParser.wideKeyword(tokens, buffer) {
      table.forEachLonghand(of: entry) { result.append(Declaration(property: $0, value: .wide(keyword), important: false)) }
      return result
    }
    guard !tokens.isEmpty, case .valid(false) = DeclarationParser.scan(tokens, buffer) else { return [] }
    let raw = RawValue(
      buffer: buffer, tokens: tokens, quirks: pending.value.quirks, baseURL: pending.value.baseURL, hasSubstitutions: false)
    guard DeclarationParser.parse(entry, pending.written, ValueParser(raw, element: nil), { raw }, false, &result) else { return [] }
    if case .pending? = result.first?.value { return parseShorthand(pending.written, raw) }
    return result
  }

  /// Parses a shorthand whose value depends on this element.
  private func parseShorthand(_ written: UInt16, _ raw: RawValue) -> [Declaration] {
    guard case .shorthand(let index) = table.entry(written) else { return [] }
    let shorthand = table.shorthands[index]
    var parser = ValueParser(raw, element: context)
    var values = ShorthandValues(shorthand: shorthand)
    guard shorthand.parse(&parser, &values), parser.isAtEnd() else { return [] }
    return shorthand.longhands.map {
      Declaration(property: $0, value: values[$0] ?? .wide(.initial), important: false, isElementBound: true)
    }
  }
}
