import OffprintCoreTypes
import Glibc
import Offprint

/// A pattern such as `{sku}-{width}.png` that makes the names of images from the fields of rows.
struct NamePattern: Sendable {
  private enum Part: Sendable {
    case text(String)
    /// A field, with the minimum number of digits.
    case field(String, digits: Int)
  }

  private let parts: [Part]
  private let hasExtension: Bool

  /// The fields it uses.
  var fields: Set<String> {
    Set(parts.compactMap { part in if case .field(let name, _) = part { name } else { nil } })
  }

  /// - Throws: `usage` for an invalid pattern, or one that leads out of the folder.
  init(_ pattern: String) throws(OffprintError) {
    var parts: [Part] = []
    var text = ""
    var rest = pattern[...]
    while let character = rest.popFirst() {
      switch character {
      case "{" where rest.first == "{", "}" where rest.first == "}": text.append(rest.removeFirst())
      case "{":
        guard let end = rest.firstIndex(ofByte: "}"), let field = Self.field(rest[..<end]) else {
          throw OffprintError(
            .usage, "--name: '{' begins a field such as {id} or {number:04}, which must end with '}'; write '{{' for a brace.")
        }
        parts += [.text(text), field]
        text = ""
        rest = rest[rest.index(after: end)...]
      case "}": throw OffprintError(.usage, "--name: '}' without '{'; write '}}' for a brace.")
      default: text.append(character)
      }
    }
    hasExtension = text.contains(".") && !text.hasSuffix("/")
    self.parts = parts + [.text(text)]
    let sample = self.parts.map { part in if case .text(let text) = part { text } else { "x" } }.joined() + (hasExtension ? "" : ".png")
    if let problem = Self.problem(sample) { throw OffprintError(.usage, "--name \(problem).") }
  }

  private static func field(_ text: Substring) -> Part? {
    let halves = text.split(byte: ":", maxSplits: 1, omittingEmptySubsequences: false)
    guard let name = halves.first, !name.isEmpty, !name.contains("{") else { return nil }
    guard halves.count == 2 else { return .field(String(name), digits: 0) }
    guard halves[1].hasPrefix("0"), let digits = Int(halves[1]), (1...20).contains(digits) else { return nil }
    return .field(String(name), digits: digits)
  }

  /// - Parameters:
  ///   - ending: The extension for a name without one.
  ///   - value: The value of a field; nil if it has none.
  /// - Throws: `dataInvalid` for an invalid file name.
  func path(_ place: String, ending: String, _ value: (String) -> String?) throws(OffprintError) -> String {
    var path = ""
    var isInNoFolder = false
    for part in parts {
      switch part {
      case .text(let text):
        // Omits the separator after an empty folder.
        path += isInNoFolder && text.hasPrefix("/") ? String(text.dropFirst()) : text
      case .field(let name, let digits):
        guard let value = value(name) else {
          throw OffprintError(.dataInvalid, "\(place) has no field '\(name)', which --name uses.")
        }
        path += String(repeating: "0", count: max(0, digits - value.count)) + value
        isInNoFolder = path.isEmpty
      }
    }
    if !hasExtension { path += "." + ending }
    if let problem = Self.problem(path) { throw OffprintError(.dataInvalid, "\(place): --name \(problem).") }
    return path
  }

  /// Why a path is not allowed in the output folder; nil if it is allowed.
  private static func problem(_ path: String) -> String? {
    let shown = "expands to '\(Sentence.fit(path).prefix(bytes: 100))'"
    let parts = path.split(byte: "/", omittingEmptySubsequences: false)
    if path.hasPrefix("/") { return "\(shown), which is outside --output" }
    if parts.contains("..") || parts.contains(".") { return "\(shown), which contains '.' or '..'" }
    if parts.contains("") { return "\(shown), which contains an empty name" }
    if path.unicodeScalars.contains(where: { $0.value < 0x20 || (0x7F...0x9F).contains($0.value) }) {
      return "\(shown), which has control characters"
    }
    if parts.contains(where: { $0.utf8.count > Int(NAME_MAX) - 24 }) || path.utf8.count > Int(PATH_MAX) / 2 {
      return "\(shown), which is too long for a file name"
    }
    return nil
  }
}
