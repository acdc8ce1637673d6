import OffprintCoreTypes
internal import OffprintCSS

/// The value of a feature in media queries ([Media Queries](https://drafts.csswg.org/mediaqueries-5/)).
///
/// `prefers-color-scheme` is ``RenderRequest/colorScheme``; dimensions follow from the page's size. `resolution` changes what queries
/// match, not the number of pixels of the image: that is ``RenderRequest/scale``.
public struct MediaFeature: Hashable, Sendable, CustomStringConvertible {
  /// In lowercase, for example `prefers-reduced-motion`.
  public let name: String
  /// In lowercase, for example `reduce`.
  public let value: String

  /// - Returns: Nil if the feature cannot be set, or not to that value.
  public init?(_ name: String, _ value: String) {
    (self.name, self.value) = (name.lowercased(), value.lowercased())
    guard MediaFeatureOverrides.allow(self.name, self.value) else { return nil }
  }

  /// - Parameter text: `name=value`.
  public init?(_ text: String) {
    let parts = text.split(byte: "=", maxSplits: 1, omittingEmptySubsequences: false)
    guard parts.count == 2 else { return nil }
    self.init(String(parts[0]), String(parts[1]))
  }

  public var description: String { "\(name)=\(value)" }

  /// The features that can be set, with their values; `resolution` has none listed and takes a number with a unit.
  public static var all: [(name: String, values: [String])] { MediaFeatureOverrides.values }
}
