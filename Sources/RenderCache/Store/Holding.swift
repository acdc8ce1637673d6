extension RenderCache {
  /// Whether `lookup` would find a value; nothing is counted.
  package func holds(_ key: CacheKey) -> Bool { find(key) != nil }
}
