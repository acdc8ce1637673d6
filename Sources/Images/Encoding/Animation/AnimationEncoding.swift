public import OffprintCoreTypes

/// The frames of an animated image that is written.
public struct AnimationEncoding: Hashable, Sendable {
  /// In seconds, above 0; nil for the longest finite animation of the page or one period of an infinite one, whichever is longer.
  public var duration: Double?
  /// The number of frames per second, 1 to 60, and for `gif` 1 to 50.
  public var framesPerSecond = 20
  /// The number of times that the frames are shown, 1 to 65,535; nil if forever.
  public var plays: Int?
  /// For `png` and `apng`: the time of the image that programs without animations show; nil for the first frame.
  public var poster: AnimationTime?
  /// For `gif`: approximates colors that are not in the palette by patterns of others.
  public var isDithered = false

  public init() {}

  /// The default number of frames per second.
  public static let standardRate = 20
  /// The frames per second that a format supports. The delays of GIF are hundredths of a second, and programs show frames of 1/100 s for
  /// longer.
  static func rates(_ format: EncodedImageFormat) -> ClosedRange<Int> { 1...(format == .gif ? 50 : 60) }

  /// What is invalid about it; nil if nothing.
  public func problem(_ format: EncodedImageFormat) -> String? {
    guard format.supportsAnimation else {
      return "A \(format.rawValue) image cannot be animated: the formats apng, png, gif, webp and avif can."
    }
    let rates = Self.rates(format)
    if !rates.contains(framesPerSecond) {
      return "A \(format.rawValue) image can have \(rates.lowerBound) to \(rates.upperBound) frames per second."
    }
    if let duration, !(duration > 0 && duration <= AnimationTime.latest) {
      return "The duration of an animation must be above 0 and at most \(Int(AnimationTime.latest)) s."
    }
    if let plays, !(1...65_535).contains(plays) { return "An animation can be shown 1 to 65535 times, or forever." }
    return nil
  }

  /// Everything that affects the file, as text.
  func canonicalText(_ format: EncodedImageFormat) -> String {
    var text = "\(duration.map { "\($0)" } ?? "auto") \(framesPerSecond) \(plays.map { "\($0)" } ?? "forever")"
    if format == .png || format == .apng, let poster { text += " \(poster)" }
    if format == .gif, isDithered { text += " dithered" }
    return text
  }
}
