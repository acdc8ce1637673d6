import OffprintCoreTypes

/// Computes the custom properties of one element: substitutes references and detects cycles.
///
/// https://drafts.csswg.org/css-variables-1/#cycles
final class CustomPropertyResolver {
  private enum State {
    case declared(RawValue)
    case computing, done
  }
  private var states: [Name: State] = [:]
  private var stack: [Name] = []
  private var cyclic: Set<Name> = []
  private(set) var values: CustomProperties
  private(set) var usedAttributes = false
  private let names: NameInterner
  private let registered: [Name: RegisteredProperty]
  private let attribute: (ArraySlice<UInt8>) -> ArraySlice<UInt8>?
  private let inherited: CustomProperties
  /// Total bytes of computed values.
  private(set) var bytes = 0
  private let byteLimit: Int
  private let meter: WorkMeter
  private let context: SubstitutionContext?
  /// Longer chains of references are invalid.
  private static let chainLimit = 128

  init(
    inherited: CustomProperties, names: NameInterner, registered: [Name: RegisteredProperty], bytes: Int, meter: WorkMeter,
    context: SubstitutionContext?,
    attribute: @escaping (ArraySlice<UInt8>) -> ArraySlice<UInt8>?
  ) {
    self.inherited = inherited
    byteLimit = bytes
    self.meter = meter
    self.context = context
    values = inherited
    self.names = names
    self.registered = registered
    self.attribute = attribute
  }

  func declare(_ name: Name, _ value: RawValue) { states[name] = .declared(value) }
  func setInitial(_ name: Name) {
    values.values[name] = registered[name]?.initialValue
    states[name] = nil
  }
  func inherit(_ name: Name) {
    values.values[name] = inherited.values[name]
    states[name] = nil
  }

  func resolveAll(_ order: [Name]) { for name in order { _ = resolve(name) } }

  private func resolve(_ name: Name) -> [UInt8]? {
    guard let state = states[name] else { return values.values[name] ?? registered[name]?.initialValue }
    switch state {
    case .done: return values.values[name]
    case .computing:
      // All properties since the first occurrence are part of the cycle.
      if let start = stack.firstIndex(of: name) { cyclic.formUnion(stack[start...]) }
      return nil
    case .declared(let raw):
      guard stack.count < Self.chainLimit, bytes < byteLimit else { return nil }
      states[name] = .computing
      stack.append(name)
      var substitution = Substitution(names: names, variable: { self.resolve($0) }, attribute: attribute, meter: meter, context: context)
      var result = substitution.substitute(raw.buffer, raw.tokens)
      usedAttributes = usedAttributes || substitution.usedAttributes
      stack.removeLast()
      if cyclic.contains(name) { result = nil }
      bytes += result?.count ?? 0
      finish(name, result)
      states[name] = .done
      return values.values[name]
    }
  }

  private func finish(_ name: Name, _ text: [UInt8]?) {
    guard let registration = registered[name] else {
      values.values[name] = text.flatMap { Self.wideKeyword($0) == nil ? $0 : self.substituted(name, $0) }
      return
    }
    let isValid = text.map { registration.accepts($0) } ?? false
    values.values[name] =
      isValid ? text : registration.inherits ? inherited.values[name] ?? registration.initialValue : registration.initialValue
  }

  /// The value for a CSS-wide keyword that results from substitution.
  private func substituted(_ name: Name, _ text: [UInt8]) -> [UInt8]? {
    Self.wideKeyword(text) == .initial ? nil : inherited.values[name]
  }

  private static func wideKeyword(_ text: [UInt8]) -> WideKeyword? {
    guard text.count < 40 else { return nil }
    let buffer = Tokenizer.tokenize(text)
    return DeclarationParser.wideKeyword(DeclarationParser.trimmed(0..<buffer.tokens.count, buffer), buffer)
  }
}
