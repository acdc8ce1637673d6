internal import COffprintPango
public import OffprintCoreTypes

extension FontContext {
  /// Shapes `text[range]` in one font and one direction; the text around it is only context (joining, scripts).
  ///
  /// Upright text of vertical lines is shaped from top to bottom. Spacing is CSS's: letter spacing after each cluster, word spacing after
  /// each word separator. Line ends and other control characters have no advance; a tab has that of a space, which the caller replaces. If
  /// the deadline passes, a long text is only partly shaped.
  public func shape(
    _ text: UnsafeBufferPointer<UInt8>, range: Range<Int>, font: FontHandle, isRightToLeft: Bool = false, isUpright: Bool = false,
    letterSpacing: Float = 0, wordSpacing: Float = 0, deadline: Deadline = .never
  ) -> ShapedRun {
    let range = range.clamped(to: 0..<text.count)
    let empty = ShapedRun(
      font: font, textRange: range, isRightToLeft: isRightToLeft, isUpright: isUpright, letterSpacing: letterSpacing,
      wordSpacing: wordSpacing)
    guard !range.isEmpty, let resolved = resolvedFont(font), resolved.primary != nil else { return empty }
    let isSimple = resolved.synthesizedCaps.isEmpty && isSimpleLatin(text, range, resolved)
    let before = isSimple ? ScriptRuns() : ScriptRuns.before(range.lowerBound, in: text)
    let script = isSimple ? simpleScript(text, range) : leadingScript(text, range, before.script)
    let context = isSimple ? range : contextRange(text, range)
    guard context.count <= ShapeCache.maximumTextLength else {
      return shapeAnew(text, empty, resolved, isSimple ? nil : before, script: script, context: context, deadline)
    }
    let bytes = UnsafeBufferPointer(rebasing: text[context])
    let key = ShapeCache.Key(
      font: font.index, script: script.rawValue, letterSpacing: letterSpacing, wordSpacing: wordSpacing, isRightToLeft: isRightToLeft,
      isUpright: isUpright, start: UInt32(truncatingIfNeeded: range.lowerBound - context.lowerBound),
      end: UInt32(truncatingIfNeeded: range.upperBound - context.lowerBound))
    let hash = ShapeCache.hash(bytes, key)
    if let cached = cache.find(bytes, key, hash: hash, base: range.lowerBound) { return cached }
    let run = shapeAnew(text, empty, resolved, isSimple ? nil : before, script: script, context: context, .never)
    cache.insert(run, bytes, key, hash: hash, base: range.lowerBound)
    return run
  }

  /// Shapes `text[range]`; see the overload for buffers.
  public func shape(
    _ text: [UInt8], range: Range<Int>? = nil, font: FontHandle, isRightToLeft: Bool = false, letterSpacing: Float = 0,
    wordSpacing: Float = 0
  ) -> ShapedRun {
    text.withUnsafeBufferPointer {
      shape(
        $0, range: range ?? 0..<$0.count, font: font, isRightToLeft: isRightToLeft, letterSpacing: letterSpacing,
        wordSpacing: wordSpacing)
    }
  }

