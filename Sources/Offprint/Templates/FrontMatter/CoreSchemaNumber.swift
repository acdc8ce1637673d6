/// A plain scalar that YAML's core schema resolves to a number. https://yaml.org/spec/1.2.2/#1032-tag-resolution
struct CoreSchemaNumber {
  /// Nil for other text.
  init?(_ text: String) {
    let bytes = Array(text.utf8)
    if bytes.starts(with: "0x".utf8) {
      guard bytes.count > 2, bytes.dropFirst(2).allSatisfy(Self.isHexadecimal) else { return nil }
    } else if bytes.starts(with: "0o".utf8) {
      guard bytes.count > 2, bytes.dropFirst(2).allSatisfy({ (0x30...0x37).contains($0) }) else { return nil }
    } else if !Self.isDecimal(bytes[...]) {
      return nil
    }
  }

  /// Infinities and NaN, which JSON does not have.
  static let special: Set<String> = Set(
    ["inf", "Inf", "INF"].flatMap { [".\($0)", "+.\($0)", "-.\($0)"] } + [".nan", ".NaN", ".NAN"])

  /// `[-+]? ( \. [0-9]+ | [0-9]+ ( \. [0-9]* )? ) ( [eE] [-+]? [0-9]+ )?`
  private static func isDecimal(_ bytes: ArraySlice<UInt8>) -> Bool {
    var rest = withoutSign(bytes)
    let whole = digits(&rest)
    var fraction = 0
    if rest.first == UInt8(ascii: ".") {
      rest.removeFirst()
      fraction = digits(&rest)
    }
    guard whole + fraction > 0 else { return false }
    guard let mark = rest.first else { return true }
    guard mark | 0x20 == UInt8(ascii: "e") else { return false }
    rest = withoutSign(rest.dropFirst())
    return digits(&rest) > 0 && rest.isEmpty
  }

  private static func withoutSign(_ bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    bytes.first == UInt8(ascii: "-") || bytes.first == UInt8(ascii: "+") ? bytes.dropFirst() : bytes
  }

  private static func digits(_ rest: inout ArraySlice<UInt8>) -> Int {
    let count = rest.prefix { (0x30...0x39).contains($0) }.count
    rest.removeFirst(count)
    return count
  }

  private static func isHexadecimal(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) || (0x41...0x46).contains(byte & 0xDF) }
}
