import OffprintCoreTypes

/// Why bytes are not a value of JSON.
package enum JSONFault: Error, Equatable {
  case malformed
  case tooDeep
  case notUTF8
  /// The number as it is written.
  case numberOutOfRange(String)
  /// The name of a member that an object has twice, or names that Unicode takes for the same text.
  case repeatedMember(String)

  static let mostDepth = 256

  /// What follows the name of the text that was read, in a message.
  package var problem: String {
    switch self {
    case .malformed: "is not a JSON object"
    case .tooDeep: "is nested deeper than \(Self.mostDepth)"
    case .notUTF8: "has text that is not UTF-8"
    case .numberOutOfRange(let text):
      "has the number \(Self.shown(text)), which is out of range (at most 1.8e308 either side of 0); put it in quotes to keep it as text"
    case .repeatedMember(let name): "has the member \"\(Self.shown(name))\" twice; which one is meant cannot be known"
    }
  }

  static func shown(_ number: String) -> String {
    number.utf8.count > 40 ? "\(number.prefix(20))… (\(number.utf8.count) characters)" : number
  }
}

extension JSONValue {
  /// The members of an object.
  ///
  /// - Parameter name: of the text that is read, at the start of the message.
  /// - Throws: `dataInvalid`.
  package static func members(_ bytes: [UInt8], of name: String) throws(OffprintError) -> [String: JSONValue] {
    let value: JSONValue
    do {
      value = try JSONValue(checking: bytes)
    } catch {
      throw OffprintError(.dataInvalid, "\(name) \(error.problem).")
    }
    guard case .object(let members) = value else { throw OffprintError(.dataInvalid, "\(name) \(JSONFault.malformed.problem).") }
    return members
  }
}