  /// The part of a run on a line; reshapes the ends if breaking there changes the glyphs.
  public func line(_ run: ShapedRun, _ range: Range<Int>, of text: UnsafeBufferPointer<UInt8>) -> ShapedRun {
    let range = range.clamped(to: run.textRange)
    if range == run.textRange { return run }
    func anew(_ part: Range<Int>) -> ShapedRun {
      if part.lowerBound == range.lowerBound, !part.isEmpty, part.upperBound <= text.count,
        HanSpacing.kind(of: UTF8Decoding.decode(text, at: part.lowerBound, end: part.upperBound).codepoint) != .other
      {
        // Punctuation at the start of a line has no preceding punctuation to be trimmed with.
        return shape(
          UnsafeBufferPointer(rebasing: text[part]), range: 0..<part.count, font: run.font, isRightToLeft: run.isRightToLeft,
          isUpright: run.isUpright, letterSpacing: run.letterSpacing, wordSpacing: run.wordSpacing
        ).moved(by: part.lowerBound)
      }
      // Excludes the text after the line from the context.
      return shape(
        UnsafeBufferPointer(rebasing: text[0..<min(part.upperBound, text.count)]), range: part, font: run.font,
        isRightToLeft: run.isRightToLeft, isUpright: run.isUpright, letterSpacing: run.letterSpacing, wordSpacing: run.wordSpacing)
    }
    let start = run.isSafeToBreak(before: range.lowerBound) ? range.lowerBound : run.nextSafeToBreak(from: range.lowerBound)
    let end = run.isSafeToBreak(before: range.upperBound) ? range.upperBound : run.previousSafeToBreak(from: range.upperBound)
    guard start < end else { return anew(range) }
    var result = start > range.lowerBound ? anew(range.lowerBound..<start) : run.subrun(start..<end)
    if start > range.lowerBound { result.append(run.subrun(start..<end)) }
    if end < range.upperBound { result.append(anew(end..<range.upperBound)) }
    return result
  }

  /// The width of the result of `line`. For a long part it is a difference of positions, because summing the advances again would visit all
  /// glyphs for every line.
  public func width(_ run: ShapedRun, _ range: Range<Int>, of text: UnsafeBufferPointer<UInt8>) -> Float {
    let range = range.clamped(to: run.textRange)
    guard range.count > FontContext.longPart else { return line(run, range, of: text).width }
    let start = run.nextSafeToBreak(from: range.lowerBound), end = run.previousSafeToBreak(from: range.upperBound)
    guard start < end else { return line(run, range, of: text).width }
    return line(run, range.lowerBound..<start, of: text).width + run.width(from: start, to: end)
      + line(run, end..<range.upperBound, of: text).width
  }

  private static let longPart = 4096

  // MARK: Itemization

  /// Longer clusters are shaped in parts: some fonts' rules for marks take quadratic time.
  private static let maximumClusterLength = 256

  /// Whether the text consists of characters below U+0250 and common punctuation that the primary face has: then it uses one face, and its
  /// script can be determined without looking up each character.
  private func isSimpleLatin(_ text: UnsafeBufferPointer<UInt8>, _ range: Range<Int>, _ font: ResolvedFont) -> Bool {
    guard font.primaryHasASCII, let primary = font.primary else { return false }
    var index = range.lowerBound
    while index < range.upperBound {
      let byte = text[index]
      if byte < 0x80 {
        index += 1
        continue
      }
      if byte == 0xe2, index + 2 < range.upperBound {
        // Dashes, quotation marks, currency signs.
        let codepoint = 0x2000 | UInt32(text[index + 1] & 0x3f) << 6 | UInt32(text[index + 2] & 0x3f)
        guard (0x2010...0x2027).contains(codepoint) || (0x2030...0x203a).contains(codepoint) || (0x20a0...0x20bf).contains(codepoint),
          primary.face.covers(codepoint)
        else { return false }
        index += 3
        continue
      }
      guard byte >= 0xc2, byte < 0xc9, index + 1 < range.upperBound else { return false }
      let codepoint = UInt32(byte & 0x1f) << 6 | UInt32(text[index + 1] & 0x3f)
      guard codepoint == 0xad || codepoint < 0xa0 || primary.face.covers(codepoint) else { return false }
      index += 2
    }
    // A mark or a joiner directly after the range would belong to the last cluster.
    if range.upperBound < text.count {
      let next = text[range.upperBound]
      guard next < 0xcc || next == 0xe2 else { return false }
    }
    let first = text[range.lowerBound]
    let isLetter = (0x61...0x7a).contains(first | 0x20) || first >= 0xc3 && first < 0xc9
    return isLetter || !ScriptRuns.isOtherThanLatin(before: range.lowerBound, in: text)
  }

  /// Latin if there is a letter in the text or near it, otherwise common.
  private func simpleScript(_ text: UnsafeBufferPointer<UInt8>, _ range: Range<Int>) -> hb_script_t {
    func isLetter(_ byte: UInt8) -> Bool { byte >= 0xc3 && byte < 0xc9 || (byte | 0x20) >= 0x61 && (byte | 0x20) <= 0x7a }
    if text[range].contains(where: isLetter) { return HB_SCRIPT_LATIN }
    return nearbyScript(text, range)
  }

