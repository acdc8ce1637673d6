internal import OffprintCSS
internal import OffprintCoreTypes

// https://drafts.csswg.org/css-ruby-1/#ruby-overhang. In Chromium a ruby column overhangs adjacent text on its line of the same or a
// smaller font size.
extension LineBreaker {
  /// Overhangs up to half of the preceding text.
  func hang(_ atomic: inout AtomicInline, _ overhang: RubyExtents.Overhang, over item: InlineItem) {
    atomic.pendingOverhang = overhang.end
    for piece in line.pieces.reversed() {
      let before = data.items[piece.item]
      switch before.kind {
      // Chromium does not let a column overhang the text at the end of another ruby container.
      case .closeTag where before.style.box.display == .ruby: return
      case .openTag, .closeTag: continue
      case .text where before.style.font.size <= item.style.font.size && mayReach(item.style, over: piece.end - 1):
        atomic.overhang.start = min(overhang.start, piece.inlineSize / 2)
      default: break
      }
      return
    }
  }

  /// Whether `ruby-overhang` allows the column to overhang a character. https://drafts.csswg.org/css-ruby-1/#ruby-overhang
  func mayReach(_ style: ComputedStyle, over character: Int) -> Bool {
    style.text.rubyOverhang != .spaces || data.text.indices.contains(character) && data.text[character] == 0x20
  }

  // MARK: Columns with the base as text of the line

  /// The index of the column with the base at the cursor.
  private var openRuby: Int? {
    let before = data.items.indices.prefix(cursor.item + 1).suffix(LineBreaker.maximumRubyItems)
    guard let index = before.last(where: { data.items[$0].isRubyOverlay && $0 < cursor.item }) else { return nil }
    return data.items[index].start < cursor.offset && cursor.offset < data.items[index].rubyEnd ? index : nil
  }

  /// Adds the column of a broken base to a line that starts within the base.
  mutating func continueRuby() throws {
    guard data.hasAnnotations, let index = openRuby else { return }
    let item = data.items[index], place = cursor.ruby
    cursor.ruby = nil
    if let place, let breaker = RubyBreaker(engine, item.box), isRestApart(item, breaker) {
      let rest = try breaker.sizes(from: place)
      // The rest is as wide as its annotation, or cannot break: lay it out as a unit.
      if rest.annotation > rest.base || breaker.isShort(place) {
        cursor = InlineCursor(item: index, offset: item.start, ruby: place)
        return
      }
    }
    var atomic = try layoutAtomic(item)
    atomic.isRubyContinuation = true
    atomic.rubyStart = place
    line.pieces.append(LinePiece(item: index, start: item.start, end: item.end, atomic: atomics.count))
    atomics.append(atomic)
  }

  /// Whether the rest of a base can be laid out separately from the line: it has the same text, and no boxes.
  private func isRestApart(_ item: InlineItem, _ breaker: RubyBreaker) -> Bool {
    let contents = InlineFormattingContext.items(engine, breaker.base)
    return contents.items.allSatisfy { $0.kind == .text } && contents.text[...] == data.text[item.start..<item.rubyEnd]
  }

  /// Determines the parts of annotations on this line, and the rest if the line ends within a base.
  mutating func noteRuby() throws {
    var position = line.indent
    for index in line.pieces.indices {
      let piece = line.pieces[index], item = data.items[piece.item]
      defer { position += piece.inlineSize }
      guard item.isRubyOverlay, piece.inlineSize == .zero, atomics.indices.contains(piece.atomic) else { continue }
      let start = atomics[piece.atomic].rubyStart ?? RubyPosition()
      guard let breaker = RubyBreaker(engine, item.box) else { continue }
      if breaker.isAtEnd(start.annotation) { atomics[piece.atomic].isAnnotationDone = true }
      guard openRuby == piece.item, let place = basePlace(item, breaker) else { continue }
      let part = try breaker.annotationEnd(from: start, limit: line.availableWidth - position)
      atomics[piece.atomic].annotationLimit = part?.limit
      cursor.ruby = RubyPosition(base: place, annotation: part?.end ?? start.annotation)
    }
  }

  /// The cursor as a position in the base's own items.
  private func basePlace(_ item: InlineItem, _ breaker: RubyBreaker) -> RubyPosition.Part? {
    let contents = InlineFormattingContext.items(engine, breaker.base), offset = cursor.offset - item.start
    guard isRestApart(item, breaker), let index = contents.items.firstIndex(where: { $0.end > offset }) else { return nil }
    return RubyPosition.Part(item: index, offset: offset)
  }

