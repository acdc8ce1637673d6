import OffprintCoreTypes
import OffprintTypography

@testable import Offprint

/// Uses any bytes as a Mustache template and its JSON data, separated by a NUL byte.
@_cdecl("LLVMFuzzerTestOneInput") public func fuzzTemplates(_ data: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  let bytes = Array(UnsafeBufferPointer(start: data, count: count))
  let parts = bytes.split(separator: 0, maxSplits: 1, omittingEmptySubsequences: false)
  var request = RenderRequest(html: Array("<p>body".utf8))
  request.template = .mustache(source: String(decoding: parts[0], as: UTF8.self), name: "t")
  request.attributes = ["a": "b"]
  if parts.count > 1 { request.data = Array(parts[1]) }
  request.limits.seconds = 2
  _ = try? PreparedRequest(request, fonts: fonts, deadline: Deadline(after: .seconds(2)))
  return 0
}

private let fonts = FontRegistry(folders: [])
