public import OffprintCoreTypes

/// Why a resource was not loaded: a stable code for programs, and a sentence for people.
public struct ResourceError: Error, Hashable, Sendable, CustomStringConvertible {
  public var code: Diagnostic.Code
  public var url: String
  /// One sentence that says what to do.
  public var message: String

  public init(_ code: Diagnostic.Code, url: String, _ message: String) {
    self.code = code
    self.url = url
    self.message = message
  }

  public var description: String { "\(code.rawValue): \(message)" }

  /// The URL, shortened for messages, since a `data:` URL can be megabytes long.
  static func display(_ url: String) -> String {
    url.utf8.count <= 200 ? url : String(decoding: url.utf8.prefix(160), as: UTF8.self) + "…"
  }
}

extension Diagnostic.Code {
  /// A rule forbids it: a file outside of the allowed folders, something other than a regular file, a network address.
  public static var resourceRefused: Diagnostic.Code { "resourceRefused" }
  /// The file does not exist.
  public static var resourceMissing: Diagnostic.Code { "resourceMissing" }
  /// The rules allow it, but reading fails.
  public static var resourceUnreadable: Diagnostic.Code { "resourceUnreadable" }
  /// The URL is invalid, or relative without a base.
  public static var resourceInvalidURL: Diagnostic.Code { "resourceInvalidURL" }
  /// `resourceBytes`, `loadedBytes` or `resources` was exceeded.
  public static var limitExceeded: Diagnostic.Code { "limitExceeded" }
}
