internal import COffprintPango

enum HarfBuzz {
  private nonisolated(unsafe) static let shapers: UnsafeMutablePointer<UnsafePointer<CChar>?> = {
    let list = UnsafeMutablePointer<UnsafePointer<CChar>?>.allocate(capacity: 2)
    list[0] = UnsafePointer(strdup("ot"))
    list[1] = nil
    return list
  }()

  /// Shapes by the tables of OpenType and AAT alone. By default HarfBuzz would first give fonts with a table `Silf` to Graphite, which runs the
  /// font's own programs: Chromium builds HarfBuzz without it.
  static func shape(_ font: OpaquePointer, _ buffer: OpaquePointer, _ features: [hb_feature_t] = []) {
    _ = hb_shape_full(font, buffer, features, UInt32(features.count), shapers)
  }
}
