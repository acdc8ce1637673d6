import OffprintCoreTypes
internal import OffprintCSS

/// What a media query answers: a feature of [Media Queries](https://drafts.csswg.org/mediaqueries-5/) and its value.
///
/// `prefers-color-scheme` is ``RenderRequest/colorScheme``; sizes follow from the page's. A `resolution` changes what queries answer, not how many pixels
/// the picture has: that is ``RenderRequest/scale``.
public struct MediaFeature: Hashable, Sendable, CustomStringConvertible {
  /// In lower case, as `prefers-reduced-motion`.
  public let name: String
  /// In lower case, as `reduce`.
  public let value: String

  /// - Returns: nil where no such feature can be chosen, or not with that value.
  public init?(_ name: String, _ value: String) {
    (self.name, self.value) = (name.lowercased(), value.lowercased())
    guard ChosenFeatures.allow(self.name, self.value) else { return nil }
  }

  /// - Parameter text: `name=value`.
  public init?(_ text: String) {
    let parts = text.split(byte: "=", maxSplits: 1, omittingEmptySubsequences: false)
    guard parts.count == 2 else { return nil }
    self.init(String(parts[0]), String(parts[1]))
  }

  public var description: String { "\(name)=\(value)" }

  /// The features that can be chosen, each with its values; `resolution` has none, it takes a number with its unit.
  public static var all: [(name: String, values: [String])] { ChosenFeatures.values }
}
