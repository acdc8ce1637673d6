internal import COffprintPango

enum HarfBuzz {
  /// Shapes by the tables of OpenType and AAT alone. By default HarfBuzz would first give fonts with a table `Silf` to Graphite, which runs the
  /// font's own programs: Chromium builds HarfBuzz without it.
  static func shape(_ font: OpaquePointer, _ buffer: OpaquePointer, _ features: [hb_feature_t] = []) {
    // Of static storage, and ended by a zero byte.
    let openType: StaticString = "ot"
    openType.utf8Start.withMemoryRebound(to: CChar.self, capacity: openType.utf8CodeUnitCount + 1) { name in
      withUnsafeTemporaryAllocation(of: UnsafePointer<CChar>?.self, capacity: 2) { shapers in
        shapers.initialize(repeating: nil)
        shapers[0] = name
        _ = hb_shape_full(font, buffer, features, UInt32(features.count), shapers.baseAddress)
      }
    }
  }
}
