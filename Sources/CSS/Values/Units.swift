/// https://drafts.csswg.org/css-values-4/#dimensions
public enum Unit: UInt8, Hashable, Sendable {
  case px, cm, mm, q, `in`, pt, pc
  case em, rem, ex, rex, ch, rch, cap, rcap, ic, ric, lh, rlh
  case vw, vh, vi, vb, vmin, vmax
  case cqw, cqh, cqi, cqb, cqmin, cqmax
  case deg, grad, rad, turn
  case s, ms
  case hz, khz
  case dpi, dpcm, dppx
  case fr
  /// `__qem`: `em` in user agent margins that collapse away in quirks mode.
  case qem

  enum Dimension: UInt8 { case length, angle, time, frequency, resolution, flex }

  var dimension: Dimension {
    switch self {
    case .deg, .grad, .rad, .turn: .angle
    case .s, .ms: .time
    case .hz, .khz: .frequency
    case .dpi, .dpcm, .dppx: .resolution
    case .fr: .flex
    default: .length
    }
  }

  /// Nil if the text is not a unit.
  init?(_ bytes: ArraySlice<UInt8>) {
    if bytes.count == 2, bytes.first.map({ $0 | 0x20 }) == 0x70, bytes.last.map({ $0 | 0x20 }) == 0x78 {
      self = .px
      return
    }
    guard bytes.count <= 6, let unit = Self.byHash[bytes.foldedHash] else { return nil }
    self = unit
  }

  private static let byHash: HashTable<Unit> = {
    var result = HashTable<Unit>(minimumCapacity: 64)
    func add(_ name: String, _ unit: Unit) { result[Array(name.utf8)[...].foldedHash] = unit }
    let names: [(String, Unit)] = [
      ("px", .px), ("cm", .cm), ("mm", .mm), ("q", .q), ("in", .in), ("pt", .pt), ("pc", .pc), ("em", .em), ("rem", .rem), ("ex", .ex),
      ("rex", .rex), ("ch", .ch), ("rch", .rch), ("cap", .cap), ("rcap", .rcap), ("ic", .ic), ("ric", .ric), ("lh", .lh), ("rlh", .rlh),
      ("deg", .deg), ("grad", .grad), ("rad", .rad), ("turn", .turn), ("s", .s), ("ms", .ms), ("hz", .hz), ("khz", .khz), ("dpi", .dpi),
      ("dpcm", .dpcm), ("dppx", .dppx), ("x", .dppx), ("fr", .fr), ("__qem", .qem),
    ]
    for (name, unit) in names { add(name, unit) }
    let viewport: [(String, Unit)] = [("w", .vw), ("h", .vh), ("i", .vi), ("b", .vb), ("min", .vmin), ("max", .vmax)]
    for (suffix, unit) in viewport {
      // Without a browser UI, the small, large and dynamic viewports are equal.
      for prefix in ["v", "sv", "lv", "dv"] { add(prefix + suffix, unit) }
    }
    let container: [(String, Unit)] = [("w", .cqw), ("h", .cqh), ("i", .cqi), ("b", .cqb), ("min", .cqmin), ("max", .cqmax)]
    for (suffix, unit) in container { add("cq" + suffix, unit) }
    return result
  }()

  /// The size in canonical units (px, degrees, seconds, hertz, dppx); nil for units relative to an element.
  var factor: Double? {
    switch self {
    case .px, .deg, .s, .hz, .dppx, .fr: 1
    case .cm: 96 / 2.54
    case .mm: 9.6 / 2.54
    case .q: 2.4 / 2.54
    case .in: 96
    case .pt: 96.0 / 72
    case .pc: 16
    case .grad: 0.9
    case .rad: 180 / Double.pi
    case .turn: 360
    case .ms: 0.001
    case .khz: 1000
    case .dpi: 1.0 / 96
    case .dpcm: 2.54 / 96
    default: nil
    }
  }
}

extension ElementContext {
  /// The size of a relative length unit in CSS px.
  func px(_ unit: Unit) -> Double {
    switch unit {
    case .em, .qem: Double(fontSize)
    case .rem: Double(rootFontSize)
    case .ex: Double(metrics.xHeight)
    case .rex: Double(rootMetrics.xHeight)
    case .ch: Double(advance(of: .zero))
    case .rch: Double(rootMetrics.zeroAdvance)
    case .cap: Double(metrics.capHeight)
    case .rcap: Double(rootMetrics.capHeight)
    case .ic: Double(advance(of: .water))
    case .ric: Double(rootMetrics.icAdvance)
    case .lh: Double(lineHeightPx)
    case .rlh: Double(rootLineHeightPx)
    case .vw: Double(viewportWidth) / 100
    case .vh: Double(viewportHeight) / 100
    case .vi: Double(isVertical ? viewportHeight : viewportWidth) / 100
    case .vb: Double(isVertical ? viewportWidth : viewportHeight) / 100
    case .vmin: Double(min(viewportWidth, viewportHeight)) / 100
    case .vmax: Double(max(viewportWidth, viewportHeight)) / 100
    case .cqw, .cqh, .cqi, .cqb, .cqmin, .cqmax: containerPx(unit)
    default: unit.factor ?? 0
    }
  }

  /// https://drafts.csswg.org/css-conditional-5/#container-lengths
  private func containerPx(_ unit: Unit) -> Double {
    usedContainerUnits = true
    let whole: Double =
      switch unit {
      case .cqw: containerWidth
      case .cqh: containerHeight
      case .cqi: isVertical ? containerHeight : containerWidth
      case .cqb: isVertical ? containerWidth : containerHeight
      case .cqmin: min(containerWidth, containerHeight)
      default: max(containerWidth, containerHeight)
      }
    return whole / 100
  }
}

extension ValueParser {
  /// `number` of `unit` in canonical units. For relative units without an element, a placeholder with the same sign.
  mutating func canonical(_ number: Double, _ unit: Unit) -> Double {
    if let factor = unit.factor { return number * factor }
    if unit == .qem { isQuirky = true }
    isRelative = true
    return number * (element?.px(unit) ?? media?.px(unit) ?? 16)
  }
}
