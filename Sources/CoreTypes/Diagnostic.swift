/// A position in a source. Lines and columns count from 1, columns in UTF-8 bytes.
public struct SourcePosition: Hashable, Sendable, Codable {
  /// The file name or URL of the source; empty for the input itself.
  public var source: String
  /// From 1.
  public var line: Int
  /// From 1, in UTF-8 bytes.
  public var column: Int
  public init(source: String = "", line: Int, column: Int) { self.source = source; self.line = line; self.column = column }
}

/// Something the engine noticed without stopping: a dropped declaration, a missing image, a limit that truncated something.
public struct Diagnostic: Hashable, Sendable, Codable {
  /// How serious a diagnostic is.
  public enum Severity: String, Hashable, Sendable, Codable {
    /// The page was interpreted differently from how it was written, as the standards require. The image is correct.
    case note
    /// The image is incomplete because a resource failed or a limit was reached. Such a render is never cached.
    case degraded
  }

  /// A stable identifier for the kind of diagnostic, for programs. Each target adds its own constants in an extension.
  public struct Code: RawRepresentable, Hashable, Sendable, Codable, ExpressibleByStringLiteral {
    /// The stable name.
    public var rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }
    public init(stringLiteral value: String) { rawValue = value }
  }

  public var code: Code
  public var severity: Severity
  /// One sentence for people.
  public var message: String
  /// Where it was found; nil if it has no position in a source.
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

/// Collects diagnostics. Duplicates are stored once, and the number of entries is bounded whatever the input.
public struct DiagnosticLog: Sendable {
  /// In the order they were first reported.
  public private(set) var entries: [Diagnostic] = []
  /// The number of diagnostics left out after `capacity` was reached.
  public private(set) var dropped = 0
  private var seen: Set<Diagnostic> = []
  private let capacity: Int

  public init(capacity: Int = 1000) { self.capacity = capacity }

  /// Adds a diagnostic unless it is a duplicate or the log is full.
  public mutating func report(_ diagnostic: Diagnostic) {
    guard entries.count < capacity else {
      if diagnostic.severity == .degraded, !entries.contains(where: { $0.severity == .degraded }) { entries[capacity - 1] = diagnostic }
      dropped += 1
      return
    }
    if seen.insert(diagnostic).inserted { entries.append(diagnostic) }
  }

  /// Adds the entries of another log.
  public mutating func append(contentsOf other: DiagnosticLog) {
    other.entries.forEach { report($0) }
    dropped += other.dropped
  }

  /// Whether the image is incomplete.
  public var isDegraded: Bool { entries.contains { $0.severity == .degraded } }
}
