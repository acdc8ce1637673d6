internal import OffprintCSS
import OffprintCoreTypes

// Absolutely positioned boxes. https://drafts.csswg.org/css-break-3/#abspos-breaking
extension Fragmenter {
  /// Places an absolutely positioned box by its insets. Chromium does not move a monolithic one to the next fragmentainer, and breaks in
  /// others do not make columns longer.
  mutating func placePositioned(_ child: Child, _ shift: LayoutUnit, growth: LayoutUnit, _ place: Place) throws -> Int {
    let outer = levels
    var found = findings
    defer { (levels, findings) = (outer, found) }
    levels = [BreakLevel()]
    let piece = engine.fragments[child.id]
    let inset = direction.logicalSides(piece.style.box.inset)
    var place = place
    if inset.blockStart.isAuto { place.offset += inset.blockEnd.isAuto ? shift : growth }
    place.original += child.start
    var position = place.offset + child.start
    while case let end = end(place.fragmentainer, place.insets), end < .max, position >= end {
      try engine.tick()
      place.fragmentainer += 1
    }
    if rules.isMonolithic(piece) {
      if isWatched(place.fragmentainer) {
        found.tallest = max(found.tallest, position + child.size - start(place.fragmentainer, place.insets))
      }
    } else {
      _ = try breakIfNeeded(
        Opportunity(link: child.link, appeal: .perfect, size: child.size), &position, &place.fragmentainer, place)
    }
    place.offset = position
    return try placeChild(child, behind: .perfect, place)
  }
}
