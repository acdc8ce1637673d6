/// Where in a source something was found. Lines and columns count from 1, columns in UTF-8 bytes.
public struct SourcePosition: Hashable, Sendable, Codable {
  /// The file name or URL of the source; empty for the input itself.
  public var source: String
  /// From 1.
  public var line: Int
  /// From 1, in UTF-8 bytes.
  public var column: Int
  public init(source: String = "", line: Int, column: Int) { self.source = source; self.line = line; self.column = column }
}

/// Something the engine noticed and went on after: a dropped declaration, a missing picture, a limit that cut something short.
public struct Diagnostic: Hashable, Sendable, Codable {
  /// How much it matters.
  public enum Severity: String, Hashable, Sendable, Codable {
    /// The page was understood otherwise than written, by the rules of the standards; the picture is the right one.
    case note
    /// The picture lacks something: a resource failed or a limit was reached. Such a render is never cached.
    case degraded
  }

  /// What kind of thing this is: stable, for programs. Each target adds its own constants in an extension.
  public struct Code: RawRepresentable, Hashable, Sendable, Codable, ExpressibleByStringLiteral {
    /// The stable name.
    public var rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }
    public init(stringLiteral value: String) { rawValue = value }
  }

  /// Its kind.
  public var code: Code
  /// How much it matters.
  public var severity: Severity
  /// One sentence for people.
  public var message: String
  /// Where it was found; nil where no place is to blame.
  public var position: SourcePosition?

  public init(_ code: Code, _ severity: Severity = .note, _ message: String, at position: SourcePosition? = nil) {
    self.code = code; self.severity = severity; self.message = message; self.position = position
  }
}

extension Diagnostic: CustomStringConvertible {
  public var description: String {
    let place = position.map { "\($0.source.isEmpty ? "input" : $0.source):\($0.line):\($0.column): " } ?? ""
    return "\(place)\(code.rawValue): \(message)"
  }
}

/// Collects diagnostics: repeats are counted once, and no input can grow it without bound.
public struct DiagnosticLog: Sendable {
  /// In the order they were first reported.
  public private(set) var entries: [Diagnostic] = []
  /// How many were left out after `capacity` was reached.
  public private(set) var dropped = 0
  private var seen: Set<Diagnostic> = []
  private let capacity: Int

  public init(capacity: Int = 1000) { self.capacity = capacity }

  /// Keeps it, unless it is there already or the log is full.
  public mutating func report(_ diagnostic: Diagnostic) {
    guard entries.count < capacity else {
      if diagnostic.severity == .degraded, !entries.contains(where: { $0.severity == .degraded }) { entries[capacity - 1] = diagnostic }
      dropped += 1
      return
    }
    if seen.insert(diagnostic).inserted { entries.append(diagnostic) }
  }

  /// Keeps those of another log as well.
  public mutating func append(contentsOf other: DiagnosticLog) {
    other.entries.forEach { report($0) }
    dropped += other.dropped
  }

  /// Whether the picture lacks something.
  public var isDegraded: Bool { entries.contains { $0.severity == .degraded } }
}
