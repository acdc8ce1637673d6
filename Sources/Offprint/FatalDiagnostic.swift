extension RenderRequest {
  /// A diagnostic that can fail the render, with the code of its error.
  public enum FatalDiagnostic: String, Hashable, Sendable, CaseIterable {
    /// Scripts, which are not run, would create the page's content or styles.
    case scriptIgnored
    /// All fonts lack a character of the rendered text.
    case missingGlyph
    /// A line of text does not fit and ends in an ellipsis.
    case textClipped
    /// A font cannot be read.
    case fontUnreadable
    /// A resource does not exist.
    case resourceMissing
    /// A resource is not allowed.
    case resourceRefused
  }
}
