import OffprintCoreTypes

/// A small JSON implementation without Foundation, which writes objects in a fixed order.
///
/// https://www.rfc-editor.org/rfc/rfc8259
package enum JSONValue: Hashable, Sendable {
  case null
  case bool(Bool)
  /// Any number with a fraction or an exponent, or an integer that `Double` represents exactly.
  case number(Double)
  /// An integer beyond 2^53, with all its digits.
  case integer(JSONInteger)
  case string(String)
  case array([JSONValue])
  case object([String: JSONValue])

  /// - Returns: Nil for input that `init(checking:)` rejects.
  package init?(parsing bytes: [UInt8]) {
    guard let value = try? JSONValue(checking: bytes) else { return nil }
    self = value
  }

  package init(checking bytes: [UInt8]) throws(JSONError) {
    var parser = JSONParser(bytes)
    guard let value = parser.document() else { throw parser.fault }
    self = value
  }

  /// A decimal number as JSON, YAML and command lines write it. Integers keep all digits.
  ///
  /// - Returns: Nil for text that is not a number, or is beyond the range of `Double`.
  package init?(decimal text: String) {
    if let integer = JSONInteger(text) {
      self = .integer(integer)
      return
    }
    guard let value = Double(decimal: text) else { return nil }
    self = .number(value)
  }

  package subscript(key: String) -> JSONValue? { if case .object(let object) = self { object[key] } else { nil } }
  package var string: String? { if case .string(let text) = self { text } else { nil } }
  /// Integers beyond 2^53 are rounded.
  package var number: Double? {
    switch self {
    case .number(let number): number
    case .integer(let integer): integer.rounded
    default: nil
    }
  }
  package var bool: Bool? { if case .bool(let bool) = self { bool } else { nil } }

  /// The value as JSON, with members sorted by name.
  package var text: String {
    switch self {
    case .null: "null"
    case .bool(let value): value ? "true" : "false"
    case .number(let value): JSONText.number(value)
    case .integer(let value): value.digits
    case .string(let value): JSONText.string(value)
    case .array(let values): "[\(values.map(\.text).joined(separator: ","))]"
    case .object(let values):
      "{\(values.keys.sorted().map { "\(JSONText.string($0)):\(values[$0, default: .null].text)" }.joined(separator: ","))}"
    }
  }
}
