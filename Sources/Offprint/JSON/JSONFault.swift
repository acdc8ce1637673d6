import OffprintCoreTypes

/// Why bytes are not valid JSON.
package enum JSONError: Error, Equatable {
  case malformed
  case tooDeep
  case notUTF8
  /// The number as it was written.
  case numberOutOfRange(String)
  /// A repeated member of an object, or members whose names are canonically equivalent.
  case repeatedMember(String)

  static let maximumDepth = 256

  /// The end of a message whose subject is the parsed text.
  package var problem: String {
    switch self {
    case .malformed: "is not a JSON object"
    case .tooDeep: "is nested deeper than \(Self.maximumDepth)"
    case .notUTF8: "has text that is not UTF-8"
    case .numberOutOfRange(let text):
      "has the number \(Self.shown(text)), which is out of range (at most 1.8e308 either side of 0); put it in quotes to keep it as text"
    case .repeatedMember(let name): "has the member \"\(Self.shown(name))\" twice; remove one"
    }
  }

  static func shown(_ number: String) -> String {
    number.utf8.count > 40 ? "\(number.prefix(20))… (\(number.utf8.count) characters)" : number
  }
}

extension JSONValue {
  /// Parses an object and returns its members.
  ///
  /// - Parameter name: The name of the text, for messages.
  /// - Throws: `dataInvalid`.
  package static func members(_ bytes: [UInt8], of name: String) throws(OffprintError) -> [String: JSONValue] {
    let value: JSONValue
    do {
      value = try JSONValue(checking: bytes)
    } catch {
      throw OffprintError(.dataInvalid, "\(name) \(error.problem).")
    }
    guard case .object(let members) = value else { throw OffprintError(.dataInvalid, "\(name) \(JSONError.malformed.problem).") }
    return members
  }
}
