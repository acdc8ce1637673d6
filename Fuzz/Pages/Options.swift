import Glibc

/// Options, with their defaults: `--seed S` (1), the seed of the first page; `--count N` (1000); `--jobs N` (2); `--timeout 2s`;
/// `--output DIR` (Fuzz/.build/pages); `--twice`: render each page twice; `--svg`: generate SVG only; `--show`: print the pages instead of
/// rendering them; `--shrink N` (40): the maximum number of failures to minimize.
struct Options {
  var seed: UInt64 = 1
  var count = 1000
  var jobs = 2
  var seconds = 2.0
  var folder = "Fuzz/.build/pages"
  var rendersTwice = false
  /// Whether pages contain only SVG.
  var isSVG = false
  var isWorker = false
  var shows = false
  var shrinks = 40

  init(_ arguments: [String]) throws {
    var rest = arguments[...]
    func next() throws -> String {
      guard let value = rest.popFirst() else { throw Failure("A value is missing.") }
      return value
    }
    while let argument = rest.popFirst() {
      switch argument {
      case "--seed": seed = UInt64(try next()) ?? 1
      case "--count": count = Int(try next()) ?? 1000
      case "--jobs": jobs = max(1, Int(try next()) ?? 2)
      case "--timeout": seconds = Double(try next().split(separator: "s")[0]) ?? 2
      case "--output": folder = try next()
      case "--shrink": shrinks = Int(try next()) ?? 0
      case "--twice": rendersTwice = true
      case "--svg": isSVG = true
      case "--worker": isWorker = true
      case "--show": shows = true
      default: throw Failure("Unknown option '\(argument)'. Fuzz/README.md lists the options.")
      }
    }
  }
}

enum Folders {
  /// The fonts of the package, which pages may load.
  static let fonts: String? = {
    if let given = getenv("OFFPRINT_FONTS") { return String(cString: given) }
    guard let path = realpath("Fonts", nil) else { return nil }
    defer { free(path) }
    return String(cString: path)
  }()

  static func read(_ path: String) -> String {
    guard let file = fopen(path, "r") else { return "" }
    defer { fclose(file) }
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 65536)
    while case let count = fread(&chunk, 1, chunk.count, file), count > 0 { bytes += chunk.prefix(count) }
    return String(decoding: bytes, as: UTF8.self)
  }

  static func write(_ text: String, to path: String) {
    guard let file = fopen(path, "w") else { return }
    fputs(text, file)
    fclose(file)
  }
}
