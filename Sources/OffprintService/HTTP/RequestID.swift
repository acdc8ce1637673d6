import HTTPTypes
import Synchronization

/// Numbers the requests of a service, starting from a random number.
final class RequestIDs: Sendable {
  private let counter = Atomic<UInt64>(UInt64.random(in: 0 ... .max))

  /// The client's request ID if it is harmless, otherwise a new one.
  func of(_ headers: HTTPFields) -> String {
    if let given = headers[.requestID], RequestID.isHarmless(given) { return given }
    return RequestID.text(number())
  }

  func number() -> UInt64 { counter.wrappingAdd(0x9E37_79B9_7F4A_7C15, ordering: .relaxed).newValue }
}

/// Request IDs.
enum RequestID {
  /// 16 hexadecimal digits.
  static func text(_ number: UInt64) -> String {
    String(unsafeUninitializedCapacity: 16) { buffer in
      write(number, to: UnsafeMutableRawBufferPointer(buffer))
      return 16
    }
  }

  static func write(_ number: UInt64, to bytes: UnsafeMutableRawBufferPointer) {
    for index in 0..<min(16, bytes.count) {
      let digit = UInt8(truncatingIfNeeded: number >> UInt64(60 - 4 * index)) & 15
      bytes[index] = digit + (digit < 10 ? UInt8(ascii: "0") : UInt8(ascii: "a") - 10)
    }
  }

  /// Whether the text cannot be misinterpreted in a log, a terminal or a header.
  static func isHarmless(_ text: String) -> Bool {
    (1...128).contains(text.utf8.count)
      && text.utf8.allSatisfy {
        (0x30...0x39).contains($0) || (0x41...0x5A).contains($0) || (0x61...0x7A).contains($0) || $0 == UInt8(ascii: "-")
          || $0 == UInt8(ascii: "_") || $0 == UInt8(ascii: ".")
      }
  }
}
