import OffprintCoreTypes
import Offprint

/// The components of a URL such as `redis://user:secret@host:6379/0?prefix=a`.
struct RemoteAddress: Hashable, Sendable {
  var scheme: String
  var user: String?
  var password: String?
  var host: String
  var port: Int?
  /// Without its leading slash, percent-decoded.
  var path: String
  var parameters: [String: String] = [:]

  /// - Throws: `usage`. Messages never contain the URL, because it may contain a password.
  init(_ text: String, for what: String, schemes: [String]) throws(OffprintError) {
    let forms = schemes.map { "\($0)://…" }.joined(separator: " or ")
    guard let end = text.firstRange(of: "://") else { throw OffprintError(.usage, "\(what) must be a URL such as \(forms).") }
    scheme = text[..<end.lowerBound].lowercased()
    guard schemes.contains(scheme) else {
      throw OffprintError(.usage, "\(what) cannot have the scheme '\(scheme.prefix(20))': use \(forms).")
    }
    let parts = text[end.upperBound...].split(byte: "?", maxSplits: 1, omittingEmptySubsequences: false)
    let place = parts.first.map(String.init) ?? ""
    let slash = place.firstIndex(ofByte: "/") ?? place.endIndex
    path = try Self.decoded(place[slash...].dropFirst(), what)
    var authority = place[..<slash]
    if let at = authority.lastIndex(ofByte: "@") {
      let names = authority[..<at].split(byte: ":", maxSplits: 1, omittingEmptySubsequences: false)
      user = try names.first.flatMap { name throws(OffprintError) in name.isEmpty ? nil : try Self.decoded(name, what) }
      password = try names.dropFirst().first.map { word throws(OffprintError) in try Self.decoded(word, what) }
      authority = authority[authority.index(after: at)...]
    }
    (host, port) = try Self.hostAndPort(authority, what)
    for pair in parts.dropFirst().first?.split(byte: "&") ?? [] {
      let words = pair.split(byte: "=", maxSplits: 1, omittingEmptySubsequences: false)
      let name = try Self.decoded(words[0], what)
      let value = try words.dropFirst().first.map { word throws(OffprintError) in try Self.decoded(word, what) } ?? ""
      guard parameters.updateValue(value, forKey: name) == nil else {
        throw OffprintError(.usage, "\(what) has the parameter '\(name)' twice.")
      }
    }
  }

  /// - Throws: `usage` for unknown parameters.
  func check(_ known: [String], _ what: String) throws(OffprintError) {
    guard let odd = parameters.keys.sorted().first(where: { !known.contains($0) }) else { return }
    throw OffprintError(.usage, "\(what) has no parameter '\(odd.prefix(60))'; the parameters are \(known.joined(separator: ", ")).")
  }

  /// The milliseconds of a parameter such as `timeout=2s`.
  func milliseconds(_ name: String, _ range: ClosedRange<Int>, default value: Int, _ what: String) throws(OffprintError) -> Int {
    guard let text = parameters[name] else { return value }
    let units: [(String, Double)] = [("ms", 1), ("s", 1000), ("m", 60_000), ("h", 3_600_000), ("d", 86_400_000)]
    let unit = units.first { text.hasSuffix($0.0) }
    guard let number = Double(decimal: text.dropLast(unit?.0.count ?? 0)),
      let result = Int(exactly: (number * (unit?.1 ?? 1000)).rounded()), range.contains(result)
    else { throw OffprintError(.usage, "'\(name)' of \(what) must be a time such as 500ms, 2s or 30d, at least \(range.lowerBound) ms.") }
    return result
  }

  private static func hostAndPort(_ text: Substring, _ what: String) throws(OffprintError) -> (String, Int?) {
    var name = text
    var port: Int?
    let close = text.lastIndex(ofByte: "]")
    if let colon = text.lastIndex(ofByte: ":"), close.map({ $0 < colon }) ?? true {
      guard let number = Int(text[text.index(after: colon)...]), (1...65_535).contains(number) else {
        throw OffprintError(.usage, "The port of \(what) must be 1 to 65535.")
      }
      (name, port) = (text[..<colon], number)
    }
    if name.hasPrefix("["), name.hasSuffix("]") { name = name.dropFirst().dropLast() }
    guard !name.isEmpty, name.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F && $0 != UInt8(ascii: "%") }) else {
      throw OffprintError(.usage, "\(what) lacks a host or bucket.")
    }
    return (String(name), port)
  }

  private static func decoded(_ text: Substring, _ what: String) throws(OffprintError) -> String {
    var bytes: [UInt8] = []
    var rest = text.utf8[...]
    while let byte = rest.popFirst() {
      guard byte == UInt8(ascii: "%") else {
        bytes.append(byte)
        continue
      }
      guard let value = UInt8(String(decoding: rest.prefix(2), as: UTF8.self), radix: 16), rest.count >= 2 else {
        throw OffprintError(.usage, "\(what) has a '%' without two hexadecimal digits.")
      }
      bytes.append(value)
      rest = rest.dropFirst(2)
    }
    guard let result = String(validating: bytes, as: UTF8.self), !bytes.contains(where: { $0 < 0x20 || $0 == 0x7F }) else {
      throw OffprintError(.usage, "\(what) has characters that are invalid in a URL.")
    }
    return result
  }
}
