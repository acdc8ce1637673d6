import ArgumentParser

/// The arguments of `render` where nothing is odd about them. The argument parser looks its types up by name and builds all options several
/// times, a third of what a cold picture takes; so only what must be explained or refused is left to it.
extension RenderCommand {
  /// - Parameter arguments: with `render` before them.
  /// - Returns: nil where only the parser knows what to do or say.
  init?(plain arguments: [String]) {
    PlainReading.isUnderWay = true
    defer { PlainReading.isUnderWay = false }
    guard arguments.first == "render", let words = PlainWords(arguments.dropFirst()) else { return nil }
    self.init()
    (input, outputArgument, output, identifier, quiet, json) = (nil, nil, nil, nil, false, false)
    var page = PageOptions.unset, engine = EngineOptions.unset
    for (name, value) in words.options {
      guard set(name, value) || page.set(name, value) || engine.set(name, value) else { return nil }
    }
    guard words.others.count <= 2 else { return nil }
    (input, outputArgument) = (words.others.first, words.others.dropFirst().first)
    (self.page, self.engine) = (page, engine)
    guard (try? validateAll()) != nil else { return nil }
  }

  private mutating func set(_ name: String, _ value: PlainWords.Value) -> Bool {
    switch name {
    case "-o", "--output": value.become(&output)
    case "--identifier": value.become(&identifier)
    case "-q", "--quiet": value.switchOn(&quiet)
    case "--json": value.switchOn(&json)
    default: false
    }
  }

  /// As the parser does: the inner groups first.
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

/// While options are read without the parser nobody asks for their names and explanations, some of which take long to put together.
enum PlainReading {
  /// Set by the first thread, at a start, before there is another.
  nonisolated(unsafe) static var isUnderWay = false
}

/// Words as options with their values, and others. Which option takes a value is not known here: one has the word behind it when asked.
struct PlainWords {
  /// What follows an option.
  struct Value {
    fileprivate let word: String?

    /// False for a second value, and for one that is none.
    func become<T: ExpressibleByArgument>(_ place: inout T?) -> Bool {
      guard place == nil, let word, let value = T(argument: word) else { return false }
      place = value
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

  /// Nil for spellings that the parser takes apart: `--name=value`, joined letters, `--`; and for what may be a value or an option.
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
    "-q", "--quiet", "--json", "--transparent", "--omit-background", "--lossless", "--progressive", "--strict", "--system-fonts",
    "--isolate",
    "--tier-read-only", "--no-cache", "--refresh",
  ]
}