  private func nearbyScript(_ text: UnsafeBufferPointer<UInt8>, _ range: Range<Int>) -> hb_script_t {
    var index = range.lowerBound
    let first = max(0, index - 256)
    while index > first {
      var start = index - 1
      while start > first, text[start] & 0xc0 == 0x80 { start -= 1 }
      if let found = ScriptRuns.own(UTF8Decoding.decode(text, at: start, end: text.count).codepoint) { return found }
      index = start
    }
    return firstScript(text, range.upperBound..<min(text.count, range.upperBound + 256))
  }

  private func firstScript(_ text: UnsafeBufferPointer<UInt8>, _ range: Range<Int>) -> hb_script_t {
    var index = range.lowerBound
    while index < range.upperBound {
      let (codepoint, length) = UTF8Decoding.decode(text, at: index, end: text.count)
      if let found = ScriptRuns.own(codepoint) { return found }
      index += length
    }
    return HB_SCRIPT_COMMON
  }

  /// The range with a few characters on both sides.
  private func contextRange(_ text: UnsafeBufferPointer<UInt8>, _ range: Range<Int>) -> Range<Int> {
    var start = max(0, range.lowerBound - 16), end = min(text.count, range.upperBound + 16)
    while start < range.lowerBound, text[start] & 0xc0 == 0x80 { start += 1 }
    while end > range.upperBound, end < text.count, text[end] & 0xc0 == 0x80 { end -= 1 }
    return start..<end
  }

  private func decode(_ text: UnsafeBufferPointer<UInt8>, _ context: Range<Int>, _ range: Range<Int>) {
    scratch.codepoints.removeAll(keepingCapacity: true)
    scratch.offsets.removeAll(keepingCapacity: true)
    var first = -1, last = -1
    var index = context.lowerBound
    while index < context.upperBound {
      if first < 0, index >= range.lowerBound { first = scratch.codepoints.count }
      if last < 0, index >= range.upperBound { last = scratch.codepoints.count }
      let (codepoint, length) = UTF8Decoding.decode(text, at: index, end: context.upperBound)
      scratch.codepoints.append(codepoint)
      scratch.offsets.append(UInt32(truncatingIfNeeded: index))
      index += length
    }
    let count = scratch.codepoints.count
    scratch.item = (first < 0 ? count : first)..<(last < 0 ? count : last)
  }

  private func itemize(_ font: FontHandle, _ resolved: ResolvedFont, _ before: ScriptRuns, leading: hb_script_t) {
    scratch.items.removeAll(keepingCapacity: true)
    var scripts = before
    var previousFace = resolved.primary
    var segment = FallbackSegment()
    var index = scratch.item.lowerBound
    while index < scratch.item.upperBound {
      var end = index + 1
      func goesOn() -> Bool {
        end < scratch.item.upperBound && TextCharacter.extendsCluster(scratch.codepoints, at: end, clusterStart: index)
      }
      while end - index < FontContext.maximumClusterLength, goesOn() { end += 1 }
      let cluster = scratch.codepoints[index..<end]
      let base = scratch.codepoints[index]
      let found = scripts.advance(base)
      let script = found == HB_SCRIPT_COMMON ? leading : found
      let isSmall = isSmallCap(base, resolved.synthesizedCaps)
      let capital = isSmall ? TextCharacter.uppercase(base) : nil
      var face = previousFace
      if !(cluster.count == 1 && TextCharacter.isIgnorable(base)) {
        let isEmoji = TextCharacter.isEmojiCluster(cluster, resolved.description.emoji)
        let isText = TextCharacter.isTextCluster(cluster, resolved.description.emoji)
        let shaped = capital.map { ([$0.0, $0.1].compactMap { $0 } + cluster.dropFirst())[...] } ?? cluster
        segment.move(to: script, isEmoji: isEmoji)
        face = self.face(for: cluster, shapedAs: shaped, isEmoji: isEmoji, isText: isText, font: font, resolved, &segment)
      }
      previousFace = face
      // Chromium shapes letters that become capitals separately from unchanged characters, even at the same size.
      let isRaised = capital != nil
      if let last = scratch.items.last, last.cluster == nil, last.face === face, last.script == script, last.isSmallCap == isSmall,
        last.isRaised == isRaised
      {
        scratch.items[scratch.items.count - 1].range = last.range.lowerBound..<end
      } else {
        scratch.items.append(ShapeItem(face: face, script: script, isSmallCap: isSmall, isRaised: isRaised, range: index..<end))
      }
      let start = index
      index = end
      while end - start >= FontContext.maximumClusterLength, goesOn() {
        let part = index
        repeat { end += 1 } while end - part < FontContext.maximumClusterLength && goesOn()
        scratch.items.append(ShapeItem(face: face, script: script, isSmallCap: false, range: part..<end, cluster: start))
        index = end
      }
    }
  }

