import OffprintCoreTypes

/// Why bytes are not valid JSON.
package enum JSONError: Error, Equatable {
  case malformed
  case notAnObject
  case tooDeep
  case notUTF8
  /// The number as written in the source.
  case numberOutOfRange(String)
  /// An object has two members with the same name, or with canonically equivalent names.
  case duplicateMember(String)

  static let maximumDepth = 256

  /// A predicate for messages, without a subject and a period: `"\(name) \(predicate)."`.
  package var predicate: String {
    switch self {
    case .malformed: "is not valid JSON"
    case .notAnObject: "is not a JSON object"
    case .tooDeep: "is nested deeper than \(Self.maximumDepth) levels"
    case .notUTF8: "contains a string that is not valid UTF-8"
    case .numberOutOfRange(let text):
      "contains the number \(Self.shortened(text)), which is out of range (±1.8e308); write it as a string to keep all digits"
    case .duplicateMember(let name):
      "contains the member \"\(Self.shortened(name))\" more than once (names are compared in Unicode canonical form); remove the duplicate"
    }
  }

  static func shortened(_ text: String) -> String {
    text.utf8.count > 40 ? "\(text.prefix(20))… (\(text.utf8.count) bytes)" : text
  }
}

extension JSONValue {
  /// Parses an object and returns its members.
  ///
  /// - Parameter name: What the bytes are, as the subject of error messages: a file name or an option.
  /// - Throws: `dataInvalid` if the bytes are not valid JSON, or not an object.
  package static func members(_ bytes: [UInt8], of name: String) throws(OffprintError) -> [String: JSONValue] {
    let value: JSONValue
    do {
      value = try JSONValue(checking: bytes)
    } catch {
      throw OffprintError(.dataInvalid, "\(name) \(error.predicate).")
    }
    guard case .object(let members) = value else { throw OffprintError(.dataInvalid, "\(name) \(JSONError.notAnObject.predicate).") }
    return members
  }
}
