/// A value in a configuration file.
///
/// https://toml.io/en/v1.0.0
package enum TOMLValue: Hashable, Sendable {
  case string(String)
  case integer(Int)
  case float(Double)
  case bool(Bool)
  case array([TOMLValue])
  /// An inline table, in the order of the file.
  case table([Member])

  package struct Member: Hashable, Sendable {
    package var key: String
    package var value: TOMLValue
    package init(_ key: String, _ value: TOMLValue) { self.key = key; self.value = value }
  }

  /// As command-line arguments: an array's elements in sequence, a table's members as `key=value`.
  package var texts: [String] {
    switch self {
    case .string(let text): [text]
    case .integer(let number): ["\(number)"]
    case .float(let number): [number == number.rounded() && abs(number) <= 0x1p53 ? "\(Int(number))" : "\(number)"]
    case .bool(let value): ["\(value)"]
    case .array(let values): values.flatMap(\.texts)
    case .table(let members): members.flatMap { member in member.value.texts.map { "\(member.key)=\($0)" } }
    }
  }
}

/// An error in a configuration file.
package struct ConfigurationError: Error, Hashable, Sendable {
  /// From 1; nil for the file as a whole.
  package var line: Int?
  /// A sentence without its period.
  package var message: String
  package init(line: Int? = nil, _ message: String) { self.line = line; self.message = message }
}
