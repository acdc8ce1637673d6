public import OffprintCoreTypes

/// What a network gave.
public struct NetworkResource: Sendable {
  public var bytes: [UInt8]
  /// After redirects: relative references are resolved against it.
  public var url: ResourceURL
  /// As the server said.
  public var mimeType: String?
  public init(bytes: [UInt8], url: ResourceURL, mimeType: String?) { self.bytes = bytes; self.url = url; self.mimeType = mimeType }
}

/// Gets what pages refer to by `http:` and `https:`.
public protocol NetworkLoading: Sendable {
  /// What it may be asked for: rules as of `HostRules`, in order.
  var hosts: [String] { get }
  /// - Parameters:
  ///   - limit: more bytes, after they are unpacked, are refused.
  ///   - allows: whether a host may be asked; also asked for each redirect. Nil: whatever the loader's own rules allow.
  func load(
    _ url: ResourceURL, limit: Int, deadline: Deadline, allows: (@Sendable (ResourceURL) -> Bool)?
  ) throws(ResourceError) -> NetworkResource
}

extension Diagnostic.Code {
  /// What came over the network is of a type that cannot be what it is used for.
  public static var resourceWrongType: Diagnostic.Code { "resourceWrongType" }
}
