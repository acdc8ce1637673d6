import OffprintCoreTypes
internal import OffprintCSS

/// A media feature and the value that [media queries](https://drafts.csswg.org/mediaqueries-5/) see.
///
/// Set `prefers-color-scheme` with ``RenderRequest/colorScheme``. Dimensions follow from the page's size. `resolution` only affects which
/// queries match; ``RenderRequest/scale`` sets the number of pixels of the image.
public struct MediaFeature: Hashable, Sendable, CustomStringConvertible {
  /// In lowercase, for example `prefers-reduced-motion`.
  public let name: String
  /// In lowercase, for example `reduce`.
  public let value: String

  /// - Returns: Nil if the feature cannot be overridden, or does not have that value.
  public init?(name: String, value: String) {
    (self.name, self.value) = (name.lowercased(), value.lowercased())
    guard MediaFeatureOverrides.isValid(self.name, self.value) else { return nil }
  }

  /// - Parameter text: A feature in the form `name=value`.
  public init?(_ text: String) {
    let parts = text.split(byte: "=", maxSplits: 1, omittingEmptySubsequences: false)
    guard parts.count == 2 else { return nil }
    self.init(name: String(parts[0]), value: String(parts[1]))
  }

  /// The former initializer without labels.
  @available(*, deprecated, renamed: "init(name:value:)") public init?(_ name: String, _ value: String) {
    self.init(name: name, value: value)
  }

  public var description: String { "\(name)=\(value)" }

  /// The features that can be overridden, with their values. `resolution` lists none: it takes a number with a unit, for example `2dppx`.
  public static var all: [(name: String, values: [String])] { MediaFeatureOverrides.values }
}
