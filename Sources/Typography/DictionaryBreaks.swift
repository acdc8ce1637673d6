internal import COffprintPango
internal import OffprintCoreTypes
internal import Glibc

/// Word boundaries in scripts without spaces between words: Thai, Lao, Burmese and Khmer. Uses the dictionaries of ICU, as Chromium does.
///
/// ICU is loaded when a text first needs it. Without it, Thai is segmented by libthai if Pango supports it, and the other scripts are not
/// segmented.
enum DictionaryBreaks {
  /// The maximum number of characters of a run without spaces to segment. The time for a run increases faster than its length.
  static let longestRun = 16_384

  /// Letters, marks, digits and signs of these scripts (line breaking class SA, and characters used among it).
  static func isCovered(_ c: UInt32) -> Bool {
    switch c {
    case 0x0e01...0x0e3a, 0x0e40...0x0e4e, 0x0e81...0x0ebd, 0x0ec0...0x0ecd, 0x0edc...0x0edf, 0x1000...0x103f, 0x1050...0x108f,
      0x109a...0x109f, 0x1780...0x17d3, 0x17d7, 0x17dc...0x17dd, 0xa9e0...0xa9ef, 0xa9fa...0xa9fe, 0xaa60...0xaa7f:
      true
    default: false
    }
  }

  /// Sets the soft wrap opportunities inside runs of these scripts.
  /// - Parameter starts: The byte offsets of the characters, and the end of the text.
  static func apply(_ result: inout [TextBoundary], _ text: UnsafeBufferPointer<UInt8>, _ starts: [Int]) {
    var index = 0
    while index + 1 < starts.count {
      guard text[starts[index]] >= 0xe0, isCovered(codepoint(text, starts, index)) else {
        index += 1
        continue
      }
      let first = index
      while index + 1 < starts.count, isCovered(codepoint(text, starts, index)) { index += 1 }
      joinEdges(&result, text, starts, first..<index)
      guard index - first > 1 else { continue }
      let end = min(index, first + longestRun)
      let characters = (first..<end).map { UInt16(truncatingIfNeeded: codepoint(text, starts, $0)) }
      guard let breaks = ICU.loaded?.lineBreaks(characters) else { return }
      for character in first + 1..<end {
        if breaks[character - first] { result[starts[character]].insert(.lineBreak) } else { result[starts[character]].remove(.lineBreak) }
      }
    }
  }

  /// At its boundaries to other text, such a run is treated as alphabetic. https://www.unicode.org/reports/tr14/#LB1
  private static func joinEdges(
    _ result: inout [TextBoundary], _ text: UnsafeBufferPointer<UInt8>, _ starts: [Int], _ run: Range<Int>
  ) {
    if run.lowerBound > 0, LineBreakClass(codepoint(text, starts, run.lowerBound - 1)).holdsLetterBehind {
      result[starts[run.lowerBound]].remove(.lineBreak)
    }
    guard run.upperBound + 1 < starts.count else { return }
    let next = codepoint(text, starts, run.upperBound), kind = LineBreakClass(next)
    if kind.holdsLetterBefore || kind.isOpening && g_unichar_iswide(next) == 0 { result[starts[run.upperBound]].remove(.lineBreak) }
  }

  private static func codepoint(_ text: UnsafeBufferPointer<UInt8>, _ starts: [Int], _ index: Int) -> UInt32 {
    UTF8Decoding.decode(text, at: starts[index], end: text.count).codepoint
  }
}

/// The C interface of ICU's break iterators. https://unicode-org.github.io/icu-docs/apidoc/released/icu4c/ubrk_8h.html
private struct ICU: @unchecked Sendable {
  private typealias Open =
    @convention(c) (Int32, UnsafePointer<CChar>?, UnsafePointer<UInt16>?, Int32, UnsafeMutablePointer<Int32>) ->
    OpaquePointer?
  private typealias Clone = @convention(c) (OpaquePointer?, UnsafeMutablePointer<Int32>) -> OpaquePointer?
  private typealias OldClone =
    @convention(c) (OpaquePointer?, UnsafeMutableRawPointer?, UnsafeMutablePointer<Int32>?, UnsafeMutablePointer<Int32>) -> OpaquePointer?
  private typealias Close = @convention(c) (OpaquePointer?) -> Void
  private typealias SetText = @convention(c) (OpaquePointer?, UnsafePointer<UInt16>?, Int32, UnsafeMutablePointer<Int32>) -> Void
  private typealias Next = @convention(c) (OpaquePointer?) -> Int32

  /// A prototype whose copies are used, because opening an iterator is expensive and copying it is cheap.
  private let original: OpaquePointer
  private let copy: (OpaquePointer) -> OpaquePointer?
  private let close: Close
  private let setText: SetText
  private let next: Next

  private static let lineIterator: Int32 = 2
  private static let newest = 90, oldest = 60

  /// Nil without ICU. Opened by the first text that needs it.
  static let loaded: ICU? = {
    for version in stride(from: newest, through: oldest, by: -1) {
      if let library = SharedLibraries.open("libicuuc.so.\(version)"), let found = ICU(library, version) { return found }
    }
    return nil
  }()

  private init?(_ library: UnsafeMutableRawPointer, _ version: Int) {
    func function<F>(_ name: String, _ type: F.Type) -> F? {
      dlsym(library, "\(name)_\(version)").map { unsafeBitCast($0, to: type) }
    }
    guard let open = function("ubrk_open", Open.self), let close = function("ubrk_close", Close.self),
      let setText = function("ubrk_setText", SetText.self), let next = function("ubrk_next", Next.self)
    else { return nil }
    var status: Int32 = 0
    // The dictionary is chosen by script; the machine's locale must not matter.
    guard let original = open(Self.lineIterator, "en", nil, 0, &status), status <= 0 else { return nil }
    (self.original, self.close, self.setText, self.next) = (original, close, setText, next)
    // `ubrk_clone` was introduced in ICU 69.
    if let clone = function("ubrk_clone", Clone.self) {
      copy = { iterator in
        var status: Int32 = 0
        return clone(iterator, &status)
      }
    } else if let clone = function("ubrk_safeClone", OldClone.self) {
      copy = { iterator in
        var status: Int32 = 0
        return clone(iterator, nil, nil, &status)
      }
    } else {
      return nil
    }
  }

  /// Whether there is an opportunity before each UTF-16 code unit; nil if memory cannot be allocated.
  func lineBreaks(_ text: [UInt16]) -> [Bool]? {
    guard let length = Int32(exactly: text.count), let iterator = copy(original) else { return nil }
    defer { close(iterator) }
    var result = [Bool](repeating: false, count: text.count), status: Int32 = 0
    let isDone = text.withUnsafeBufferPointer { buffer -> Bool in
      setText(iterator, buffer.baseAddress, length, &status)
      guard status <= 0 else { return false }
      while true {
        let place = Int(next(iterator))
        guard place >= 0, place < text.count else { return true }
        result[place] = true
      }
    }
    return isDone ? result : nil
  }
}

/// Opens ICU now instead of for the first text that needs it.
package enum DictionaryBreakLibrary {
  package static func open() { _ = ICU.loaded }
}
