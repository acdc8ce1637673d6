package import OffprintCoreTypes

/// Why an operation of a remote store failed.
package struct RemoteFailure: Error, Hashable, Sendable {
  /// One sentence without its period, without secrets.
  package var message: String
  /// The store answered and refused this request; others may succeed.
  package var isRefusal: Bool
  /// Trying again does not help until the configuration or the machine changes: a library is missing, or the password is wrong.
  package var isPermanent: Bool

  package init(_ message: String, isRefusal: Bool = false, isPermanent: Bool = false) {
    self.message = message
    self.isRefusal = isRefusal
    self.isPermanent = isPermanent
  }
}

/// The name of an object in a remote store.
package struct RemoteName: Hashable, Sendable {
  package enum Kind: String, Hashable, Sendable {
    case image
    /// The image that an identifier names.
    case name
    case owner
  }

  package var kind: Kind
  /// 64 hexadecimal digits: a key, or the SHA-256 of an identifier.
  package var digits: String

  package static func image(_ key: CacheKey) -> RemoteName { RemoteName(kind: .image, digits: key.description) }

  static func name(_ identifier: String) -> RemoteName { RemoteName(kind: .name, digits: digest(identifier)) }
  static func owner(_ identifier: String) -> RemoteName { RemoteName(kind: .owner, digits: digest(identifier)) }

  /// The hexadecimal SHA-256 of an identifier or a tag, which can contain any characters.
  static func digest(_ text: String) -> String { Hex.encode(SHA256.hash(Array(text.utf8))) }
}

/// A message to all machines that share a store, and its position in the list.
package struct RemoteMessage: Hashable, Sendable {
  package var position: String
  package var bytes: [UInt8]

  package init(position: String, bytes: [UInt8]) {
    self.position = position
    self.bytes = bytes
  }
}

/// A store of byte strings on another machine. Its methods block, each for its own time limit at most, and can be called from any thread.
package protocol RemoteObjects: Sendable {
  /// For messages; contains no secrets.
  var address: String { get }
  /// Nil if the object does not exist.
  func read(_ name: RemoteName, limit: Int, deadline: Deadline) throws(RemoteFailure) -> [UInt8]?
  func contains(_ name: RemoteName) throws(RemoteFailure) -> Bool
  func write(_ name: RemoteName, _ bytes: [UInt8]) throws(RemoteFailure)
  /// Writes an object that does not exist yet; false if it exists.
  func create(_ name: RemoteName, _ bytes: [UInt8]) throws(RemoteFailure) -> Bool
  /// Succeeds for objects that do not exist.
  func remove(_ names: [RemoteName]) throws(RemoteFailure)

  /// Adds an image to those with a tag, which is given by its digest.
  func add(_ key: CacheKey, toTag digest: String) throws(RemoteFailure)
  /// The images with a tag.
  func keys(ofTag digest: String) throws(RemoteFailure) -> [CacheKey]
  func removeTag(_ digest: String) throws(RemoteFailure)

  /// Sends a message to all machines, which is kept for a week or for the next 10,000 messages.
  func announce(_ bytes: [UInt8]) throws(RemoteFailure)
  /// The position of the latest message. Removes messages that are too old.
  func latestPosition() throws(RemoteFailure) -> String
  /// The messages after a position, in order; may repeat earlier ones. If the store supports it, waits for a message to arrive.
  func messages(after position: String, waiting: Duration) throws(RemoteFailure) -> [RemoteMessage]
  /// Whether messages after a position may have been dropped.
  func hasDropped(after position: String) throws(RemoteFailure) -> Bool
  /// How often to ask for messages; nil if `messages` waits for them.
  var pollingInterval: Duration? { get }

  /// Writes, reads and removes an object, to find out whether the store can be used.
  func probe(isReadOnly: Bool) throws(RemoteFailure)
}

extension RemoteObjects {
  package func read(_ key: CacheKey, limit: Int, deadline: Deadline) throws(RemoteFailure) -> [UInt8]? {
    try read(.image(key), limit: limit, deadline: deadline)
  }
  package func contains(_ key: CacheKey) throws(RemoteFailure) -> Bool { try contains(.image(key)) }
  package func write(_ key: CacheKey, _ bytes: [UInt8]) throws(RemoteFailure) { try write(.image(key), bytes) }

  package func probe(isReadOnly: Bool) throws(RemoteFailure) {
    let name = RemoteName(kind: .name, digits: RemoteName.digest("offprint probe"))
    _ = try read(name, limit: 1 << 10, deadline: .never)
    if isReadOnly { return }
    try write(name, Array("probe".utf8))
    try remove([name])
  }
}