  private func isSmallCap(_ codepoint: UInt32, _ caps: SynthesizedCaps) -> Bool {
    // Chromium makes all characters small if the capitals of both cases are synthesized.
    caps == [.lowercase, .uppercase] || caps.contains(.lowercase) && TextCharacter.uppercase(codepoint) != nil
      || caps.contains(.uppercase) && TextCharacter.isUppercase(codepoint)
  }

  /// The script for common characters at the start of a range: that of the preceding text, otherwise that of the following text.
  private func leadingScript(
    _ text: UnsafeBufferPointer<UInt8>, _ range: Range<Int>, _ before: hb_script_t
  ) -> hb_script_t {
    if before != HB_SCRIPT_COMMON { return before }
    let found = firstScript(text, range)
    return found == HB_SCRIPT_COMMON ? nearbyScript(text, range) : found
  }

  // MARK: Shaping

  private func shapeAnew(
    _ text: UnsafeBufferPointer<UInt8>, _ empty: ShapedRun, _ resolved: ResolvedFont, _ scripts: ScriptRuns?, script: hb_script_t,
    context: Range<Int>, _ deadline: Deadline
  ) -> ShapedRun {
    decode(text, context, empty.textRange)
    if let scripts {
      itemize(empty.font, resolved, scripts, leading: script)
    } else {
      scratch.items.removeAll(keepingCapacity: true)
      scratch.items.append(ShapeItem(face: resolved.primary, script: script, isSmallCap: false, range: scratch.item))
    }
    var features = resolved.features
    if empty.letterSpacing != 0 {
      // https://drafts.csswg.org/css-text-4/#letter-spacing-property: optional ligatures are disabled unless enabled explicitly.
      features = [FontContext.feature(FontTag("liga"), 0), FontContext.feature(FontTag("clig"), 0)] + features
    }
    var run = empty
    run.glyphs.reserveCapacity(scratch.item.count)
    var items = scratch.items
    let isLong = scratch.item.count > FontContext.longItem
    if isLong { items = items.flatMap { parts(of: $0, run, resolved, features, deadline) } }
    for item in empty.isRightToLeft ? items.reversed() : items {
      if isLong, deadline.hasPassed { break }
      shape(item, into: &run, resolved, features)
    }
    run.updatePositions()
    return run
  }

  private static let longItem = 32_768
  /// Near the end of a part, this many characters are shaped without all of their following context.
  private static let partMargin = 256

  /// Splits a long item into parts that give the same glyphs, at positions that are safe to break, so that one call of the shaper cannot
  /// exceed the deadline by much.
  private func parts(
    of item: ShapeItem, _ run: ShapedRun, _ resolved: ResolvedFont, _ features: [hb_feature_t], _ deadline: Deadline
  ) -> [ShapeItem] {
    var parts: [ShapeItem] = []
    var rest = item
    while rest.range.count > FontContext.longItem, !deadline.hasPassed {
      var part = rest
      part.range = rest.range.prefix(FontContext.longItem)
      let half = part.range.lowerBound + FontContext.longItem / 2, last = part.range.upperBound - FontContext.partMargin
      let cut = lastSafeCut(part, in: half..<last, run, resolved, features) ?? part.range.upperBound
      part.range = part.range.lowerBound..<cut
      rest.range = cut..<rest.range.upperBound
      parts.append(part)
    }
    return parts + [rest]
  }

