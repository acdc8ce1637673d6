import Glibc
import Offprint

/// One line of a list.
struct JobLine: Sendable {
  /// From 1 on.
  var number: Int
  var text: [UInt8]
  /// The line was longer than allowed: its text is not kept.
  var isTooLong = false
}

/// Reads a list line by line, in as much memory as its longest line takes.
struct LineReader: Sendable {
  private let descriptor: Int32
  private let name: String
  private let limit: Int
  /// Where to read next, for files that others read too; nil: wherever the descriptor stands.
  private var offset: Int?
  /// Where to stop.
  private let end: Int
  private var chunk: [UInt8]
  private var position = 0
  private var count = 0
  private var line: [UInt8] = []
  private var isTooLong = false
  private var number = 0
  private var isAtEnd = false

  /// - Parameters:
  ///   - range: the bytes of a file that are read; nil: all that comes.
  ///   - limit: the most bytes of a line.
  init(_ descriptor: Int32, name: String, range: Range<Int>? = nil, limit: Int) {
    self.descriptor = descriptor
    self.name = name
    self.limit = limit
    offset = range?.lowerBound
    end = range?.upperBound ?? Int.max
    chunk = [UInt8](repeating: 0, count: 1 << 16)
  }

  /// The next line that is not blank; nil at the end.
  mutating func next() throws(OffprintError) -> JobLine? {
    while true {
      if position == count, try !refill() {
        guard !line.isEmpty || isTooLong else { return nil }
        if let last = take() { return last }
        continue
      }
      let length = bytesToLineEnd()
      let isComplete = position + length < count
      if !isTooLong {
        line.append(contentsOf: chunk[position..<position + length])
        if line.count > limit {
          isTooLong = true
          line = []
        }
      }
      position += length + (isComplete ? 1 : 0)
      if isComplete, let line = take() { return line }
    }
  }

  private func bytesToLineEnd() -> Int {
    chunk.withUnsafeBytes { bytes in
      guard let start = bytes.baseAddress?.advanced(by: position) else { return 0 }
      return memchr(start, 0x0A, count - position).map { UnsafeRawPointer($0) - start } ?? count - position
    }
  }

  /// The line that has ended, unless it is blank.
  private mutating func take() -> JobLine? {
    defer {
      line = []
      isTooLong = false
    }
    number += 1
    if isTooLong { return JobLine(number: number, text: [], isTooLong: true) }
    if number == 1 { line = Files.withoutMark(line) }
    return line.allSatisfy { $0 <= 0x20 } ? nil : JobLine(number: number, text: line)
  }

  private mutating func refill() throws(OffprintError) -> Bool {
    guard !isAtEnd else { return false }
    position = 0
    if let start = offset {
      count = try readAt(start)
      offset = start + count
    } else {
      count = try Files.read(descriptor, &chunk, name)
    }
    isAtEnd = count == 0
    return !isAtEnd
  }

  private mutating func readAt(_ start: Int) throws(OffprintError) -> Int {
    let wanted = min(chunk.count, end - start)
    guard wanted > 0 else { return 0 }
    while true {
      let count = pread(descriptor, &chunk, wanted, start)
      if count >= 0 { return count }
      guard errno == EINTR else { throw OffprintError(.inputUnreadable, "\(name) cannot be read: \(errorText()).") }
    }
  }
}
