internal import COffprintPango

/// Identifies a face instance.
struct InstanceKey: Hashable {
  var face: UInt64
  var variations: [FontVariation]
  var bold: Bool
  var oblique: Bool
  var overrides = FontFaceOverrides()
  var palette = FontPalette()
}

/// Resolves fonts and shapes text. Owned by one thread at a time. HarfBuzz fonts, the faces chosen for characters, and recently shaped runs
/// are reused by later renders.
public final class FontContext {
  public private(set) var fonts: FontSet
  private var handles: [FontDescription: UInt32] = [:]
  var resolved: [ResolvedFont] = []
  private var instances: [InstanceKey: FaceInstance] = [:]
  private var hbFonts: [UInt64: OpaquePointer] = [:]
  var fallbacks: [FallbackKey: FaceInstance?] = [:]
  var cache = ShapeCache()
  var hanFaces: [HanSpacing.FaceKey: HanSpacing.Face] = [:]
  let buffer: OpaquePointer?
  var scratch = ShapeScratch()
  /// Whether advances are rounded to whole px before kerning. Changing it clears the caches and invalidates all handles.
  public var hasWholeAdvances = false {
    didSet { if hasWholeAdvances != oldValue { removeAll() } }
  }

  public init(fonts: FontSet) {
    self.fonts = fonts
    buffer = hb_buffer_create()
  }

  deinit {
    for font in hbFonts.values { hb_font_destroy(font) }
    hb_buffer_destroy(buffer)
  }

  private static let maximumHandles = 8192
  private static let maximumInstances = 1024

  /// Begins a render with `newFonts`. Invalidates all handles, unless neither set has web fonts and the registry is the same.
  public func use(_ newFonts: FontSet) {
    let isSame = newFonts === fonts || (newFonts.registry === fonts.registry && newFonts.identifier == 0 && fonts.identifier == 0)
    fonts = newFonts
    if !isSame || handles.count > FontContext.maximumHandles || instances.count > FontContext.maximumInstances { removeAll() }
  }

  private func removeAll() {
    handles.removeAll()
    resolved.removeAll()
    instances.removeAll()
    for font in hbFonts.values { hb_font_destroy(font) }
    hbFonts.removeAll()
    fallbacks.removeAll()
    hanFaces.removeAll()
    cache.removeAll()
  }

  /// Resolves a description; repeated calls return the same handle.
  public func font(_ description: FontDescription) -> FontHandle {
    if let index = handles[description] { return FontHandle(index: index) }
    let index = UInt32(truncatingIfNeeded: resolved.count)
    resolved.append(resolve(description))
    handles[description] = index
    return FontHandle(index: index)
  }

  public func description(of font: FontHandle) -> FontDescription? { resolvedFont(font)?.description }

  public func metrics(_ font: FontHandle) -> FontMetrics { resolvedFont(font)?.metrics ?? FontMetrics() }

  public func metrics(_ description: FontDescription) -> FontMetrics { metrics(font(description)) }

  /// The face that provides the metrics; nil if there are no fonts at all.
  public func primaryFace(_ font: FontHandle) -> FaceInstance? { resolvedFont(font)?.primary }

  /// The metrics of a face used by a run, at a size. They determine how fallback faces affect a line's height.
  public func metrics(of instance: FaceInstance, size: Float) -> FontMetrics {
    let unitsPerEm = Double(instance.face.info.unitsPerEm)
    var units = instance.face.info.metrics
    if !instance.variations.isEmpty, let font = hbFont(for: instance) { units.vary(font) }
    instance.overrides.apply(to: &units, unitsPerEm: unitsPerEm)
    return FontMetrics(face: units, unitsPerEm: unitsPerEm, size: Double(size > 0 ? size : 0))
  }

  func resolvedFont(_ font: FontHandle) -> ResolvedFont? {
    let index = Int(font.index)
    return index < resolved.count ? resolved[index] : nil
  }

  func instance(_ key: InstanceKey, _ face: FontFace) -> FaceInstance {
    if let cached = instances[key] { return cached }
    let instance = FaceInstance(
      face: face, variations: key.variations, isSyntheticBold: key.bold, isSyntheticOblique: key.oblique, overrides: key.overrides,
      palette: key.palette)
    instances[key] = instance
    return instance
  }

  func hbFont(for instance: FaceInstance) -> OpaquePointer? {
    if let cached = hbFonts[instance.identifier] { return cached }
    guard let font = instance.makeHBFont() else { return nil }
    hbFonts[instance.identifier] = font
    return font
  }
}
