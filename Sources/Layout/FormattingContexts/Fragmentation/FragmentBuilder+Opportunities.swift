internal import OffprintCSS
internal import OffprintCoreTypes

// Whether to break at an opportunity. https://drafts.csswg.org/css-break-3/#breaking-rules
extension FragmentBuilder {
  enum Decision { case proceed, brokeBefore, needsEarlierBreak }

  /// Breaks before a child if necessary, or returns that an earlier break is better.
  ///
  /// - Parameters:
  ///   - offset: The offset of the child in the fragmentainer.
  ///   - isSeparated: Whether there is a break opportunity before the child. https://drafts.csswg.org/css-break-3/#possible-breaks
  func considerBreak(before child: BreakChild, at offset: LayoutUnit, isSeparated: Bool) -> Decision {
    guard space != nil else { return .proceed }
    let between = breakBetween(child)
    if isSeparated, between.isForced(kind) {
      noteShortage(of: child, at: offset)
      breakBefore(child.box, forced: true, between)
      return .brokeBefore
    }
    let appeal = appealBefore(child, isSeparated: isSeparated)
    if keepsChild(child, at: offset, appeal) { return .proceed }
    return breakSoftly(before: child, at: offset, appeal) ? .brokeBefore : .needsEarlierBreak
  }

  /// https://drafts.csswg.org/css-break-3/#forced-breaks
  func breakBetween(_ child: BreakChild) -> BreakBetween {
    guard !child.box.isNone, child.isFirst else { return .auto }
    let value = breakAfter.joined(engine.style(child.box).box.breakBefore.joined(child.result?.breakBefore ?? .auto))
    return changesPage(child) ? value.joined(.page).joined(value) : value
  }

  /// Whether the page name of the child differs from that of its predecessor. https://drafts.csswg.org/css-page-3/#using-named-pages
  private func changesPage(_ child: BreakChild) -> Bool {
    guard kind == .page, engine.namesPages, let lastChild, !child.isInParallelFlow else { return false }
    return PageNames.end(engine, lastChild) != PageNames.start(engine, child.box)
  }

  func appealBefore(_ child: BreakChild, isSeparated: Bool) -> BreakAppeal {
    var appeal = child.mostAppeal
    if !isSeparated {
      guard breaksAtResumedStart(child) else { return .lastResort }
      appeal = space?.leastAppeal ?? .lastResort
    }
    return breakBetween(child).isAvoided(kind) ? min(appeal, .violatingAvoid) : appeal
  }

  /// Whether to break although only a break precedes the child. In nested columns, the content can move to the next row, where there
  /// may be more space, instead of breaking worse than the previous columns.
  func breaksAtResumedStart(_ child: BreakChild) -> Bool {
    guard let space, space.leastAppeal != .lastResort else { return false }
    return isResuming && child.isFirst
  }

  /// Whether the child begins in this fragment, even if it is broken (`MovePastBreakpoint` in Chromium). Also notes the opportunity before it.
  func keepsChild(_ child: BreakChild, at offset: LayoutUnit, _ appeal: BreakAppeal) -> Bool {
    if !child.box.isNone {
      // A child that has begun continues: a break before it would restart it.
      guard child.isFirst else { return true }
      if child.needsClearance { return false }
    }
    if space?.isMeasuringColumns == true, child.box.isNone || child.avoidsBreakInside(kind) {
      // The part above the start of the fragmentainer takes no space in it.
      note(unbreakable: child.blockSize + min(offset, .zero))
    }
    let stays = fits(child, at: offset, appeal)
    if stays, !child.box.isNone { noteOpportunity(before: child, appeal) }
    return stays
  }

  /// https://drafts.csswg.org/css-break-3/#unforced-breaks
  func fits(_ child: BreakChild, at offset: LayoutUnit, _ appeal: BreakAppeal) -> Bool {
    guard let capacity = capacityForChildren else { return true }
    let left = capacity - offset
    // A break at the start of a fragmentainer makes no progress.
    let isBoundToStay = left >= capacity && !breaksAtResumedStart(child)
    if !isBoundToStay {
      if left < .zero { return false }
      // An empty fragment is useless, unless the box ends with it.
      if left == .zero, child.continuesInParentFlow, child.result?.spanner.isNone ?? true { return false }
      if child.blockSize <= left {
        let inside = child.appealInside(kind)
        guard child.result?.token?.isInside == true || inside < .perfect else { return true }
        return inside >= appeal && inside >= (earlyBreak?.appeal ?? .lastResort)
      }
      guard appeal == .lastResort, state.contains(.requiresContent) else { return false }
      findings.insert(.isClamped)
    }
    if child.blockSize > left { noteShortage(of: child, at: offset) }
    return true
  }

  // MARK: Early breaks

  /// Records the best opportunity so far. The last of equal ones wins, because it makes the most progress.
  private func noteOpportunity(before child: BreakChild, _ appeal: BreakAppeal) {
    var inside = BreakAppeal.lastResort
    if let point = child.result?.earlyBreak {
      inside = child.appealInside(kind, hypothetical: point.appeal)
      if (earlyBreak?.appeal ?? .lastResort) <= point.appeal { earlyBreak = EarlyBreak(.inside(child.box, point), inside) }
    }
    guard appeal > inside, (earlyBreak?.appeal ?? .lastResort) <= appeal else { return }
    earlyBreak = EarlyBreak(.before(child.box), appeal)
  }

  // MARK: Soft breaks

  /// Whether an earlier break is better than one of `appeal`. If so, the box must be laid out again.
  func prefersEarlierBreak(than appeal: BreakAppeal) -> Bool {
    guard early == nil, let earlyBreak, earlyBreak.appeal > appeal else { return false }
    status = .needsEarlierBreak
    return true
  }

  /// - Returns: False if an earlier break is better.
  func breakSoftly(before child: BreakChild, at offset: LayoutUnit, _ appeal: BreakAppeal) -> Bool {
    noteShortage(of: child, at: offset)
    guard !prefersEarlierBreak(than: appeal) else { return false }
    takeValues(child)
    lowerAppeal(to: appeal)
    breakBefore(child.box, forced: false)
    return true
  }

  /// Records the additional block size with which the child would fit. https://drafts.csswg.org/css-multicol-1/#column-balancing
  func noteShortage(of child: BreakChild, at offset: LayoutUnit) {
    guard kind == .column, let capacity = capacityForChildren else { return }
    note(shortage: child.result?.shortage ?? offset + child.blockSize - capacity)
  }

  /// Ends the fragment before a child, or before the next line.
  ///
  /// - Parameter value: The value that forces the break.
  func breakBefore(_ child: BoxID, forced: Bool, _ value: BreakBetween = .auto) {
    if forced { breakCause = .forced }
    guard !child.isNone else {
      state.insert(.hasInFlowBreak)
      return
    }
    let token = BreakToken(child, .before, forced ? .forced : .unforced)
    token.breakBefore = value
    add(token, inFlow: engine.tree[child].isInFlow)
  }
}
