package import OffprintCoreTypes

/// Why an operation of a remote store failed.
package struct RemoteFailure: Error, Hashable, Sendable {
  /// One sentence without its period, without secrets.
  package var message: String
  /// The store answered and refused this request; others may succeed.
  package var isRefusal: Bool

  package init(_ message: String, isRefusal: Bool = false) {
    self.message = message
    self.isRefusal = isRefusal
  }
}

/// A store of byte strings on another machine. Its methods block, each for its own time limit at most, and can be called from any thread.
package protocol RemoteObjects: Sendable {
  /// For messages; contains no secrets.
  var address: String { get }
  /// Nil if the object does not exist.
  func read(_ key: CacheKey, limit: Int, deadline: Deadline) throws(RemoteFailure) -> [UInt8]?
  func contains(_ key: CacheKey) throws(RemoteFailure) -> Bool
  func write(_ key: CacheKey, _ bytes: [UInt8]) throws(RemoteFailure)
  /// Succeeds if the object does not exist.
  func remove(_ key: CacheKey) throws(RemoteFailure)
}
