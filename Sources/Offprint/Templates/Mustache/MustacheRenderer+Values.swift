import OffprintCoreTypes

extension MustacheRenderer {
  // MARK: Values

  /// - Returns: Nil if there is no such value.
  mutating func transformed(_ reference: MustacheTemplate.Reference) throws -> JSONValue? {
    if reference.path.isEmpty, let transform = reference.transforms.first, isPlace(transform) { return place(reference) }
    var value = value(of: reference)
    for transform in reference.transforms {
      if let value { try step(value.size) }
      value = value.flatMap { MustacheTransform.apply(transform, to: $0) }
    }
    return value
  }

  func value(of reference: MustacheTemplate.Reference) -> JSONValue? {
    reference.path.isEmpty ? contexts.last : found(reference)
  }

  /// The innermost context that has the first name determines the value.
  private func found(_ reference: MustacheTemplate.Reference) -> JSONValue? {
    guard let first = reference.path.first else { return nil }
    let owners = reference.isLocal ? contexts.suffix(1) : contexts[...]
    if let start = owners.reversed().lazy.compactMap({ $0[first] }).first,
      let value = reference.path.dropFirst().reduce(start, { value, name in value.flatMap { $0[name] } })
    {
      return value
    }
    // Column names of tables may contain dots.
    guard reference.path.count > 1 else { return nil }
    let name = reference.path.joined(separator: ".")
    return owners.reversed().lazy.compactMap { $0[name] }.first
  }

  private func isPlace(_ transform: String) -> Bool { ["first", "last", "index", "even", "odd"].contains(transform) }

  /// `first()`, `last()`, `index()`, `even()`, `odd()`: the position of an item in its list.
  private func place(_ reference: MustacheTemplate.Reference) -> JSONValue? {
    guard let place = places.last, reference.transforms.count == 1 else { return nil }
    return switch reference.transforms[0] {
    case "first": .bool(place.index == 0)
    case "last": .bool(place.index == place.count - 1)
    case "index": .number(Double(place.index))
    case "even": .bool(place.index & 1 == 0)
    default: .bool(place.index & 1 == 1)
    }
  }
}

extension JSONValue {
  /// The size of the value, as the cost of a transform.
  fileprivate var size: Int {
    switch self {
    case .array(let items): items.count
    case .string(let text): text.utf8.count
    case .null, .bool, .number, .integer, .object: 1
    }
  }
}
