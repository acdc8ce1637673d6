import OffprintCoreTypes

/// Parses TOML into a flat list of entries. Existing libraries either do not report line numbers of keys, or add Foundation or a C++
/// runtime to every start.
///
/// https://toml.io/en/v1.0.0. Dates and arrays of tables are rejected, because no option takes them.
struct TOMLReader {
  let bytes: [UInt8]
  var position = 0
  var line = 1
  /// The nesting depth of arrays and inline tables.
  var depth = 0
  static let deepest = 32

  private var table: [String] = []
  private var entries: [ConfigurationFile.Entry] = []
  /// How a path was defined.
  private enum Use { case value, table, dotted, implicit }
  private var uses: [[ByteString]: Use] = [:]

  init(_ bytes: [UInt8]) { self.bytes = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? Array(bytes.dropFirst(3)) : bytes }

  static func read(_ bytes: [UInt8]) throws(ConfigurationError) -> [ConfigurationFile.Entry] {
    guard String(validating: bytes, as: UTF8.self) != nil else { throw ConfigurationError("is not UTF-8") }
    var reader = TOMLReader(bytes)
    return try reader.document()
  }

  var next: UInt8? { position < bytes.count ? bytes[position] : nil }

  func has(_ text: StaticString) -> Bool {
    bytes[position...].starts(with: UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
  }

  func problem(_ message: String) -> ConfigurationError { ConfigurationError(line: line, message) }

  private mutating func document() throws(ConfigurationError) -> [ConfigurationFile.Entry] {
    while true {
      try skipBlank(lines: true)
      guard let byte = next else { return entries }
      if byte == UInt8(ascii: "[") { try header() } else { try pair() }
      try endLine()
    }
  }

  /// `[batch]`.
  private mutating func header() throws(ConfigurationError) {
    if has("[[") { throw problem("arrays of tables ([[…]]) are not supported") }
    position += 1
    try skipBlank()
    let path = try keyPath()
    try skipBlank()
    guard next == UInt8(ascii: "]") else { throw problem("a table's name must end with ']'") }
    position += 1
    switch uses[path.map { ByteString($0) }] {
    case nil, .implicit?: break
    default: throw problem("'\(path.joined(separator: "."))' is specified twice")
    }
    try claim(path, as: .table, parents: .implicit)
    table = path
  }

  /// `width = 600`.
  private mutating func pair() throws(ConfigurationError) {
    let start = line
    let key = try keyPath()
    try skipBlank()
    guard next == UInt8(ascii: "=") else { throw problem("'=' is missing after '\(key.joined(separator: "."))'") }
    position += 1
    try skipBlank()
    let value = try self.value()
    let path = table + key
    guard uses[path.map { ByteString($0) }] == nil else {
      throw ConfigurationError(line: start, "'\(path.joined(separator: "."))' is specified twice")
    }
    try claim(path, as: .value, parents: .dotted, from: table.count)
    entries.append(ConfigurationFile.Entry(table: Array(path.dropLast()), name: path.last ?? "", value: value, line: start))
  }

  /// - Parameter first: How many leading parts of the path to skip: they are the current table.
  private mutating func claim(_ path: [String], as use: Use, parents: Use, from first: Int = 0) throws(ConfigurationError) {
    for length in (first + 1)..<max(first + 1, path.count) {
      let parent = Array(path.prefix(length))
      let use = uses[parent.map { ByteString($0) }]
      let isOpen =
        use == nil || use == .implicit && parents == .implicit || use == .dotted && parents == .dotted
        || use == .table && parents == .implicit
      guard isOpen else { throw problem("'\(parent.joined(separator: "."))' is already defined as something else") }
      if use == nil { uses[parent.map { ByteString($0) }] = parents }
    }
    uses[path.map { ByteString($0) }] = use
  }

  private mutating func endLine() throws(ConfigurationError) {
    try skipBlank()
    guard let byte = next else { return }
    guard byte == 0x0A || has("\r\n") else { throw problem("unexpected text at the end of the line") }
  }

  /// Skips spaces and a comment; with `lines` also line ends.
  mutating func skipBlank(lines: Bool = false) throws(ConfigurationError) {
    while let byte = next {
      switch byte {
      case 0x20, 0x09: position += 1
      case UInt8(ascii: "#"):
        while let byte = next, byte != 0x0A {
          if (byte < 0x20 && byte != 0x09 && !(byte == 0x0D && has("\r\n"))) || byte == 0x7F {
            throw problem("a comment has a control character")
          }
          position += 1
        }
      case 0x0A where lines:
        position += 1
        line += 1
      case 0x0D where lines && has("\r\n"): position += 1
      default: return
      }
    }
  }

  /// `a.b."c d"`.
  mutating func keyPath() throws(ConfigurationError) -> [String] {
    var path: [String] = []
    while true {
      path.append(try key())
      guard path.count <= Self.deepest else { throw problem("a key has too many parts") }
      let end = position
      try skipBlank()
      guard next == UInt8(ascii: ".") else {
        position = end
        return path
      }
      position += 1
      try skipBlank()
    }
  }

  private mutating func key() throws(ConfigurationError) -> String {
    if next == UInt8(ascii: "\"") && !has("\"\"\"") || next == UInt8(ascii: "'") && !has("'''") { return try string() }
    let start = position
    while let byte = next, Self.isBare(byte) { position += 1 }
    guard position > start else { throw problem("a key is missing") }
    return String(decoding: bytes[start..<position], as: UTF8.self)
  }

  private static func isBare(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "0")...UInt8(ascii: "9"),
      UInt8(ascii: "_"),
      UInt8(ascii: "-"):
      true
    default: false
    }
  }
}
