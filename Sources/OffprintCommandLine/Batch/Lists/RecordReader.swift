import OffprintCoreTypes
import Glibc
import Offprint

/// Finds the ends of records in input that arrives in arbitrary pieces.
protocol RecordSplitter: Sendable {
  /// Scans the next bytes; consumes at least one.
  mutating func scan(_ bytes: UnsafeRawBufferPointer) -> RecordPart
  /// What is wrong if the list ends here; nil if it may end.
  var problemAtEnd: String? { get }
}

extension RecordSplitter {
  var problemAtEnd: String? { nil }
}

/// The result of `scan`.
struct RecordPart {
  /// The number of bytes consumed.
  var consumed: Int
  /// The range of them that belongs to the record.
  var kept: Range<Int>
  var isEnd: Bool
}

/// The bytes of one record.
struct Record: Sendable {
  /// From 1.
  var number: Int
  /// The line at which it begins, from 1.
  var line: Int
  var text: [UInt8]
  /// It was longer than allowed, and its text was dropped.
  var isTooLong = false
}

/// Owns a descriptor, and closes it when released.
final class OpenedList: Sendable {
  let descriptor: Int32
  private let isOwned: Bool
  init(_ descriptor: Int32, isOwned: Bool) { self.descriptor = descriptor; self.isOwned = isOwned }
  deinit { if isOwned { close(descriptor) } }
}

/// Reads a list record by record; memory use is bounded by the longest record.
struct RecordReader: Sendable {
  private let file: OpenedList
  private let name: String
  private let limit: Int
  /// The next offset, for files that others read as well; nil to read from the descriptor's position.
  private var offset: Int?
  /// Where to stop.
  private let end: Int
  private var splitter: any RecordSplitter
  private var chunk: [UInt8]
  private var position = 0
  private var count = 0
  private var record: [UInt8] = []
  private var isTooLong = false
  /// Bytes skipped of a record that is too long.
  private var skipped = 0
  /// A longer record is assumed never to end.
  private static let maximumSkipped = 1 << 30
  private var number = 0
  /// The current line, and the line of the record's first byte.
  private var line = 1
  private var firstLine: Int?
  private var isAtStart = true
  private var isAtEnd = false

  /// - Parameters:
  ///   - range: The bytes of a file to read; nil to read everything.
  ///   - limit: The maximum size of a record in bytes.
  init(_ file: OpenedList, name: String, range: Range<Int>? = nil, limit: Int, splitter: any RecordSplitter) {
    self.file = file
    self.name = name
    self.limit = limit
    self.splitter = splitter
    offset = range?.lowerBound
    end = range?.upperBound ?? Int.max
    chunk = [UInt8](repeating: 0, count: 1 << 16)
  }

  /// The next record, which may be blank; nil at the end.
  ///
  /// - Throws: `inputUnreadable`, and `dataInvalid` for a truncated list.
  mutating func next() throws(OffprintError) -> Record? {
    while true {
      if position == count, try !refill() {
        if firstLine != nil { return take() }
        if let problem = splitter.problemAtEnd { throw OffprintError(.dataInvalid, "\(name) \(problem).") }
        return nil
      }
      if scan() { return take() }
      guard skipped <= Self.maximumSkipped else {
        throw OffprintError(.limitExceeded, "\(name) has a record of more than \(Self.maximumSkipped >> 20) MiB; reading stopped there.")
      }
    }
  }

  /// - Returns: Whether a record has ended.
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
    // A byte order mark is not part of the first record.
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
