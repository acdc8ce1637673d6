extension RenderCache {
  /// Whether `lookup` would find a value. Does not count as a use.
  package func holds(_ key: CacheKey) -> Bool { find(key) != nil }
}
