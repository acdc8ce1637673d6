public import OffprintCoreTypes

/// A resource loaded from the network.
public struct NetworkResource: Sendable {
  public var bytes: [UInt8]
  /// The URL after redirects, against which relative references are resolved.
  public var url: ResourceURL
  /// The `Content-Type` of the response.
  public var mimeType: String?
  public init(bytes: [UInt8], url: ResourceURL, mimeType: String?) { self.bytes = bytes; self.url = url; self.mimeType = mimeType }
}

/// Loads `http:` and `https:` URLs.
public protocol NetworkLoading: Sendable {
  /// The allowed hosts: rules of `HostRules`, in order.
  var hosts: [String] { get }
  /// - Parameters:
  ///   - limit: The size limit after decompression.
  ///   - allows: Whether a host may be contacted; also called for each redirect. Nil allows what the loader's own rules allow.
  func load(
    _ url: ResourceURL, limit: Int, deadline: Deadline, allows: (@Sendable (ResourceURL) -> Bool)?
  ) throws(ResourceError) -> NetworkResource
}

extension Diagnostic.Code {
  /// The `Content-Type` from the network does not fit the resource's use.
  public static var resourceWrongType: Diagnostic.Code { "resourceWrongType" }
}
