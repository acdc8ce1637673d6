package import OffprintCoreTypes

/// Why a store on another machine did not do what it should.
package struct RemoteFailure: Error, Hashable, Sendable {
  /// One sentence without its full stop, without secrets.
  package var message: String
  /// It answered, and refused: it may do other things.
  package var isRefusal: Bool

  package init(_ message: String, isRefusal: Bool = false) {
    self.message = message
    self.isRefusal = isRefusal
  }
}

/// A store of byte strings on another machine. Its methods block, each for no longer than it was told, and may be called from any thread.
package protocol RemoteObjects: Sendable {
  /// For messages: without secrets.
  var address: String { get }
  /// Nil where there is none.
  func read(_ key: CacheKey, limit: Int, deadline: Deadline) throws(RemoteFailure) -> [UInt8]?
  func contains(_ key: CacheKey) throws(RemoteFailure) -> Bool
  func write(_ key: CacheKey, _ bytes: [UInt8]) throws(RemoteFailure)
  /// No error where there is none.
  func remove(_ key: CacheKey) throws(RemoteFailure)
}
