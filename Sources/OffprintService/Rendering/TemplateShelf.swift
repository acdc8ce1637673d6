import Glibc
import Offprint

/// The templates that requests may name: the built-in ones, and files of the service's folders.
struct TemplateShelf: Sendable {
  struct Entry: Sendable {
    var name: String
    var template: Template
    /// The attributes that are known; nil where any name is one.
    var attributes: [String]?
    /// Fields of a job that hold unless the request says otherwise, from `NAME.json` beside the file.
    var defaults: [String: JSONValue] = [:]
  }

  private(set) var entries: [String: Entry] = [:]
  /// Sources that templates may include.
  private(set) var partials: [String: String] = [:]

  static let suffixes = [".mustache", ".html"]

  /// - Throws: `inputNotFound` for a folder that is not there, `templateInvalid` for what lies beside a template and is no JSON object.
  init(folders: [String]) throws(OffprintError) {
    for name in Template.builtInNames {
      entries[name] = Entry(name: name, template: .builtIn(name), attributes: Self.builtInAttributes[name])
    }
    for folder in folders {
      for file in try Self.files(of: folder).sorted() { try add(file, in: folder) }
    }
  }

  private static func files(of folder: String) throws(OffprintError) -> [String] {
    guard let directory = opendir(folder) else { throw OffprintError(.inputNotFound, "There is no folder of templates '\(folder)'.") }
    defer { closedir(directory) }
    var names: [String] = []
    while let entry = readdir(directory), names.count < 10_000 {
      names.append(withUnsafeBytes(of: entry.pointee.d_name) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) })
    }
    return names
  }

  private static let builtInAttributes = [
    "snippet": ["body", "line-height", "font-family", "font-size", "text-color", "background-color", "width"]
  ]

  private mutating func add(_ file: String, in folder: String) throws(OffprintError) {
    guard let suffix = Self.suffixes.first(where: { file.hasSuffix($0) }), !file.hasPrefix(".") else { return }
    let name = String(file.dropLast(suffix.count))
    guard let bytes = try SmallFile.read("\(folder)/\(file)", limit: 4 << 20, what: "The template") else { return }
    let source = String(decoding: bytes, as: UTF8.self)
    var entry = Entry(name: name, template: .mustache(source: source, name: name))
    if let bytes = try SmallFile.read("\(folder)/\(name).json", limit: 1 << 20, what: "The defaults") {
      guard case .object(let defaults)? = JSONValue(parsing: bytes) else {
        throw OffprintError(.templateInvalid, "'\(name).json' is not a JSON object of a job's fields.")
      }
      entry.defaults = defaults
    }
    entries[name] = entry
    partials[name] = source
  }

  var names: [String] { entries.keys.sorted() }

  /// - Throws: `templateUnknown`.
  func entry(_ name: String) throws(OffprintError) -> Entry {
    guard let entry = entries[name] else {
      throw OffprintError(.templateUnknown, "There is no template '\(name.prefix(100))'; there is \(names.joined(separator: ", ")).")
    }
    return entry
  }
}
