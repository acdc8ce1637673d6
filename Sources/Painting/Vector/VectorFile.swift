internal import COffprintCairo
import OffprintCoreTypes
import OffprintImages

/// Collects a file written by cairo in memory.
final class VectorFile {
  private(set) var bytes: [UInt8] = []
  private let deadline: Deadline
  /// Whether the rest of cairo's output is discarded after an error.
  private var isAbandoned = false

  init(deadline: Deadline) { self.deadline = deadline }

  static var failure: ImageError { ImageError(.imageTooLarge, "There is not enough memory to encode the document.") }

  /// - Parameters:
  ///   - make: Creates the surface. Its output goes to the given function and pointer.
  ///   - draw: Draws into a context of the surface. Its result is retained until the file is complete.
  /// - Throws: The errors of `draw`, `DeadlineExceeded`; `imageTooLarge` if out of memory.
  func write<Value>(
    _ make: (cairo_write_func_t, UnsafeMutableRawPointer) -> OpaquePointer?,
    _ draw: (_ surface: OpaquePointer, _ context: OpaquePointer) throws -> Value
  ) throws -> Value {
    defer { withExtendedLifetime(self) {} }
    guard let surface = make(Self.take, Unmanaged.passUnretained(self).toOpaque()) else { throw Self.failure }
    defer { cairo_surface_destroy(surface) }
    guard let context = cairo_create(surface) else { throw Self.failure }
    defer { cairo_destroy(context) }
    do {
      let value = try draw(surface, context)
      cairo_surface_finish(surface)
      guard cairo_status(context) == CAIRO_STATUS_SUCCESS, cairo_surface_status(surface) == CAIRO_STATUS_SUCCESS else {
        try deadline.check()
        throw Self.failure
      }
      return value
    } catch {
      isAbandoned = true
      Self.forget(surface)
      cairo_surface_finish(surface)
      throw error
    }
  }

  /// Discards the recorded content of the current page. Otherwise finishing the surface would write it, with its images.
  private static func forget(_ surface: OpaquePointer) {
    guard let context = cairo_create(surface) else { return }
    cairo_set_operator(context, CAIRO_OPERATOR_CLEAR)
    cairo_paint(context)
    cairo_destroy(context)
  }

  private static var take: cairo_write_func_t {
    { pointer, data, count in
      guard let pointer, let data else { return CAIRO_STATUS_WRITE_ERROR }
      let file = Unmanaged<VectorFile>.fromOpaque(pointer).takeUnretainedValue()
      // Cairo writes a page after it has been recorded completely. This callback is the only place to interrupt that.
      guard !file.isAbandoned, !file.deadline.hasPassed else { return CAIRO_STATUS_WRITE_ERROR }
      file.bytes.append(contentsOf: UnsafeBufferPointer(start: data, count: Int(count)))
      return CAIRO_STATUS_SUCCESS
    }
  }
}
