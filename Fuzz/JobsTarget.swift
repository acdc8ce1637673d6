@testable import Offprint

/// Uses any bytes as a line of a job list: JSON is parsed and serialized.
@_cdecl("LLVMFuzzerTestOneInput") public func fuzzJobs(_ data: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  let bytes = Array(UnsafeBufferPointer(start: data, count: count))
  guard let value = JSONValue(parsing: bytes) else { return 0 }
  precondition(JSONValue(parsing: Array(value.text.utf8)) == value, "what was written is read as the same")
  return 0
}