  /// The last character in `range` before which the glyphs of an item can be split.
  private func lastSafeCut(
    _ item: ShapeItem, in range: Range<Int>, _ run: ShapedRun, _ resolved: ResolvedFont, _ features: [hb_feature_t]
  ) -> Int? {
    var trial = run
    shape(item, into: &trial, resolved, features)
    let first = scratch.offsets[range.lowerBound], end = scratch.offsets[range.upperBound]
    // The glyphs of a cluster are adjacent, and have the same flag.
    guard let glyph = trial.glyphs.lazy.filter({ !$0.isUnsafeToBreak && $0.cluster >= first && $0.cluster < end }).map(\.cluster).max()
    else { return nil }
    return range.first { scratch.offsets[$0] == glyph }
  }

  private func shape(_ item: ShapeItem, into run: inout ShapedRun, _ resolved: ResolvedFont, _ features: [hb_feature_t]) {
    guard let face = item.face, let font = hbFont(for: face), let buffer else { return }
    hb_buffer_clear_contents(buffer)
    fill(buffer, item)
    hb_buffer_set_direction(buffer, run.isUpright ? HB_DIRECTION_TTB : run.isRightToLeft ? HB_DIRECTION_RTL : HB_DIRECTION_LTR)
    hb_buffer_set_script(buffer, item.script)
    if let language = resolved.language { hb_buffer_set_language(buffer, language) }
    let trimmed = trimmedPunctuation(item, run, resolved)
    var features = features
    let halves = FontTag(run.isUpright ? "vhal" : "halt").raw
    for index in trimmed.halves {
      features.append(
        hb_feature_t(tag: halves, value: 1, start: UInt32(truncatingIfNeeded: index), end: UInt32(truncatingIfNeeded: index + 1)))
    }
    HarfBuzz.shape(font, buffer, features)
    var count: UInt32 = 0
    guard let infos = hb_buffer_get_glyph_infos(buffer, &count), let positions = hb_buffer_get_glyph_positions(buffer, nil) else { return }
    let full = size(of: face, in: resolved)
    // Chromium rounds the size of synthesized small capitals, and does not apply `font-size-adjust` to it.
    let size = item.isSmallCap ? ((resolved.description.sizeAdjust == nil ? full : resolved.size) * 0.7).rounded() : full
    // Chromium takes horizontal advances from FreeType, with its rounded scale, and vertical ones from HarfBuzz.
    let unitsPerEm = face.face.info.unitsPerEm
    let scale =
      run.isUpright ? FontMetrics.advanceSize(size) / Double(unitsPerEm) : FontMetrics.glyphScale(size, unitsPerEm: unitsPerEm)
    let first = run.glyphs.count
    let upright = run.isUpright ? uprightMetrics(face, size: size) : nil
    var missing = MissingCharacters()
    for index in 0..<Int(count) {
      let info = infos[index], position = positions[index]
      let character = Int(info.cluster)
      guard character < scratch.offsets.count else { continue }
      var glyph = ShapedGlyph(
        glyph: info.codepoint, cluster: scratch.offsets[character],
        advance: upright?.advance ?? advance(position, info.codepoint, font, face, isUpright: run.isUpright, scale),
        xOffset: Float(Double(position.x_offset) * scale),
        yOffset: upright?.yOffset(position) ?? Float(-Double(position.y_offset) * scale),
        isUnsafeToBreak: item.cluster != nil || !trimmed.unsafe.isEmpty && trimmed.unsafe.contains(character)
          || info.mask & HB_GLYPH_FLAG_UNSAFE_TO_BREAK.rawValue != 0)
      if glyph.glyph == 0 { glyph.glyph = missing.glyph(scratch.codepoints, character, end: item.range.upperBound, face.face) }
      let codepoint = scratch.codepoints[character]
      if codepoint < 0x20 || codepoint > 0x7e, TextCharacter.isControl(codepoint), codepoint != 0x09 { glyph.advance = 0 }
      run.glyphs.append(glyph)
    }
    if item.cluster == nil {
      addSpacing(&run, infos, first, Int(count), isCursive: Self.cursive.contains(item.script.rawValue))
      if resolved.description.spacesIdeographs { addAutoSpacing(&run, first, end: item.range.upperBound, size: size) }
    }
    guard run.glyphs.count > first else { return }
    run.segments.append(ShapedSegment(face: face, size: Float(size), glyphs: first..<run.glyphs.count))
  }

