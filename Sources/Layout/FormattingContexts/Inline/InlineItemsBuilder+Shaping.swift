internal import OffprintCSS
internal import OffprintCoreTypes
internal import OffprintTypography

// Embedding levels, break opportunities and shaping of the collected text.
extension InlineItemsBuilder {
  /// https://drafts.csswg.org/css-writing-modes-4/#bidi-algo
  func resolveBidi() {
    let isPlaintext = items.isPlaintext
    let base: BaseDirection = isPlaintext ? .auto : items.baseLevel == 1 ? .rightToLeft : .leftToRight
    let levels = interruptedLevels(base) ?? Bidi.runs(items.text, base: base)
    guard levels.contains(where: { $0.level != 0 }) || items.baseLevel == 1 else { return }
    items.isBidi = true
    items.bidiRuns = levels
    var result: [InlineItem] = []
    result.reserveCapacity(items.items.count + levels.count)
    var position = 0
    for (index, item) in items.items.enumerated() {
      while position + 1 < levels.count, levels[position].range.upperBound <= item.start { position += 1 }
      var item = item
      item.level = levels.indices.contains(position) && item.start < items.text.count ? levels[position].level : items.baseLevel
      if let level = levelOfEmptyEnd(index, levels) { item.level = level }
      guard item.kind == .text, item.start < item.end else {
        result.append(item)
        continue
      }
      var run = position
      let end = item.end
      while run < levels.count, levels[run].range.lowerBound < end {
        item.level = levels[run].level
        item.end = min(end, levels[run].range.upperBound)
        result.append(item)
        item.start = item.end
        run += 1
      }
    }
    items.items = result
  }

  func shape() {
    splitByOrientation()
    findBoundaries()
    items.runs.reserveCapacity(items.items.count)
    items.text.withUnsafeBufferPointer { text in
      var index = 0
      while index < items.items.count {
        guard items.items[index].kind == .text, items.items[index].start < items.items[index].end else {
          index += 1
          continue
        }
        // Results after the deadline are discarded at its next check.
        if engine.deadline.hasPassed { return }
        let last = shapedTogether(from: index)
        shapeRun(text, index...last)
        index = last + 1
      }
    }
  }

  /// The last item that is shaped together with the text at `first`: glyphs join and kern across inline boxes with the same font and no
  /// edges.
  ///
  /// https://drafts.csswg.org/css-text-3/#boundary-shaping
  private func shapedTogether(from first: Int) -> Int {
    let start = items.items[first]
    var last = first
    var end = start.end
    for index in items.items.indices.dropFirst(first + 1) {
      let item = items.items[index]
      switch item.kind {
      case .text where item.start < item.end:
        guard item.start == end, item.level == start.level, item.style.record.pointee.font == start.style.record.pointee.font,
          item.style.text.textOrientation == start.style.text.textOrientation, !isVertical
        else { return last }
        last = index
        end = item.end
      case .openTag, .closeTag:
        let isSpacedRuby = item.kind == .openTag && item.style.box.display == .ruby && start.style.font.spacesIdeographs
        if item.start != item.end || hasEdge(item) || item.style.box.verticalAlign != .baseline || isSpacedRuby { return last }
      case .text, .outOfFlow: break
      default: return last
      }
    }
    return last
  }

  private var isVertical: Bool { engine.style(container).text.writingMode != .horizontalTb }

  private func shapeRun(_ text: UnsafeBufferPointer<UInt8>, _ range: ClosedRange<Int>) {
    let first = items.items[range.lowerBound]
    let font = engine.inlineFont(first.style), handle = shapingFont(font.handle, first.style)
    let visible = keepsSpace(behind: range.upperBound) ? text.count : items.items[range.upperBound].end
    let run = engine.fonts.shape(
      UnsafeBufferPointer(rebasing: text.prefix(visible)), range: first.start..<items.items[range.upperBound].end, font: handle,
      isRightToLeft: first.level & 1 != 0, isUpright: first.isUpright, letterSpacing: font.letterSpacing, wordSpacing: font.wordSpacing,
      deadline: engine.deadline)
    for index in range where items.items[index].kind == .text && items.items[index].start < items.items[index].end {
      items.items[index].run = items.runs.count
      items.runs.append(run.subrun(items.items[index].start..<items.items[index].end))
    }
  }

