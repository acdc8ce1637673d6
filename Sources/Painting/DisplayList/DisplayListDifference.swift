public import OffprintCoreTypes
import OffprintImages

extension DisplayList {
  /// The pixels in which the image of this list may differ from that of another list for the same area; empty if none does.
  public func difference(from other: DisplayList) -> PixelRect {
    guard bounds == other.bounds, hasWholeGlyphPositions == other.hasWholeGlyphPositions, backdropOutset == 0, other.backdropOutset == 0
    else {
      return bounds
    }
    var first = 0
    let maximum = min(items.count, other.items.count)
    while first < maximum, items[first].isSame(as: other.items[first]) { first += 1 }
    if first == items.count, first == other.items.count { return .empty }
    var last = 0
    while last < maximum - first, items[items.count - 1 - last].isSame(as: other.items[other.items.count - 1 - last]) { last += 1 }
    let changed = extent(of: first..<items.count - last).union(other.extent(of: first..<other.items.count - last))
    return changed.intersection(bounds)
  }

  /// The pixels that items may change, and those of the groups around them whose effects spread changes.
  private func extent(of range: Range<Int>) -> PixelRect {
    var extent = items[range].reduce(PixelRect.empty) { $0.union($1.bounds) }
    for item in items[..<range.lowerBound] where item.end >= range.lowerBound && item.command.opens {
      guard case .pushGroup(let group) = item.command, !group.isPlain || group.projection != nil else { continue }
      extent = extent.union(item.bounds)
    }
    return extent
  }
}

extension DisplayItem {
  fileprivate func isSame(as other: DisplayItem) -> Bool { bounds == other.bounds && command.isSame(as: other.command) }
}

extension DisplayCommand {
  fileprivate func isSame(as other: DisplayCommand) -> Bool {
    switch (self, other) {
    case (.fillRect(let a, let color), .fillRect(let b, let otherColor)): a == b && color == otherColor
    case (.fillRoundedRect(let a, let color), .fillRoundedRect(let b, let otherColor)): a == b && color == otherColor
    case (.fillRing(let a, let c, let color), .fillRing(let b, let d, let otherColor)): a == b && c == d && color == otherColor
    case (.fillPath(let a, let color), .fillPath(let b, let otherColor)): color == otherColor && a == b
    case (.strokePath(let a, let c, let color), .strokePath(let b, let d, let otherColor)): color == otherColor && c == d && a == b
    case (.pattern(let a), .pattern(let b)): a.isSame(as: b)
    case (.glyphs(let a), .glyphs(let b)): a.isSame(as: b)
    case (.shadow(let a), .shadow(let b)): a == b
    case (.backdrop(let a), .backdrop(let b)): a == b
    case (.pushClip(let a), .pushClip(let b)): a == b
    case (.pushGroup(let a), .pushGroup(let b)): a.isSame(as: b)
    case (.pushTransform(let a), .pushTransform(let b)): a == b
    case (.popClip, .popClip), (.popGroup, .popGroup), (.popTransform, .popTransform): true
    default: false
    }
  }
}

extension Pattern {
  fileprivate func isSame(as other: Pattern) -> Bool {
    let hasSamePlace =
      sourceRect == other.sourceRect && tile == other.tile && periodX == other.periodX && periodY == other.periodY && area == other.area
    return hasSamePlace && source.isSame(as: other.source)
  }
}

extension Pattern.Source {
  fileprivate func isSame(as other: Pattern.Source) -> Bool {
    switch (self, other) {
    case (.bitmap(let a, let isSmooth), .bitmap(let b, let isOtherSmooth)): isSmooth == isOtherSmooth && a.storage === b.storage
    // The same document can be at another time.
    case (.vector(let a), .vector(let b)): a == b && a.drawing.map { ObjectIdentifier($0) } == b.drawing.map { ObjectIdentifier($0) }
    case (.gradient(let a), .gradient(let b)): a == b
    case (.list(let a), .list(let b)): a.difference(from: b).isEmpty
    default: false
    }
  }
}

extension GlyphRun {
  fileprivate func isSame(as other: GlyphRun) -> Bool {
    let hasSameLook =
      face === other.face && size == other.size && origin == other.origin && color == other.color && isSideways == other.isSideways
      && strokeWidth == other.strokeWidth
    return hasSameLook && glyphs.elementsEqual(other.glyphs) { $0.id == $1.id && $0.x == $1.x && $0.y == $1.y }
  }
}

extension Group {
  fileprivate func isSame(as other: Group) -> Bool {
    let hasSameArea = content == other.content && outset == other.outset && projection == other.projection
    let hasSameEffect =
      opacity == other.opacity && operation == other.operation && hasBackdrop == other.hasBackdrop && filters == other.filters
    // A filter graph can contain images, which can be at another time.
    return hasSameArea && hasSameEffect && !filters.contains { if case .graph = $0 { true } else { false } }
  }
}
