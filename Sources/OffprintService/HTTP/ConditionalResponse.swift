import OffprintCoreTypes
import HTTPTypes
import Hummingbird
import NIOCore

/// A representation with its validator, for answering conditional and range requests.
///
/// https://www.rfc-editor.org/rfc/rfc9110#section-13
struct Representation: Sendable {
  /// Including its quotes.
  var entityTag: String
  var headers: HTTPFields
  var bytes: ByteBuffer

  /// Whether `If-None-Match` contains the tag. https://www.rfc-editor.org/rfc/rfc9110#section-13.1.2
  static func matches(_ header: String?, _ entityTag: String) -> Bool {
    guard let header else { return false }
    if header == "*" || header == entityTag { return true }
    return header.split(byte: ",").contains { item in
      let tag = item.trimmed
      return (tag.hasPrefix("W/") ? tag.dropFirst(2) : tag) == entityTag
    }
  }

  /// Checks `If-Match`, which a weak tag never satisfies. https://www.rfc-editor.org/rfc/rfc9110#section-13.1.1
  ///
  /// - Parameter entityTag: The current tag; nil if there is no representation.
  /// - Throws: `preconditionFailed`.
  static func checkMatch(_ headers: HTTPFields, _ entityTag: String?) throws(ServiceError) {
    let tags = headers[values: .ifMatch].flatMap { $0.split(byte: ",").map(\.trimmed) }
    guard headers[.ifMatch] != nil, entityTag == nil || !tags.contains(where: { $0 == "*" || $0 == entityTag ?? "" }) else { return }
    throw ServiceError(.preconditionFailed, "The image does not match If-Match.")
  }

  static func notModified(_ entityTag: String, _ headers: HTTPFields) -> Response {
    var kept = headers
    kept[.eTag] = entityTag
    kept[.contentType] = nil
    kept[.contentLength] = nil
    kept[.contentSecurityPolicy] = nil
    // Removed because some paths to this response do not know the diagnostics.
    kept[.offprintDiagnostics] = nil
    return Response(status: .notModified, headers: kept)
  }

  func response(to request: Request) -> Response {
    var headers = headers
    headers[.eTag] = entityTag
    let isSafe = request.method == .get || request.method == .head
    do {
      if isSafe { try Self.checkMatch(request.headers, entityTag) }
    } catch {
      return Problem(error).response(requestID: nil)
    }
    if isSafe, Self.matches(request.headers[.ifNoneMatch], entityTag) { return Self.notModified(entityTag, headers) }
    guard isSafe else { return Response(status: .ok, headers: headers, body: .init(byteBuffer: bytes)) }
    headers[.acceptRanges] = "bytes"
    guard let range = requestedRange(request) else { return whole(headers, request) }
    guard case .bytes(let bounds) = range else {
      headers[.contentRange] = "bytes */\(bytes.readableBytes)"
      let error = ServiceError(.rangeNotSatisfiable, "The range is outside the \(bytes.readableBytes) bytes.", headers: headers)
      return Problem(error).response(requestID: nil)
    }
    headers[.contentRange] = "bytes \(bounds.lowerBound)-\(bounds.upperBound - 1)/\(bytes.readableBytes)"
    let part = bytes.getSlice(at: bytes.readerIndex + bounds.lowerBound, length: bounds.count) ?? ByteBuffer()
    return Response(status: .partialContent, headers: headers, body: .init(byteBuffer: part))
  }

  private func whole(_ headers: HTTPFields, _ request: Request) -> Response {
    guard request.method == .head else { return Response(status: .ok, headers: headers, body: .init(byteBuffer: bytes)) }
    var headers = headers
    headers[.contentLength] = "\(bytes.readableBytes)"
    return Response(status: .ok, headers: headers)
  }

  // MARK: Ranges

  private enum Range { case bytes(Swift.Range<Int>), unsatisfiable }

  /// A single range. Requests for several ranges, and invalid ones, get the whole representation.
  /// https://www.rfc-editor.org/rfc/rfc9110#section-14.2
  private func requestedRange(_ request: Request) -> Range? {
    guard request.method == .get, let header = request.headers[.range], header.hasPrefix("bytes=") else { return nil }
    if let condition = request.headers[.ifRange], condition != entityTag { return nil }
    let ends = header.dropFirst(6).split(byte: "-", omittingEmptySubsequences: false).map(\.trimmed)
    guard ends.count == 2, ends.allSatisfy({ $0.utf8.count <= 18 && $0.utf8.allSatisfy { (0x30...0x39).contains($0) } }) else { return nil }
    let size = bytes.readableBytes
    switch (Int(ends[0]), Int(ends[1])) {
    case (nil, let last?): return last > 0 && size > 0 ? .bytes(max(0, size - last)..<size) : .unsatisfiable
    case (let first?, nil): return first < size && ends[1].isEmpty ? .bytes(first..<size) : .unsatisfiable
    case (let first?, let last?):
      guard first <= last else { return nil }
      return first < size ? .bytes(first..<min(size, last + 1)) : .unsatisfiable
    case (nil, nil): return nil
    }
  }
}

extension StringProtocol {
  /// Without spaces and tabs at both ends.
  var trimmed: SubSequence {
    trimming { $0 == " " || $0 == "\t" }
  }
}