  /// In px. With whole advances, the font's advance is rounded, but kerning is not.
  private func advance(
    _ position: hb_glyph_position_t, _ glyph: UInt32, _ font: OpaquePointer, _ face: FaceInstance, isUpright: Bool, _ scale: Double
  ) -> Float {
    let shaped = Double(isUpright ? -position.y_advance : position.x_advance) * scale
    guard hasWholeAdvances, !isUpright, shaped != 0 else { return Float(shaped) }
    let own = Double(hb_font_get_glyph_h_advance(font, glyph)) * scale
    return Float(shaped + own.rounded() - own)
  }

  /// The vertical position of upright glyphs in a face without vertical metrics.
  private struct UprightMetrics {
    var advance: Float
    var ascent: Float

    /// HarfBuzz would center them; Chromium aligns their origin with the ascent. Marks are not moved.
    func yOffset(_ position: hb_glyph_position_t) -> Float? { position.y_advance != 0 ? ascent : nil }
  }

  /// In a face without vertical advances, upright glyphs are as high as a line, which Chromium rounds to whole pixels.
  private func uprightMetrics(_ face: FaceInstance, size: Double) -> UprightMetrics? {
    let info = face.face.info
    guard !info.metrics.hasVerticalAdvances else { return nil }
    let metrics = FontMetrics(face: info.metrics, unitsPerEm: Double(info.unitsPerEm), size: size)
    return UprightMetrics(advance: metrics.ascent + metrics.descent, ascent: metrics.ascent)
  }

  /// Adds the item's characters, with control characters as spaces and small capitals as capitals, and the text around it as context.
  private func fill(_ buffer: OpaquePointer, _ item: ShapeItem) {
    hb_buffer_set_content_type(buffer, HB_BUFFER_CONTENT_TYPE_UNICODE)
    hb_buffer_set_cluster_level(buffer, HB_BUFFER_CLUSTER_LEVEL_MONOTONE_GRAPHEMES)
    let before = max(0, item.range.lowerBound - 5)..<item.range.lowerBound
    let after = item.range.upperBound..<min(scratch.codepoints.count, item.range.upperBound + 5)
    scratch.codepoints.withUnsafeBufferPointer { codepoints in
      // Adds no characters, but sets the preceding context.
      hb_buffer_add_codepoints(buffer, codepoints.baseAddress, Int32(before.upperBound), UInt32(before.upperBound), 0)
      for index in item.range {
        var codepoint = codepoints[index]
        if codepoint < 0x20 || codepoint > 0x7e, TextCharacter.isControl(codepoint) { codepoint = 0x20 }
        if item.isSmallCap, let (upper, second) = TextCharacter.uppercase(codepoint) {
          hb_buffer_add(buffer, upper, UInt32(truncatingIfNeeded: item.cluster ?? index))
          guard let second else { continue }
          codepoint = second
        }
        hb_buffer_add(buffer, codepoint, UInt32(truncatingIfNeeded: item.cluster ?? index))
      }
      guard let start = codepoints.baseAddress else { return }
      hb_buffer_add_codepoints(buffer, start + after.lowerBound, Int32(after.count), 0, 0)
    }
  }

