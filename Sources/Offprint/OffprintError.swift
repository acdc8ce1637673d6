import OffprintCoreTypes
import OffprintImages
import OffprintResources

#if FOUNDATION
  public import Foundation
#endif

/// Why a render failed: a stable code with an exit code and an HTTP status.
public struct OffprintError: Error, Hashable, Sendable, Codable {
  /// The kinds of failure. Names are stable; each has an exit code and an HTTP status.
  public enum Code: String, Hashable, Sendable, Codable, CaseIterable {
    case usage, inputNotFound, inputUnreadable, inputIsFolder, inputDamaged, templateUnknown, templateAttributeUnknown,
      templateAttributeInvalid, templateAttributeMissing,
      templateInvalid, dataInvalid, selectorInvalid, selectorUnmatched, renderFailed, limitExceeded, timedOut, resourceMissing,
      resourceDamaged, resourceRefused, fontUnreadable, missingGlyph, textClipped, scriptIgnored, fontPackUnknown, fontPackMissing,
      outputUnwritable,
      cacheUnusable,
      shutDown, queueFull, cancelled, formatUnavailable, profileInvalid, identifierInvalid, libraryMissing,
      workerCrashed, workerTimedOut, workerMemory, workerUnavailable, queueUnavailable, tierUnavailable, jobAbandoned

    /// The exit code of the command line, as in sysexits.h.
    public var exitCode: Int32 {
      switch self {
      case .usage, .templateUnknown, .templateAttributeUnknown, .templateAttributeInvalid, .templateAttributeMissing, .selectorInvalid,
        .fontPackUnknown:
        64
      case .inputDamaged, .inputIsFolder, .templateInvalid, .dataInvalid, .resourceDamaged, .fontUnreadable, .missingGlyph, .textClipped,
        .scriptIgnored, .profileInvalid, .identifierInvalid:
        65
      case .inputNotFound, .inputUnreadable, .resourceMissing, .fontPackMissing: 66
      case .limitExceeded, .workerMemory: 69
      case .outputUnwritable: 73
      case .cacheUnusable, .queueUnavailable, .tierUnavailable: 74
      case .timedOut, .workerTimedOut: 75
      case .resourceRefused: 77
      case .libraryMissing: 127
      case .renderFailed, .formatUnavailable, .selectorUnmatched, .shutDown, .queueFull, .cancelled, .workerCrashed, .workerUnavailable,
        .jobAbandoned:
        2
      }
    }

    /// The status of the service's response.
    public var httpStatus: Int {
      switch self {
      case .usage, .templateAttributeUnknown, .templateAttributeInvalid, .templateAttributeMissing, .selectorInvalid, .dataInvalid,
        .inputDamaged, .templateInvalid, .fontPackUnknown, .profileInvalid, .identifierInvalid:
        400
      case .inputNotFound, .templateUnknown, .resourceMissing, .inputUnreadable, .inputIsFolder, .fontPackMissing: 404
      case .limitExceeded: 413
      case .selectorUnmatched, .resourceDamaged, .fontUnreadable, .missingGlyph, .textClipped, .scriptIgnored: 422
      case .resourceRefused: 403
      case .timedOut, .workerTimedOut: 504
      case .shutDown, .queueFull, .cancelled, .workerUnavailable, .queueUnavailable, .tierUnavailable: 503
      case .formatUnavailable, .libraryMissing: 501
      case .workerCrashed, .workerMemory, .renderFailed, .outputUnwritable, .cacheUnusable, .jobAbandoned: 500
      }
    }
  }

  /// For programs.
  public var code: Code
  /// One sentence for people that says what to do if something can be done.
  public var message: String

  public init(_ code: Code, _ message: String) { self.code = code; self.message = message }
}

#if FOUNDATION
  // Not in our own programs, which start faster without Foundation.
  extension OffprintError: LocalizedError {
    /// The message.
    public var errorDescription: String? { message }
  }
#endif

extension OffprintError: CustomStringConvertible {
  public var description: String { "\(code.rawValue): \(message)" }
}

extension OffprintError {
  /// The error of a render that a diagnostic fails.
  init(failing problem: Diagnostic) {
    switch problem.code.rawValue {
    case "resourceRefused": self.init(.resourceRefused, problem.message)
    case "resourceMissing": self.init(.resourceMissing, problem.message)
    case "fontUnreadable": self.init(.fontUnreadable, problem.message)
    case "missingGlyph": self.init(.missingGlyph, problem.message)
    case "textClipped": self.init(.textClipped, problem.message)
    case "scriptIgnored": self.init(.scriptIgnored, problem.message)
    default: self.init(.resourceDamaged, problem.message)
    }
  }

  static let cancelled = OffprintError(.cancelled, "The render was canceled: no caller is waiting for it.")
  static let queueFull = OffprintError(
    .queueFull, "The queue of the renderer is full ('queueCapacity'); try again later.")
  static let shutDown = OffprintError(.shutDown, "The renderer was shut down.")

  /// Converts errors of the engine.
  init(_ error: any Error, seconds: Double) {
    switch error {
    case let error as OffprintError: self = error
    case let error as LimitExceeded:
      let advice = error.isFixed ? "make the page smaller" : "make the page smaller or raise the limit"
      self.init(.limitExceeded, "The page exceeds the limit '\(error.limit)' (\(error.allowed)); \(advice).")
    case is DeadlineExceeded:
      self.init(.timedOut, "The render took longer than \(seconds) s; make the page simpler or raise \(OptionName.timeout.text).")
    case is RenderCancelled: self = .cancelled
    case let error as ImageError where error.code == .timedOut: self.init(DeadlineExceeded(), seconds: seconds)
    case let error as ImageError where error.code == .formatUnavailable: self.init(.formatUnavailable, error.message)
    default:
      let reason = Self.sentence(error)
      self.init(.renderFailed, "The page could not be rendered: \(reason)\(reason.hasSuffix(".") ? "" : ".")")
    }
  }
  /// Messages never contain the description of a Swift value. For an unknown error, only its name is included.
  private static func sentence(_ error: any Error) -> String {
    switch error {
    case let error as ImageError: error.message
    case let error as ResourceError: error.message
    default: "an internal error of type '\(type(of: error))'"
    }
  }
}
