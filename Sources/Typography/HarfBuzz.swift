internal import COffprintPango

enum HarfBuzz {
  /// Shapes with OpenType and AAT tables only. By default, HarfBuzz would pass fonts with a `Silf` table to Graphite, which executes
  /// programs in the font; Chromium builds HarfBuzz without it.
  static func shape(_ font: OpaquePointer, _ buffer: OpaquePointer, _ features: [hb_feature_t] = []) {
    // Statically allocated, and NUL-terminated.
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
