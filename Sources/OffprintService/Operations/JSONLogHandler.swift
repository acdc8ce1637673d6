import OffprintCoreTypes
import Glibc
import Logging
import Offprint
import Synchronization

/// Writes one line of JSON or text per message to standard error.
struct LineLogHandler: LogHandler {
  var logLevel: Logger.Level
  var metadata: Logger.Metadata = [:]
  private let label: String
  private let isJSON: Bool

  init(label: String, level: Logger.Level, isJSON: Bool) {
    self.label = label
    logLevel = level
    self.isJSON = isJSON
  }

  subscript(metadataKey key: String) -> Logger.Metadata.Value? {
    get { metadata[key] }
    set { metadata[key] = newValue }
  }

  func log(event: LogEvent) {
    let all = event.metadata.map { metadata.merging($0) { _, new in new } } ?? metadata
    let line = isJSON ? json(event, all) : text(event, all)
    // One write per line, so that lines of several threads do not mix.
    _ = Array((line + "\n").utf8).withUnsafeBytes { write(STDERR_FILENO, $0.baseAddress, $0.count) }
  }

  private func json(_ event: LogEvent, _ all: Logger.Metadata) -> String {
    let message = JSONText.string(Credentials.hidden(in: "\(event.message)"))
    var line =
      "{\"time\":\"\(WallClock.timestamp())\",\"level\":\"\(event.level.rawValue)\",\"logger\":\(JSONText.string(label)),\"message\":\(message)"
    for key in all.keys.sorted() where key != "hb.request.id" {
      if let value = all[key] { line += ",\(JSONText.string(key)):\(Self.json(value))" }
    }
    return line + "}"
  }

  private static func json(_ value: Logger.Metadata.Value) -> String {
    switch value {
    case .string(let text): JSONText.string(text)
    case .stringConvertible(let value):
      switch value {
      case let number as Int: "\(number)"
      case let number as Double: JSONText.number(number)
      case let flag as Bool: "\(flag)"
      default: JSONText.string("\(value)")
      }
    case .array(let values): "[\(values.map(json).joined(separator: ","))]"
    case .dictionary(let values):
      "{\(values.keys.sorted().compactMap { key in values[key].map { "\(JSONText.string(key)):\(json($0))" } }.joined(separator: ","))}"
    }
  }

  private func text(_ event: LogEvent, _ all: Logger.Metadata) -> String {
    let pairs = all.keys.sorted().filter { $0 != "hb.request.id" }.compactMap { key in all[key].map { "\(key)=\($0)" } }
    let message = Credentials.hidden(in: "\(event.message)")
    let line = "\(WallClock.timestamp()) \(event.level.rawValue) \(message) \(pairs.joined(separator: " "))"
    return String(String.UnicodeScalarView(line.unicodeScalars.map { $0.value < 0x20 || $0.value == 0x7F ? "\u{FFFD}" : $0 }))
  }
}