  // MARK: Columns broken as a unit

  /// Returns true if the line is complete.
  mutating func handleRuby(_ item: InlineItem) throws -> Bool {
    let place = cursor.ruby ?? RubyPosition()
    var atomic = try rubyPart(item, place, nil)
    if let overhang = atomic.result.ruby?.overhang, overhang.end > .zero { hang(&atomic, overhang, over: item) }
    let size = atomic.size.inline + atomic.margin.inlineSum - atomic.overhang.start
    if position + size > available, let cut = try RubyBreaker(engine, item.box)?.cut(from: place, limit: available - position) {
      if position + cut.inlineSize > available, rewind(before: line.pieces.count) {
        takeEmptyInlines()
        return true
      }
      appendRuby(item, try rubyPart(item, place, cut))
      cursor.ruby = cut.end
      return true
    }
    appendRuby(item, atomic)
    let end = item.isRubyOverlay ? behindBase(cursor.item) : cursor.item + 1
    cursor.item = end - 1
    next()
    let boundary = item.isRubyOverlay ? item.rubyEnd : item.end
    line.pieces[line.pieces.count - 1].canBreakAfter = item.traits.contains(.wraps) && isBoundary(boundary)
    return position > available ? overflow() : false
  }

  private mutating func appendRuby(_ item: InlineItem, _ atomic: AtomicInline) {
    let size = atomic.size.inline + atomic.margin.inlineSum - atomic.overhang.start
    line.pieces.append(LinePiece(item: cursor.item, start: item.start, end: item.end, inlineSize: size, atomic: atomics.count))
    atomics.append(atomic)
    line.hasContent = true
    position += size
  }

  private func rubyPart(_ item: InlineItem, _ place: RubyPosition, _ cut: RubyCut?) throws -> AtomicInline {
    var atomic = try layoutAtomic(item)
    atomic.rubyStart = place
    guard place != RubyPosition() || cut != nil else { return atomic }
    atomic.result = try RubyLayout.layout(engine, item.box, from: place, cut: cut)
    atomic.size = container.direction.logical(atomic.result.size)
    return atomic
  }

  /// The first item after the base of a column.
  private func behindBase(_ column: Int) -> Int {
    let end = data.items[column].rubyEnd
    return data.items[(column + 1)...].firstIndex { $0.start >= end } ?? data.items.count
  }

  /// Breaks a column on the line to make space. Returns whether that succeeded.
  mutating func cutRuby(at index: Int, _ item: InlineItem) -> Bool {
    let piece = line.pieces[index]
    guard item.kind == .atomic, atomics.indices.contains(piece.atomic), let place = atomics[piece.atomic].rubyStart,
      !atomics[piece.atomic].isRubyContinuation,
      let cut = try? RubyBreaker(engine, item.box)?.cut(from: place, limit: piece.inlineSize - .epsilon),
      let part = try? rubyPart(item, place, cut)
    else { return false }
    line.pieces[index].inlineSize = part.size.inline
    line.pieces[index].atomic = atomics.count
    atomics.append(part)
    cutLine(after: index)
    cursor = InlineCursor(item: piece.item, offset: piece.start, ruby: cut.end)
    return true
  }

  private static let maximumRubyItems = 64

  /// Overhangs up to half of the following text. Chromium measures all of that text, even if only a part fits on the line.
  mutating func hangRuby(over item: InlineItem) {
    for index in line.pieces.indices.reversed() {
      let piece = line.pieces[index], before = data.items[piece.item]
      if before.kind == .openTag || before.kind == .closeTag { continue }
      guard before.kind == .atomic, atomics.indices.contains(piece.atomic), atomics[piece.atomic].pendingOverhang > .zero,
        item.style.font.size <= before.style.font.size, mayReach(before.style, over: item.start)
      else { return }
      let overhang = min(atomics[piece.atomic].pendingOverhang, textWidth(item, item.start, item.end) / 2)
      atomics[piece.atomic].pendingOverhang = .zero
      atomics[piece.atomic].overhang.end = overhang
      line.pieces[index].inlineSize -= overhang
      position -= overhang
      return
    }
  }
}