  /// The font to shape with. Where glyphs may be upright, `font-kerning: none` only disables `vkrn` in Chromium
  /// (`FontFeatures::Initialize`), so sideways glyphs are still kerned.
  private func shapingFont(_ handle: FontHandle, _ style: ComputedStyle) -> FontHandle {
    let mode = engine.style(container).text.writingMode
    guard style.font.kerning == .none, mode == .verticalRl || mode == .verticalLr, style.text.textOrientation != .sideways
    else { return handle }
    var font = style.font
    font.kerning = .auto
    return InlineFont(font, engine.fonts, engine.tree.styled.fontFeatureValues).handle
  }

  /// Whether `text-autospace` may add space at the end of a text. Chromium does not add it before ruby, nor before text of a box whose
  /// `text-autospace` is off.
  private func keepsSpace(behind index: Int) -> Bool {
    let item = items.items[index]
    guard item.style.font.spacesIdeographs, item.end < items.text.count,
      AutoSpacing.isNeeded(
        between: UTF8Scan.before(items.text, item.end), and: UTF8Scan.decode(items.text, item.end).codepoint)
    else { return true }
    for following in items.items.dropFirst(index + 1) {
      switch following.kind {
      case .openTag where following.style.box.display == .ruby: return false
      case .atomic where engine.tree[following.box].isRubyColumn: return false
      case .text where following.start < following.end: return following.style.font.spacesIdeographs
      case .openTag, .closeTag, .text, .outOfFlow: continue
      default: return true
      }
    }
    return true
  }

  /// Splits vertical text into upright and sideways items. https://drafts.csswg.org/css-writing-modes-4/#vertical-orientations
  private func splitByOrientation() {
    guard engine.style(container).text.writingMode == .verticalRl || engine.style(container).text.writingMode == .verticalLr else { return }
    var result: [InlineItem] = []
    for var item in items.items {
      item.isUpright = item.kind == .text && item.style.text.textOrientation == .upright
      guard item.kind == .text, item.style.text.textOrientation == .mixed, item.start < item.end else {
        result.append(item)
        continue
      }
      var index = item.start
      var isUpright: Bool?
      while index < item.end {
        let (codepoint, length) = UTF8Scan.decode(items.text, index)
        // Combining marks take the orientation of their bases.
        let isMark =
          Unicode.Scalar(codepoint)?.properties.canonicalCombiningClass != .notReordered || codepoint == 0x200d
          || (0xfe00...0xfe0f).contains(codepoint)
        let next = isMark ? isUpright ?? false : VerticalOrientation.isUpright(codepoint)
        if let current = isUpright, current != next {
          var part = item
          part.end = index
          part.isUpright = current
          result.append(part)
          item.start = index
        }
        isUpright = next
        index += length
      }
      item.isUpright = isUpright ?? false
      result.append(item)
    }
    items.items = result
  }

  private struct BreakSettings: Hashable {
    var wordBreak: OffprintTypography.WordBreak
    var strictness: OffprintTypography.LineBreakStrictness
    var language: String

    init(_ style: ComputedStyle) {
      wordBreak =
        switch style.text.wordBreak {
        case .normal, .breakWord, .autoPhrase: .normal
        case .breakAll: .breakAll
        case .keepAll: .keepAll
        }
      strictness =
        switch style.text.lineBreak {
        case .auto: .auto
        case .loose: .loose
        case .normal: .normal
        case .strict: .strict
        case .anywhere: .anywhere
        }
      language = style.font.language
    }
  }

