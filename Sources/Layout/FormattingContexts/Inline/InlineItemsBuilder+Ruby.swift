internal import OffprintCSS
internal import OffprintCoreTypes
internal import OffprintTypography

// https://drafts.csswg.org/css-ruby-1/#break-within: Chromium breaks lines within long bases.
extension InlineItemsBuilder {
  /// The base of a ruby column that can be laid out as text of the line: left-to-right, with break opportunities or tabs, whose stops
  /// depend on the line, and no narrower than the annotation, so that its contents are positioned as they would be without a column.
  func breakableBase(of column: BoxID) -> BoxID? {
    let base = engine.tree[column].firstChild
    guard !base.isNone, engine.tree[base].hasInlineChildren, engine.style(container).text.writingMode == .horizontalTb,
      engine.style(container).text.direction == .ltr
    else { return nil }
    let contents = InlineFormattingContext.items(engine, base)
    let hasTab = contents.items.contains { $0.kind == .tab }
    guard !contents.isBidi, contents.items.allSatisfy(isBreakable), hasTab || breaksRuby && hasOpportunity(contents) else { return nil }
    if !hasTab, RubyBreaker(engine, column)?.isShort(RubyPosition()) == true { return nil }
    let annotation = engine.tree[base].nextSibling
    guard !annotation.isNone else { return base }
    var input = LayoutInput(availableInline: nil, availableBlock: nil)
    input.autoInline = .fitContent
    guard let own = try? engine.intrinsicSizes(base, input), let other = try? engine.intrinsicSizes(annotation, input) else { return nil }
    return other.max <= own.max ? base : nil
  }

  /// Whether lines may break a column as a unit, because its annotation is wider than its base.
  func isBreakable(_ column: BoxID) -> Bool {
    let style = engine.style(container)
    guard breaksRuby, style.text.writingMode == .horizontalTb, style.text.direction == .ltr else { return false }
    return RubyBreaker(engine, column)?.isBreakable ?? false
  }

  /// Whether lines may break inside ruby columns. Chromium decides that by the style of the block container, not by that of the ruby, and keeps
  /// columns whole where it compares several breaks of a paragraph.
  private var breaksRuby: Bool {
    let text = engine.style(container).text
    return text.textWrapMode == .wrap && text.textWrapStyle != .balance && text.textWrapStyle != .pretty
  }

  /// Whether a ruby column has any annotation contents.
  func hasAnnotation(_ column: BoxID) -> Bool {
    engine.tree.children(of: column).dropFirst().contains {
      !engine.tree[$0].firstChild.isNone
        && (!engine.tree[$0].hasInlineChildren || !InlineFormattingContext.items(engine, $0).isEmpty)
    }
  }

  private func isBreakable(_ item: InlineItem) -> Bool {
    switch item.kind {
    case .text, .openTag, .closeTag, .tab: true
    case .atomic, .floating, .outOfFlow, .forcedBreak: false
    }
  }

  private func hasOpportunity(_ contents: InlineItems) -> Bool {
    contents.items.contains { item in
      guard item.kind == .text, item.traits.contains(.wraps) else { return false }
      return (item.start..<item.end).contains {
        $0 > 0 && contents.boundaries.indices.contains($0) && contents.boundaries[$0].contains(.lineBreak)
      }
    }
  }
}
