import OffprintCommandLine
import Offprint

/// The object behind an `offprint_result`.
final class ResultBox {
  let data: UnsafeMutableBufferPointer<UInt8>
  /// NUL-terminated.
  let json: UnsafeMutableBufferPointer<UInt8>
  let isError: Bool

  init(_ answer: EmbeddedRenderer.Answer) {
    data = .copying(answer.data)
    json = .copying(Array(answer.json.utf8) + [0])
    isError = false
  }

  init(_ error: OffprintError) {
    data = .copying([])
    json = .copying(Array(EmbeddedRenderer.json(error).utf8) + [0])
    isError = true
  }

  deinit {
    data.deallocate()
    json.deallocate()
  }
}

extension UnsafeMutableBufferPointer<UInt8> {
  fileprivate static func copying(_ bytes: [UInt8]) -> Self {
    let buffer = Self.allocate(capacity: bytes.count)
    _ = buffer.initialize(fromContentsOf: bytes)
    return buffer
  }
}

/// An opaque C pointer that owns a Swift object.
func handle(_ object: some AnyObject) -> UnsafeMutableRawPointer { Unmanaged.passRetained(object).toOpaque() }

/// The object that a handle owns. Handles must come from this library; any other pointer is undefined behavior, as usual in C.
func object<Object: AnyObject>(_ handle: UnsafeRawPointer, as type: Object.Type) -> Object {
  Unmanaged<Object>.fromOpaque(handle).takeUnretainedValue()
}

func release<Object: AnyObject>(_ handle: UnsafeRawPointer, as type: Object.Type) { Unmanaged<Object>.fromOpaque(handle).release() }

/// The bytes passed by a caller; empty for NULL.
func bytes(_ start: UnsafeRawPointer?, _ count: Int) -> [UInt8] {
  guard let start, count > 0 else { return [] }
  return Array(UnsafeRawBufferPointer(start: start, count: count))
}

/// The result of `body`, or its error, as a C handle.
func result(_ body: () throws(OffprintError) -> EmbeddedRenderer.Answer) -> UnsafeMutableRawPointer {
  do throws(OffprintError) { return handle(ResultBox(try body())) } catch { return handle(ResultBox(error)) }
}
