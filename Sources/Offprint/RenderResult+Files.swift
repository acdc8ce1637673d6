extension RenderResult {
  /// The files that the page loaded or tried to load, as absolute paths; empty for a cached image.
  public var files: [String] { dependencies.filter(\.isFile).map(\.location) }
}
