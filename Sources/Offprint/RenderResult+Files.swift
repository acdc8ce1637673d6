extension RenderResult {
  /// The files that the page loaded or looked for, by absolute paths; empty from the cache.
  public var files: [String] { dependencies.filter(\.isFile).map(\.location) }
}