  /// Finds the break opportunities of each text according to its own style. https://drafts.csswg.org/css-text-3/#line-breaking
  private func findBoundaries() {
    let base = BreakSettings(engine.style(container))
    func boundaries(_ settings: BreakSettings) -> [TextBoundary] {
      TextBreaks.boundaries(items.text, language: settings.language, wordBreak: settings.wordBreak, strictness: settings.strictness)
    }
    items.boundaries = boundaries(base)
    var others: [BreakSettings: [TextBoundary]] = [:]
    var last: (style: ComputedStyle, settings: BreakSettings)?
    for item in items.items where item.kind == .text && item.start < item.end {
      if item.traits.contains(.breakSpaces) { breakAfterSpaces(item) }
      if item.traits.contains(.ignoresSoftHyphens) { ignoreSoftHyphens(item) }
      let settings = last?.style == item.style ? last?.settings ?? base : BreakSettings(item.style)
      last = (item.style, settings)
      defer { if item.traits.contains(.hyphenates), item.traits.contains(.wraps) { hyphenate(item) } }
      guard settings != base else { continue }
      // Each distinct setting requires another pass over the text.
      guard others.count < 16 || others[settings] != nil, !engine.deadline.hasPassed else { continue }
      let own = others[settings] ?? boundaries(settings)
      others[settings] = own
      for index in item.start + 1..<item.end + 1 where own.indices.contains(index) { items.boundaries[index] = own[index] }
    }
    for item in items.items where item.kind == .atomic && engine.tree[item.box].specialLayout == nil { breakAround(item) }
    for item in items.items where item.kind == .text && !item.traits.contains(.wraps) { keepSpaces(item) }
  }

  /// Removes the opportunity after a `nowrap` text that ends with a space: Chromium does not break there, even if the following text wraps.
  private func keepSpaces(_ item: InlineItem) {
    guard item.start < item.end, items.text[item.end - 1] == 0x20, items.boundaries.indices.contains(item.end) else { return }
    items.boundaries[item.end].remove(.lineBreak)
  }

  /// Adds opportunities on both sides of an atomic inline. Chromium allows them whatever the adjacent characters, including word joiners.
  /// https://drafts.csswg.org/css-text-3/#line-break-details
  private func breakAround(_ item: InlineItem) {
    func allow(_ index: Int) { if index > 0, items.boundaries.indices.contains(index) { items.boundaries[index].insert(.lineBreak) } }
    allow(item.end)
    allow(item.start)
    // Bidi controls of enclosing boxes belong to the atomic inline.
    var start = item.start
    while start >= 3, BidiControl.isControl(items.text[start - 3], items.text[start - 2], items.text[start - 1]) { start -= 3 }
    if start != item.start { allow(start) }
  }

  private func breakAfterSpaces(_ item: InlineItem) {
    for index in item.start..<item.end where items.text[index] == 0x20 && index + 1 < items.text.count {
      items.boundaries[index + 1].insert(.lineBreak)
    }
  }

  /// https://drafts.csswg.org/css-text-4/#hyphenation. Words that continue in another box are not hyphenated.
  private func hyphenate(_ item: InlineItem) {
    guard let dictionary = engine.fonts.fonts.registry.hyphenation(for: item.style.font.language) else { return }
    var found: [Int] = []
    items.text.withUnsafeBufferPointer { text in
      var start = item.start, end = item.end
      while start < end, TextBreaks.isInsideWord(text, start) { start += 1 }
      while end > start, TextBreaks.isInsideWord(text, end) { end -= 1 }
      guard start < end else { return }
      dictionary.forEachDivision(text, start..<end, HyphenationLimits(item.style.text.hyphenateLimits)) { found.append($0) }
    }
    for index in found where items.boundaries.indices.contains(index) && items.boundaries[index].contains(.grapheme) {
      items.boundaries[index].formUnion([.lineBreak, .hyphen])
    }
  }

  private func ignoreSoftHyphens(_ item: InlineItem) {
    guard item.end - item.start >= 2 else { return }
    for index in item.start..<item.end - 1 where items.text[index] == 0xc2 && items.text[index + 1] == 0xad {
      items.boundaries[index + 2].remove(.lineBreak)
    }
  }
}
