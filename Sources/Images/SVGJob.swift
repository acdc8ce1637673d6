internal import CCairo
internal import CCodecs
import CoreTypes
import Glibc
import Synchronization

/// An SVG that may take long, drawn on a thread of its own: the library cannot be interrupted, so that what takes too long is left to
/// end by itself, its picture unused.
final class SVGJob: @unchecked Sendable {
  /// Threads that were left.
  private static let abandoned = Atomic<Int>(0)
  private static let mostAbandoned = 8
  private static let seconds = 4

  private let image: VectorImage
  private var bitmap: Bitmap
  private var failure: ImageError?
  private let isDone: UnsafeMutablePointer<sem_t>
  private let wasLeft = Atomic<Bool>(false)

  private init(_ image: VectorImage, _ bitmap: Bitmap) {
    self.image = image
    self.bitmap = bitmap
    isDone = .allocate(capacity: 1)
    sem_init(isDone, 0, 0)
  }

  deinit {
    sem_destroy(isDone)
    isDone.deallocate()
  }

  /// Whether a document has what can take longer than its size and the picture's: filters, and elements used again and again.
  static func mayTakeLong(_ bytes: [UInt8]) -> Bool {
    if bytes.count > 1 << 18 { return true }
    var uses = 0
    for index in bytes.indices where bytes[index] == UInt8(ascii: "<") && index + 4 < bytes.count {
      let next = (bytes[index + 1], bytes[index + 2], bytes[index + 3])
      if next == (0x66, 0x65, bytes[index + 3]), bytes[index + 3] >= 0x41, bytes[index + 3] <= 0x5A { return true }
      if next == (0x75, 0x73, 0x65) { uses += 1 }
    }
    return uses >= 16
  }

  /// - Throws: `imageTooLarge` after some seconds, or at once where too many others still run.
  static func draw(_ image: VectorImage, into bitmap: Bitmap) throws(ImageError) -> Bitmap {
    let tooLong = ImageError(.imageTooLarge, "The SVG takes longer than \(seconds) s to draw.")
    guard abandoned.load(ordering: .relaxed) < mostAbandoned else { throw tooLong }
    let job = SVGJob(image, bitmap)
    var thread = pthread_t(), attributes = pthread_attr_t()
    pthread_attr_init(&attributes)
    pthread_attr_setstacksize(&attributes, 16 << 20)
    pthread_attr_setdetachstate(&attributes, Int32(PTHREAD_CREATE_DETACHED))
    defer { pthread_attr_destroy(&attributes) }
    let retained = Unmanaged.passRetained(job)
    let status = pthread_create(
      &thread, &attributes,
      { argument in
        if let argument { Unmanaged<SVGJob>.fromOpaque(argument).takeRetainedValue().run() }
        return nil
      }, retained.toOpaque())
    guard status == 0 else {
      retained.release()
      throw tooLong
    }
    guard job.wait() else {
      // It may have ended just now: then nobody is left to count it out.
      abandoned.add(1, ordering: .relaxed)
      if job.wasLeft.exchange(true, ordering: .acquiringAndReleasing) { abandoned.subtract(1, ordering: .relaxed) }
      throw tooLong
    }
    if let failure = job.failure { throw failure }
    return job.bitmap
  }

  private func run() {
    do throws(ImageError) { try image.fill(&bitmap) } catch { failure = error }
    if wasLeft.exchange(true, ordering: .acquiringAndReleasing) { Self.abandoned.subtract(1, ordering: .relaxed) }
    sem_post(isDone)
  }

  /// False when the time is up.
  private func wait() -> Bool {
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    time.tv_sec += Self.seconds
    while sem_timedwait(isDone, &time) != 0 { if errno != EINTR { return false } }
    return true
  }
}
