import ArgumentParser

/// A fast path for common arguments of `render`. The argument parser looks up its types by name and builds all options several times, which
/// takes a third of the time of a cold render. Arguments that need help or an error message fall back to the parser.
extension RenderCommand {
  /// - Parameter arguments: Including the leading `render`.
  /// - Returns: Nil if the argument parser is needed.
  init?(fastPath arguments: [String]) {
    FastPath.isActive = true
    defer { FastPath.isActive = false }
    guard arguments.first == "render", let words = FastPathArguments(arguments.dropFirst()) else { return nil }
    self.init()
    (input, outputArgument, output, identifier, quiet, json) = (nil, nil, nil, nil, false, false)
    var page = PageOptions.unset, engine = EngineOptions.unset
    for (name, value) in words.options {
      guard set(name, value) || page.set(name, value) || engine.set(name, value) else { return nil }
    }
    // The parser reports an output that is specified twice.
    guard words.others.count <= (output == nil ? 2 : 1) else { return nil }
    (input, outputArgument) = (words.others.first, words.others.dropFirst().first)
    (self.page, self.engine) = (page, engine)
    guard (try? validateAll()) != nil else { return nil }
  }

  private mutating func set(_ name: String, _ value: FastPathArguments.Value) -> Bool {
    switch name {
    case "-o", "--output": value.become(&output)
    case "--identifier": value.become(&identifier)
    case "-q", "--quiet": value.switchOn(&quiet)
    case "--json": value.switchOn(&json)
    default: false
    }
  }

  /// Validates in the parser's order: inner groups first.
  private mutating func validateAll() throws {
    var page = page, engine = engine
    try page.encoding.validate()
    try page.limits.validate()
    try page.validate()
    try engine.isolation.validate()
    try engine.tier.validate()
    try engine.validate()
    try validate()
  }
}

/// While options are read without the parser, their names and help texts are not needed. Some of them are expensive to build.
enum FastPath {
  /// Set by the first thread at startup, before there are others.
  nonisolated(unsafe) static var isActive = false
}

/// Splits arguments into options with their values and other words. It does not know which options take a value: every option except those
/// in `flags` takes the following word.
struct FastPathArguments {
  /// The word after an option.
  struct Value {
    fileprivate let word: String?

    /// False for a repeated option, and for an invalid value.
    func become<T: ExpressibleByArgument>(_ option: inout T?) -> Bool {
      guard option == nil, let word, let value = T(argument: word) else { return false }
      option = value
      return true
    }

    func join<T: ExpressibleByArgument>(_ list: inout [T]) -> Bool {
      guard let word, let value = T(argument: word) else { return false }
      list.append(value)
      return true
    }

    func switchOn(_ flag: inout Bool) -> Bool {
      guard word == nil else { return false }
      flag = true
      return true
    }
  }

  private(set) var options: [(name: String, value: Value)] = []
  private(set) var others: [String] = []

  /// Nil for syntax that needs the parser: `--name=value`, joined letters, `--`; and for words that could be a value or an option.
  init?(_ words: ArraySlice<String>) {
    var words = words
    while let word = words.popFirst() {
      guard word.utf8.first == UInt8(ascii: "-"), word != "-" else {
        others.append(word)
        continue
      }
      guard word.utf8.count == 2 || word.hasPrefix("--") && word.utf8.count > 3, !word.utf8.contains(UInt8(ascii: "=")) else { return nil }
      if Self.flags.contains(word) {
        options.append((word, Value(word: nil)))
      } else {
        guard let value = words.popFirst(), value == "-" || value.utf8.first != UInt8(ascii: "-") else { return nil }
        options.append((word, Value(word: value)))
      }
    }
  }

  private static let flags: Set = [
    "-q", "--quiet", "--json", "--transparent", "--omit-background", "--lossless", "--progressive", "--animate", "--dither", "--strict",
    "--system-fonts",
    "--isolate",
    "--tier-read-only", "--no-cache", "--refresh",
  ]
}
