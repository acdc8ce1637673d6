import OffprintCoreTypes
import Glibc
import Offprint

/// Finds where records end, however they come in pieces.
protocol RecordSplitter: Sendable {
  /// Looks at bytes that come next, at least at one.
  mutating func scan(_ bytes: UnsafeRawBufferPointer) -> RecordPart
  /// What is wrong where the list ends here; nil where it may.
  var problemAtEnd: String? { get }
}

extension RecordSplitter {
  var problemAtEnd: String? { nil }
}

/// What `scan` found.
struct RecordPart {
  /// How many bytes were looked at.
  var consumed: Int
  /// Which of them belong to the record.
  var kept: Range<Int>
  var isEnd: Bool
}

/// The bytes of one record.
struct Record: Sendable {
  /// From 1 on.
  var number: Int
  /// Where it begins, from 1 on.
  var line: Int
  var text: [UInt8]
  /// It was longer than allowed: its text is not kept.
  var isTooLong = false
}

/// Closes its descriptor when nobody needs it any more.
final class OpenedList: Sendable {
  let descriptor: Int32
  private let isOwned: Bool
  init(_ descriptor: Int32, isOwned: Bool) { self.descriptor = descriptor; self.isOwned = isOwned }
  deinit { if isOwned { close(descriptor) } }
}

/// Reads a list record by record, in as much memory as its longest record takes.
struct RecordReader: Sendable {
  private let file: OpenedList
  private let name: String
  private let limit: Int
  /// Where to read next, for files that others read too; nil: wherever the descriptor stands.
  private var offset: Int?
  /// Where to stop.
  private let end: Int
  private var splitter: any RecordSplitter
  private var chunk: [UInt8]
  private var position = 0
  private var count = 0
  private var record: [UInt8] = []
  private var isTooLong = false
  /// Of a record that is too long.
  private var skipped = 0
  /// A record that does not end by then never does.
  private static let mostSkipped = 1 << 30
  private var number = 0
  /// The line that comes next, and that of the record's first byte.
  private var line = 1
  private var firstLine: Int?
  private var isAtStart = true
  private var isAtEnd = false

  /// - Parameters:
  ///   - range: the bytes of a file that are read; nil: all that comes.
  ///   - limit: the most bytes of a record.
  init(_ file: OpenedList, name: String, range: Range<Int>? = nil, limit: Int, splitter: any RecordSplitter) {
    self.file = file
    self.name = name
    self.limit = limit
    self.splitter = splitter
    offset = range?.lowerBound
    end = range?.upperBound ?? Int.max
    chunk = [UInt8](repeating: 0, count: 1 << 16)
  }

  /// The next record, blank ones included; nil at the end.
  ///
  /// - Throws: `inputUnreadable`, and `dataInvalid` for a list that is cut off.
  mutating func next() throws(OffprintError) -> Record? {
    while true {
      if position == count, try !refill() {
        if firstLine != nil { return take() }
        if let problem = splitter.problemAtEnd { throw OffprintError(.dataInvalid, "\(name) \(problem).") }
        return nil
      }
      if scan() { return take() }
      guard skipped <= Self.mostSkipped else {
        throw OffprintError(.limitExceeded, "\(name) has a record of more than \(Self.mostSkipped >> 20) MiB; it is read no further.")
      }
    }
  }

  /// - Returns: whether a record has ended.
  private mutating func scan() -> Bool {
    let (part, lines, linesBefore) = chunk.withUnsafeBytes { bytes in
      let next = UnsafeRawBufferPointer(rebasing: bytes[position..<count])
      let part = splitter.scan(next)
      return (part, Self.lineEnds(next[..<part.consumed]), Self.lineEnds(next[..<part.kept.lowerBound]))
    }
    if firstLine == nil && (part.isEnd || !part.kept.isEmpty) { firstLine = line + linesBefore }
    if isTooLong {
      skipped += part.kept.count
    } else {
      record.append(contentsOf: chunk[position + part.kept.lowerBound..<position + part.kept.upperBound])
      if record.count > limit {
        isTooLong = true
        record = []
      }
    }
    line += lines
    position += max(1, part.consumed)
    return part.isEnd
  }

  private static func lineEnds(_ bytes: Slice<UnsafeRawBufferPointer>) -> Int {
    var count = 0
    var rest = UnsafeRawBufferPointer(rebasing: bytes)
    while let start = rest.baseAddress, let found = memchr(start, 0x0A, rest.count) {
      count += 1
      rest = UnsafeRawBufferPointer(rebasing: rest[(UnsafeRawPointer(found) - start + 1)...])
    }
    return count
  }

  private mutating func take() -> Record {
    defer {
      record = []
      isTooLong = false
      skipped = 0
      firstLine = nil
    }
    number += 1
    return Record(number: number, line: firstLine ?? line, text: record, isTooLong: isTooLong)
  }

  private mutating func refill() throws(OffprintError) -> Bool {
    guard !isAtEnd else { return false }
    position = 0
    if let start = offset {
      count = try readAt(start)
      offset = start + count
    } else {
      count = try Files.read(file.descriptor, &chunk, name)
    }
    isAtEnd = count == 0
    // A byte order mark is none of the first record.
    if isAtStart && chunk[..<count].starts(with: [0xEF, 0xBB, 0xBF]) { position = 3 }
    isAtStart = false
    return !isAtEnd
  }

  private mutating func readAt(_ start: Int) throws(OffprintError) -> Int {
    let wanted = min(chunk.count, end - start)
    guard wanted > 0 else { return 0 }
    while true {
      let count = pread(file.descriptor, &chunk, wanted, start)
      if count >= 0 { return count }
      guard errno == EINTR else { throw OffprintError(.inputUnreadable, "\(name) cannot be read: \(errorText()).") }
    }
  }
}
