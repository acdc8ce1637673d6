import OffprintCoreTypes

// https://w3c.github.io/mathml-core/#css-extensions-for-math-layout

extension TableBuilder {
  mutating func registerMath() {
    keywords("math-style", \FontStyle.isMathCompact, phase: .first, [("normal", false), ("compact", true)])
    keywords("math-shift", \FontStyle.isMathShiftCompact, phase: .first, [("normal", false), ("compact", true)])
    specified("math-depth", \FontStyle.mathDepth, "auto-add | add(<integer>) | <integer>", phase: .first) { $0.mathDepth() }
  }
}

extension ValueParser {
  /// https://w3c.github.io/mathml-core/#the-math-script-level-property
  mutating func mathDepth() -> Specified<Int16>? {
    if keyword("auto-add") {
      return .relative { $0.parent.font.isMathCompact ? Self.clampedDepth(Int($0.parent.font.mathDepth) + 1) : $0.parent.font.mathDepth }
    }
    if let step = function("add", { $0.integer() }) {
      return .relative { Self.clampedDepth(Int($0.parent.font.mathDepth) + Int(Self.clampedDepth(step))) }
    }
    return integer().map { .value(Self.clampedDepth($0)) }
  }

  private static func clampedDepth(_ value: Int) -> Int16 { Int16(Swift.min(Swift.max(value, -32_767), 32_767)) }
}

extension ElementContext {
  /// `font-size: math`: the inherited size, scaled for each script level.
  ///
  /// https://w3c.github.io/mathml-core/#the-math-script-level-property
  var mathFontSize: FontSizeValue {
    let font = parent.font
    guard mathDepth != font.mathDepth else {
      return FontSizeValue(px: font.size, keyword: font.sizeKeyword, isAbsolute: font.hasAbsoluteSize)
    }
    let isGrowing = mathDepth < font.mathDepth
    let (from, to) = isGrowing ? (Int(mathDepth), Int(font.mathDepth)) : (Int(font.mathDepth), Int(mathDepth))
    var steps = to - from, scale = 1.0
    if let scales = provider.mathScriptScales(for: font), scales.script > 0, scales.scriptScript > 0 {
      if from <= 0, to >= 2 {
        scale *= Double(scales.scriptScript)
        steps -= 2
      } else if from == 1 {
        scale *= Double(scales.scriptScript / scales.script)
        steps -= 1
      } else if to == 1 {
        scale *= Double(scales.script)
        steps -= 1
      }
    }
    for _ in 0..<Swift.min(Swift.max(steps, 0), 64) { scale *= 0.71 }
    let size = isGrowing ? Double(font.size) / scale : Double(font.size) * scale
    return FontSizeValue(px: Float(Swift.min(Swift.max(size, 0), 10_000)), keyword: 0, isAbsolute: font.hasAbsoluteSize)
  }
}
