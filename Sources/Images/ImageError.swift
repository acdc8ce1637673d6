/// Why an image could not be decoded or encoded.
public struct ImageError: Error, Hashable, Sendable {
  /// Stable names, for programs.
  public enum Code: String, Hashable, Sendable, CaseIterable {
    /// More pixels than `Limits.decodedPixels`, or than an image can have.
    case imageTooLarge
    /// The format was recognized, but not a single row could be decoded.
    case imageDamaged
    /// Not one of the supported formats.
    case imageUnknownFormat
    /// A limit shared by all images of a page, or one on the complexity of a drawing, was exceeded.
    case limitExceeded
    /// A library that encodes the format is not installed.
    case formatUnavailable
    /// The file is not an ICC profile, or not one that colors can be converted to.
    case profileInvalid
    /// The deadline passed before the image was decoded.
    case timedOut
  }

  public var code: Code
  /// A human-readable sentence.
  public var message: String

  public init(_ code: Code, _ message: String) {
    self.code = code
    self.message = message
  }
}

extension ImageError: CustomStringConvertible {
  public var description: String { "\(code.rawValue): \(message)" }
}