  /// Adds an eighth of an em after each character at a boundary. https://drafts.csswg.org/css-text-4/#text-autospace-property
  private func addAutoSpacing(_ run: inout ShapedRun, _ first: Int, end last: Int, size: Double) {
    guard !run.isRightToLeft else { return }
    for index in first..<run.glyphs.count {
      let end = index + 1 < run.glyphs.count ? run.glyphs[index + 1].cluster : nil
      guard end != run.glyphs[index].cluster, let here = characterIndex(run.glyphs[index].cluster) else { continue }
      let next = end.flatMap { characterIndex($0) } ?? last
      guard next > here, next < scratch.codepoints.count,
        AutoSpacing.isNeeded(between: scratch.codepoints[next - 1], and: scratch.codepoints[next])
      else { continue }
      run.glyphs[index].advance += Float(size / 8)
      if index + 1 < run.glyphs.count { run.glyphs[index + 1].isUnsafeToBreak = true }
    }
  }

  /// The index of the character that begins at a byte of the text.
  private func characterIndex(_ offset: UInt32) -> Int? {
    var low = 0, high = scratch.offsets.count
    while low < high {
      let middle = (low + high) / 2
      if scratch.offsets[middle] < offset { low = middle + 1 } else { high = middle }
    }
    return low < scratch.offsets.count && scratch.offsets[low] == offset ? low : nil
  }

  /// Scripts with joining letters. https://drafts.csswg.org/css-text-4/#cursive-scripts
  private static let cursive: Set<UInt32> = Set(
    [
      HB_SCRIPT_ARABIC, HB_SCRIPT_HANIFI_ROHINGYA, HB_SCRIPT_MANDAIC, HB_SCRIPT_MONGOLIAN, HB_SCRIPT_NKO, HB_SCRIPT_PHAGS_PA,
      HB_SCRIPT_SYRIAC,
    ].map(\.rawValue))

  /// - Parameter isCursive: Whether the script joins letters, which must not be spaced; Chromium also does not space digits and signs among
  ///   them, but widens the spaces.
  ///   https://drafts.csswg.org/css-text-4/#cursive-tracking
  private func addSpacing(
    _ run: inout ShapedRun, _ infos: UnsafeMutablePointer<hb_glyph_info_t>, _ first: Int, _ count: Int, isCursive: Bool
  ) {
    guard run.letterSpacing != 0 || run.wordSpacing != 0, run.glyphs.count == first + count else { return }
    for index in 0..<count {
      let isLastOfCluster = index + 1 == count || infos[index + 1].cluster != infos[index].cluster
      guard isLastOfCluster else { continue }
      let codepoint = scratch.codepoints[Int(infos[index].cluster)]
      let isJoined = isCursive && codepoint != 0x20 && codepoint != 0xa0
      var space: Float = isJoined || TextCharacter.isZeroWidth(codepoint) ? 0 : run.letterSpacing
      if TextCharacter.isWordSeparator(codepoint) { space += run.wordSpacing }
      run.glyphs[first + index].advance += space
    }
  }
}

enum UTF8Decoding {
  /// The character at `index` and its length; U+FFFD with a length of one byte for invalid UTF-8.
  @inline(__always)
  static func decode(_ text: UnsafeBufferPointer<UInt8>, at index: Int, end: Int) -> (codepoint: UInt32, length: Int) {
    let lead = UInt32(text[index])
    if lead < 0x80 { return (lead, 1) }
    let length = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : 2
    guard lead >= 0xc2, lead < 0xf5, index + length <= end else { return (0xfffd, 1) }
    var codepoint = lead & (length == 2 ? 0x1f : length == 3 ? 0x0f : 0x07)
    for offset in 1..<length {
      let byte = UInt32(text[index + offset])
      guard byte & 0xc0 == 0x80 else { return (0xfffd, 1) }
      codepoint = codepoint << 6 | byte & 0x3f
    }
    let minimum: UInt32 = length == 2 ? 0x80 : length == 3 ? 0x800 : 0x10000
    guard codepoint >= minimum, codepoint <= 0x10ffff, !(0xd800...0xdfff).contains(codepoint) else { return (0xfffd, 1) }
    return (codepoint, length)
  }
}
