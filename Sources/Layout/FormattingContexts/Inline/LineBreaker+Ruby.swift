internal import OffprintCSS
internal import OffprintCoreTypes

// https://drafts.csswg.org/css-ruby-1/#ruby-overhang, as Chromium does: a ruby column lies over text on its line that is no larger than its own.
extension LineBreaker {
  /// Over half of the text before it.
  func hang(_ atomic: inout AtomicInline, _ overhang: RubyExtents.Overhang, over item: InlineItem) {
    atomic.pendingOverhang = overhang.end
    for piece in line.pieces.reversed() {
      let before = data.items[piece.item]
      switch before.kind {
      case .openTag, .closeTag: continue
      case .text where before.style.font.size <= item.style.font.size: atomic.overhang.start = min(overhang.start, piece.inlineSize / 2)
      default: break
      }
      return
    }
  }

  /// A line that begins within a base that was broken has that column, too.
  mutating func continueRuby() throws {
    guard data.hasAnnotations else { return }
    let before = data.items.indices.prefix(cursor.item).suffix(LineBreaker.maximumRubyItems)
    for index in before.reversed() where data.items[index].isRubyOverlay {
      let item = data.items[index]
      guard item.start < cursor.offset, cursor.offset < item.rubyEnd else { return }
      var atomic = try layoutAtomic(item)
      rubyLineStarts.insert(cursor.offset)
      atomic.rubyLine = rubyLineStarts.count(where: { item.start < $0 && $0 <= cursor.offset })
      line.pieces.append(LinePiece(item: index, start: item.start, end: item.end, atomic: atomics.count))
      atomics.append(atomic)
      return
    }
  }

  private static let maximumRubyItems = 64

  /// Over half of the text that comes next. Chromium measures all of that text, even if only a part fits the line.
  mutating func hangRuby(over item: InlineItem) {
    for index in line.pieces.indices.reversed() {
      let piece = line.pieces[index], before = data.items[piece.item]
      if before.kind == .openTag || before.kind == .closeTag { continue }
      guard before.kind == .atomic, atomics.indices.contains(piece.atomic), atomics[piece.atomic].pendingOverhang > .zero,
        item.style.font.size <= before.style.font.size
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
