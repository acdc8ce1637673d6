public import OffprintCoreTypes

/// Why a resource was not loaded. Stable codes for programs, a sentence for people.
public struct ResourceError: Error, Hashable, Sendable, CustomStringConvertible {
  public var code: Diagnostic.Code
  public var url: String
  /// A sentence that says what to do.
  public var message: String

  public init(_ code: Diagnostic.Code, url: String, _ message: String) {
    self.code = code
    self.url = url
    self.message = message
  }

  public var description: String { "\(code.rawValue): \(message)" }

  /// The URL shortened for messages: a `data:` URL can be megabytes.
  static func display(_ url: String) -> String {
    url.utf8.count <= 200 ? url : String(decoding: url.utf8.prefix(160), as: UTF8.self) + "…"
  }
}

extension Diagnostic.Code {
  /// A rule forbids it: a file outside the allowed folders, something that is no regular file, a network address.
  public static var resourceRefused: Diagnostic.Code { "resourceRefused" }
  /// There is no such file.
  public static var resourceMissing: Diagnostic.Code { "resourceMissing" }
  /// It is there and may be read by the rules, but reading fails.
  public static var resourceUnreadable: Diagnostic.Code { "resourceUnreadable" }
  /// The URL cannot be understood, or has no base to be resolved against.
  public static var resourceInvalidURL: Diagnostic.Code { "resourceInvalidURL" }
  /// `resourceBytes`, `loadedBytes` or `resources` was exceeded.
  public static var limitExceeded: Diagnostic.Code { "limitExceeded" }
}
