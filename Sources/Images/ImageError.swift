/// Why a picture could not be had from bytes.
public struct ImageError: Error, Hashable, Sendable {
  /// Stable names, for programs.
  public enum Code: String, Hashable, Sendable, CaseIterable {
    /// More pixels than `Limits.decodedPixels`, or than a picture may have.
    case imageTooLarge
    /// Known by its first bytes, and not a single row could be decoded.
    case imageDamaged
    /// None of the formats known here.
    case imageUnknownFormat
    /// Over a limit that all pictures of a page share, or that keeps a drawing from taking too much.
    case limitExceeded
    /// A library that writes the format is not installed.
    case formatUnavailable
    /// What should be a profile of colours is none, or none that colours can be turned into.
    case profileInvalid
    /// The render's time was up before the picture was decoded.
    case timedOut
  }

  public var code: Code
  /// One sentence for people.
  public var message: String

  public init(_ code: Code, _ message: String) {
    self.code = code
    self.message = message
  }
}

extension ImageError: CustomStringConvertible {
  public var description: String { "\(code.rawValue): \(message)" }
}
