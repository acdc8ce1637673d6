import Offprint
import OffprintConfiguration

/// A kind of image with a short URL: a template with options, from the table `[serve.preset.NAME]` of the configuration file.
struct Preset: Sendable, Equatable {
  struct Field: Sendable, Equatable {
    var name: String
    var value: JSONValue
  }

  var name: String
  /// Fields of a job, among them the template.
  var fields: [Field] = []
  /// The path of the image that replaces one that cannot be rendered.
  var fallback: String?
  var fallbackStatus = 200
  var fallbackMaxAge = 60
  /// `max-age` of images; nil for the service's.
  var maxAge: Int?
  var staleWhileRevalidate: Int?
  /// `max-age` of errors and degraded images.
  var errorMaxAge = 10

  /// The presets of a configuration file, in order. Relative paths are resolved against the file's folder.
  static func presets(_ file: ConfigurationFile) throws(ConfigurationError) -> [Preset] {
    var presets: [Preset] = []
    for entry in file.entries where entry.table.first == "serve" && entry.table.count > 1 {
      guard entry.table.count == 3, entry.table[1] == "preset" else {
        throw ConfigurationError(line: entry.line, "the service has no table '\(entry.table.joined(separator: "."))'")
      }
      let name = entry.table[2]
      guard !name.isEmpty, name.utf8.count <= 64, name.utf8.allSatisfy(isNameByte) else {
        throw ConfigurationError(line: entry.line, "the name of a preset must be 1 to 64 letters, digits, '-' and '_'")
      }
      let index = presets.firstIndex { $0.name == name } ?? presets.count
      if index == presets.count { presets.append(Preset(name: name)) }
      do throws(ConfigurationError) {
        try presets[index].set(entry.name, entry.value, file.folder)
      } catch {
        throw ConfigurationError(line: entry.line, error.message)
      }
    }
    for preset in presets where !preset.fields.contains(where: { $0.name == "template" }) {
      throw ConfigurationError(line: nil, "the preset '\(preset.name)' requires 'template'")
    }
    return presets
  }

  private static func isNameByte(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2D, 0x5F: true
    default: false
    }
  }

  private static let own = ["fallback", "fallback-status", "fallback-max-age", "max-age", "stale-while-revalidate", "error-max-age"]
  /// Fields of a job that are different for each image, or that name a page.
  private static let excluded = ["id", "html", "tree", "url", "data", "identifier", "tag", "tags", "refresh", "no-cache", "webhook"]

  private mutating func set(_ name: String, _ value: TOMLValue, _ folder: String) throws(ConfigurationError) {
    func seconds() throws(ConfigurationError) -> Int {
      guard let text = value.texts.first, let seconds = Quantity.seconds(text) else {
        throw ConfigurationError(line: nil, "'\(name)' must be a time such as 30s or 1d")
      }
      return Int(seconds)
    }
    switch name {
    case "fallback":
      guard case .string(let path) = value else { throw ConfigurationError(line: nil, "'fallback' must be the path of an image") }
      fallback = path.hasPrefix("/") ? path : folder + path
    case "fallback-status":
      guard case .integer(let status) = value, (200...599).contains(status), status != 204, status != 304 else {
        throw ConfigurationError(line: nil, "'fallback-status' must be a status such as 200 or 404")
      }
      fallbackStatus = status
    case "fallback-max-age": fallbackMaxAge = try seconds()
    case "max-age": maxAge = try seconds()
    case "stale-while-revalidate": staleWhileRevalidate = try seconds()
    case "error-max-age": errorMaxAge = try seconds()
    default:
      let known = JobField.table.flatMap(\.names).filter { !Self.excluded.contains($0) }
      guard known.contains(name) else {
        let nearest = NearestName.of(name, in: known + Self.own).map { "; did you mean '\($0)'?" } ?? ""
        throw ConfigurationError(line: nil, "a preset has no key '\(name)'\(nearest)")
      }
      fields.append(Field(name: name, value: JSONValue(value)))
    }
  }
}

extension JSONValue {
  fileprivate init(_ value: TOMLValue) {
    switch value {
    case .string(let text): self = .string(text)
    case .integer(let number): self = .number(Double(number))
    case .float(let number): self = .number(number)
    case .bool(let value): self = .bool(value)
    case .array(let values): self = .array(values.map { JSONValue($0) })
    case .table(let members): self = .object(Dictionary(members.map { ($0.key, JSONValue($0.value)) }) { _, last in last })
    }
  }
}
