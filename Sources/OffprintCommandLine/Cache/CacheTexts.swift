import Offprint

// The contents of a cache as text for people and for programs.

extension CacheAdministration.Entry {
  /// For people: key, image size, bytes, hits, identifiers, page.
  var line: String {
    let page = source.isEmpty ? "" : "  \(source)"
    return Sentence.printable(
      "\(key)  \(width)×\(height)  \(bytes) bytes  \(hits.counted("hit"))  \(identifiers.joined(separator: ", "))\(page)")
  }

  /// All properties, one per line.
  var lines: [String] {
    let known = [
      ("key", key), ("identifier", identifiers.joined(separator: ", ")), ("tags", tags.joined(separator: ", ")), ("page", source),
      ("image", "\(width)×\(height), \(bytes) bytes"), ("created", created), ("last used", lastUsed), ("hits", "\(hits)"),
      ("rendering took", "\(JSONText.number(Self.rounded(milliseconds))) ms"),
    ]
    let files = dependencies.map { ("needs", "\($0.location)\($0.bytes.map { ", \($0) bytes" } ?? ", which did not exist")") }
    let all =
      known.filter { !$0.1.isEmpty } + files
      + parts.keys.sorted().map { ("key part", "\($0) = \(parts[$0].flatMap { $0.isEmpty ? nil : $0 } ?? "(none)")") }
    return all.map { Sentence.printable("\($0.0): \($0.1)") }
  }

  var members: [String: JSONValue] {
    [
      "key": .string(key), "identifiers": .array(identifiers.map { .string($0) }), "tags": .array(tags.map { .string($0) }),
      "source": .string(source), "width": .number(Double(width)), "height": .number(Double(height)), "bytes": .number(Double(bytes)),
      "hits": .number(Double(hits)), "created": .string(created), "lastUsed": .string(lastUsed),
      "milliseconds": .number(Self.rounded(milliseconds)),
    ]
  }

  /// To the microsecond.
  private static func rounded(_ milliseconds: Double) -> Double { (milliseconds * 1000).rounded() / 1000 }

  var value: JSONValue { .object(members) }
  var json: String { value.text }

  var fullJSON: String {
    var all = members
    all["dependencies"] = .array(
      dependencies.map { .object(["location": .string($0.location), "bytes": $0.bytes.map { .number(Double($0)) } ?? .null]) })
    all["parts"] = .object(parts.mapValues { .string($0) })
    return JSONValue.object(all).text
  }
}

extension CacheAdministration.Group {
  var line: String {
    "\(entries.entriesText)  \(bytes) bytes  \(hits.counted("hit"))  \(value.isEmpty ? "(none)" : Sentence.printable(value))"
  }
  var json: String {
    JSONValue.object([
      "value": .string(value), "entries": .number(Double(entries)), "bytes": .number(Double(bytes)), "hits": .number(Double(hits)),
    ]).text
  }
}

extension CacheAdministration.Statistics {
  private static func number(_ value: Int) -> JSONValue { .number(Double(value)) }

  private var figures: [(name: String, value: JSONValue)] {
    [
      ("entries", Self.number(entries)), ("bytes", Self.number(bytes)), ("indexBytes", Self.number(indexBytes)),
      ("hits", Self.number(hits)), ("hitRate", hitRate.map { .number(($0 * 10_000).rounded() / 10_000) } ?? .null),
      ("renderMilliseconds", .number(renderMilliseconds.rounded())), ("savedMilliseconds", .number(savedMilliseconds.rounded())),
      ("oldest", oldest.map { .string($0) } ?? .null), ("newest", newest.map { .string($0) } ?? .null),
      ("lastUsed", lastUsed.map { .string($0) } ?? .null), ("indexVersion", Self.number(indexVersion)),
    ]
  }

  /// In printing order; unknown values are omitted.
  var lines: [(name: String, value: String)] {
    figures.compactMap { figure in
      switch figure.value {
      case .null: nil
      case .string(let text): (figure.name, text)
      default: (figure.name, figure.value.text)
      }
    }
  }

  func json(days count: Int) -> String {
    let members =
      figures.map { "\(JSONText.string($0.name)):\($0.value.text)" } + [
        "\"days\":[\(days.prefix(count).map(\.json).joined(separator: ","))]"
      ]
    return "{\(members.joined(separator: ","))}"
  }
}

extension CacheAdministration.Statistics.Day {
  var line: String {
    let looked = hits + misses
    let rate = looked > 0 ? " (\(Int((Double(hits) / Double(looked) * 100).rounded())) %)" : ""
    return
      "\(date)  \(hits.counted("hit"))\(rate)  \(misses.counted("miss", "misses"))  \(stores) stored  \(JSONText.number(savedMilliseconds.rounded())) ms saved"
  }

  var json: String {
    JSONValue.object([
      "date": .string(date), "hits": .number(Double(hits)), "misses": .number(Double(misses)), "stores": .number(Double(stores)),
      "savedMilliseconds": .number(savedMilliseconds),
    ]).text
  }
}

extension CacheAdministration.Verification {
  var lines: [String] {
    var lines = ["checked: \(checked)"]
    lines += missing.map { "missing: \($0)" } + damaged.map { "damaged: \($0)" } + orphans.map { "unknown file: \($0)" }
    lines += indexProblems.map { "index: \($0)" }
    return lines.map(Sentence.printable) + [isSound ? "no damage found" : isRepaired ? "repaired" : "damaged"]
  }

  var json: String {
    func list(_ texts: [String]) -> JSONValue { .array(texts.map { .string($0) }) }
    return JSONValue.object([
      "checked": .number(Double(checked)), "missing": list(missing), "damaged": list(damaged), "orphans": list(orphans),
      "indexProblems": list(indexProblems), "sound": .bool(isSound), "repaired": .bool(isRepaired),
    ]).text
  }
}

extension BinaryInteger {
  /// `1 entry`, `2 entries`.
  var entriesText: String { counted("entry", "entries") }

  /// `1 hit`, `2 hits`.
  ///
  /// - Parameter plural: If nil, the noun with an `s`.
  func counted(_ noun: String, _ plural: String? = nil) -> String { "\(self) \(self == 1 ? noun : plural ?? "\(noun)s")" }
}

extension Amount {
  /// For people: `12.3 MB`.
  static func readable(_ bytes: Int) -> String {
    var value = Double(bytes), unit = 0
    let units = ["bytes", "kB", "MB", "GB", "TB"]
    while value >= 1000, unit < units.count - 1 {
      value /= 1000
      unit += 1
    }
    return "\(JSONText.number(unit == 0 ? value : (value * 10).rounded() / 10)) \(units[unit])"
  }
}
