import HTTPTypes
import Hummingbird
import NIOCore
import Offprint
import OffprintCoreTypes

/// The stretchable image of a URL: `/background/{color}.png`.
struct BackgroundImage: Sendable {
  private var color: Color
  private var size: (width: Int, height: Int)
  private var capInsets: [Int]
  private var alpha: Double
  private var pixel: String
  private var scale: Int
  private var stretched: (width: Int, height: Int)?

  /// - Throws: `usage`; `limitExceeded` for more pixels than the service allows.
  init(_ call: RouteCall, _ settings: ServiceSettings) throws(OffprintError) {
    // In a path, # is %23; it can be omitted before hexadecimal colors.
    let name = call.parameter("color"), query = call.query
    guard let color = Renderer.color(name) ?? Renderer.color("#" + name) else {
      throw OffprintError(.usage, "'\(name.prefix(100))' is not a CSS color.")
    }
    self.color = color
    size = try Self.size(query["size"] ?? "5x5", maximum: 1024, "size")
    capInsets = (query["cap-insets"] ?? "2,2,2,2").split(byte: ",").compactMap { Int($0) }.filter { (0...1024).contains($0) }
    alpha = try Self.number(query, "alpha", 0.99, 0...1)
    pixel = query["pixel"] ?? "top-right"
    scale = try Self.number(query, "scale", 1, 1...4)
    if let text = query["stretch"] { stretched = try Self.size(text, maximum: 4096, "stretch") }
    let drawn = stretched ?? (size.width * scale, size.height * scale)
    guard drawn.width * drawn.height <= settings.maxPixels else {
      throw OffprintError(.limitExceeded, "The image exceeds the limit 'max-pixels' (\(settings.maxPixels)) of the service.")
    }
  }

  /// - Throws: `timedOut` if no worker was free in time, rendering errors, and `CancellationError` if the client disconnects.
  func response(_ service: Service, _ call: RouteCall) async throws -> Response {
    let bytes = try await service.onWorker(call) { () throws(OffprintError) -> [UInt8] in try draw() }
    var headers: HTTPFields = [.cacheControl: "public, max-age=\(service.settings.maxAge)"]
    headers.setImage(.png)
    return Representation(entityTag: EntityTag.of(SHA256.hash(bytes)), headers: headers, bytes: ByteBuffer(bytes: bytes)).response(
      to: call.request)
  }

  private func draw() throws(OffprintError) -> [UInt8] {
    let background = try StretchableBackground(
      color: color, width: size.width, height: size.height, capInsets: capInsets, alpha: alpha, pixel: pixel, scale: scale)
    guard let stretched else { return try background.files(.png).first?.bytes ?? [] }
    return try background.stretched(width: stretched.width, height: stretched.height)
  }

  private static func number<Value: LosslessStringConvertible & Comparable>(
    _ query: QueryItems, _ name: String, _ usual: Value, _ range: ClosedRange<Value>
  ) throws(OffprintError) -> Value {
    guard let text = query[name] else { return usual }
    guard let value = Value(text), range.contains(value) else {
      throw OffprintError(.usage, "\"\(name)\" must be \(range.lowerBound) to \(range.upperBound).")
    }
    return value
  }

  private static func size(_ text: String, maximum: Int, _ name: String) throws(OffprintError) -> (width: Int, height: Int) {
    let parts = text.split(byte: "x", omittingEmptySubsequences: false).map { Int($0) }
    guard parts.count == 2, let width = parts[0], let height = parts[1], (1...maximum).contains(width), (1...maximum).contains(height)
    else {
      throw OffprintError(.usage, "\"\(name)\" must be WxH, each 1 to \(maximum).")
    }
    return (width, height)
  }
}

extension Service {
  /// Runs work other than rendering a page on a worker, with the same queue and time limit.
  func onWorker<Value: Sendable>(
    _ call: RouteCall, _ work: @escaping @Sendable () throws(OffprintError) -> Value
  ) async throws -> Value {
    let seconds = settings.requestSeconds, renderer = call.engine.renderer
    return try await call.monitor.watching {
      try await withThrowingTaskGroup(of: Value.self) { group in
        group.addTask { try await renderer.work(work) }
        group.addTask {
          try await Task.sleep(for: .seconds(seconds))
          throw OffprintError(.timedOut, "The image was not ready within \(JSONText.number(seconds)) s, including waiting for a worker.")
        }
        defer { group.cancelAll() }
        guard let first = try await group.next() else { throw CancellationError() }
        return first
      }
    }
  }
}
