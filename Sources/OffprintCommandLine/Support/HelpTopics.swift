import OffprintConfiguration
import OffprintCoreTypes
import Glibc
import Offprint

/// `offprint help TOPIC` and `offprint help topics TOPIC`: the pages of documentation installed with the program.
enum HelpTopics {
  private static let command = "topics"

  /// - Parameter words: The arguments after `help`.
  /// - Returns: The text; nil if the argument is a command, or there is none.
  /// - Throws: `inputNotFound` if the documentation is not installed, `usage` for an unknown topic.
  static func text(_ words: ArraySlice<String>, commands: [String]) throws(OffprintError) -> String? {
    // Some topics have the name of a command, whose help takes precedence without 'topics'.
    let isExplicit = words.count == 2 && words.first == command
    guard words.count == 1 || isExplicit, let word = words.last, isExplicit || !commands.contains(word), !word.hasPrefix("-") else {
      return nil
    }
    guard let folder = folder() else {
      throw OffprintError(.inputNotFound, "The documentation was not found: neither share/doc/offprint nor docs of a source checkout.")
    }
    let topics = topics(in: folder)
    if word == command { return list(topics, in: folder) }
    guard topics.contains(word), let page = read("\(folder)/\(word).md") else {
      let nearest = NearestName.of(word, in: topics + (isExplicit ? [] : commands)).map { "; did you mean '\($0)'?" } ?? "."
      let kind = isExplicit ? "topic" : "command or topic"
      throw OffprintError(.usage, "There is no \(kind) '\(Sentence.fit(word))'\(nearest) 'offprint help topics' lists the topics.")
    }
    return page
  }

  /// The folder of the pages in a bundle, a package, or a build in its source.
  private static func folder() -> String? {
    guard let program = Program.path else { return nil }
    var folders = program.split(byte: "/").dropLast()
    while !folders.isEmpty {
      let base = "/" + folders.joined(separator: "/")
      for candidate in ["\(base)/share/doc/offprint", "\(base)/docs"] where access("\(candidate)/formats.md", R_OK) == 0 {
        return candidate
      }
      folders.removeLast()
    }
    return nil
  }

  private static func topics(in folder: String) -> [String] {
    guard let handle = opendir(folder) else { return [] }
    defer { closedir(handle) }
    var names: [String] = []
    while let entry = readdir(handle) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) {
        $0.withMemoryRebound(to: CChar.self, capacity: Int(NAME_MAX) + 1) { String(cString: $0) }
      }
      if name.hasSuffix(".md"), name.utf8.allSatisfy({ (0x61...0x7A).contains($0) || $0 == 0x2D || $0 == 0x2E }) {
        names.append(String(name.dropLast(3)))
      }
    }
    return names.sorted()
  }

  /// One line for each topic, with its heading.
  private static func list(_ topics: [String], in folder: String) -> String {
    let width = topics.map(\.utf8.count).max() ?? 0
    return topics.map { topic in
      let heading =
        read("\(folder)/\(topic).md")?.split(byte: "\n", maxSplits: 1).first.map { String($0.drop { $0 == "#" || $0 == " " }) } ?? ""
      return "\(topic)\(String(repeating: " ", count: width - topic.utf8.count))  \(heading)"
    }.joined(separator: "\n")
  }

  private static func read(_ path: String) -> String? {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0, (0...(4 << 20)).contains(status.st_size) else { return nil }
    var bytes = [UInt8](repeating: 0, count: Int(status.st_size))
    let count = Glibc.read(descriptor, &bytes, bytes.count)
    return count < 0 ? nil : String(decoding: bytes.prefix(count), as: UTF8.self)
  }
}
