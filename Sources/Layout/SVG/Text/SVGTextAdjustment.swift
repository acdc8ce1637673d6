import OffprintCSS
import OffprintCoreTypes
import OffprintDOM
import Glibc
import OffprintTypography

// https://www.w3.org/TR/SVG2/text.html#TextLayoutAlgorithm, from "Adjust positions: dx, dy" on.
extension SVGTextLayout {
  mutating func adjust() {
    shiftByDeltas()
    for index in collector.elements.indices.reversed() { adjustLength(index) }
    place()
    anchor()
    putOnPaths()
    for index in clusters.indices {
      if let angle = collector.characters[clusters[index].characters.lowerBound].rotate { clusters[index].angle += angle }
    }
  }

  private mutating func shiftByDeltas() {
    var dx = 0.0, dy = 0.0
    for index in clusters.indices {
      for character in clusters[index].characters {
        dx += collector.characters[character].dx
        dy += collector.characters[character].dy
      }
      clusters[index].x += dx
      clusters[index].y += dy
    }
  }

  private func position(_ index: Int) -> Double { isVertical ? clusters[index].y : clusters[index].x }

  /// `textLength`. https://www.w3.org/TR/SVG2/text.html#TextLayoutAlgorithm
  private mutating func adjustLength(_ number: Int) {
    let element = collector.elements[number]
    guard !element.characters.isEmpty, scene.kind(element.reference.node) != .a,
      let given = scene.length("textLength", element.reference.node, element.style),
      case let wanted = given.resolve(isVertical ? collector.viewport.height : collector.viewport.width), wanted > 0
    else { return }
    let first = clusterOf[element.characters.lowerBound], last = clusterOf[element.characters.upperBound - 1]
    var low = Double.infinity, high = -Double.infinity
    for index in first...last {
      low = min(low, position(index))
      high = max(high, position(index) + clusters[index].advance)
    }
    guard low.isFinite, high > low else { return }
    let difference = wanted - (high - low)
    let order = (first...last).sorted { (position($0), $0) < (position($1), $1) }
    if scene.text("lengthAdjust", element.reference.node) == "spacingAndGlyphs" {
      let factor = wanted / (high - low)
      for index in order {
        move(index, by: (position(index) - low) * (factor - 1))
        clusters[index].scale *= factor
        clusters[index].advance *= factor
      }
    } else {
      guard order.count > 1 else { return shiftFollowing(last, by: difference) }
      let step = difference / Double(order.count - 1)
      for (place, index) in order.enumerated() { move(index, by: step * Double(place)) }
    }
    shiftFollowing(last, by: difference)
  }

  private mutating func shiftFollowing(_ last: Int, by difference: Double) {
    for index in clusters.indices where index > last { move(index, by: difference) }
  }

  private mutating func move(_ index: Int, by distance: Double) {
    if isVertical { clusters[index].y += distance } else { clusters[index].x += distance }
  }

  /// Applies absolute positions. Each also moves all following characters.
  private mutating func place() {
    var shift = DisplayPoint(0, 0)
    for index in clusters.indices {
      let character = collector.characters[clusters[index].characters.lowerBound]
      if let x = character.x { shift.x = x + (index > 0 || character.dx != 0 ? character.dx : 0) - clusters[index].x }
      if let y = character.y { shift.y = y + (index > 0 || character.dy != 0 ? character.dy : 0) - clusters[index].y }
      if character.startsChunk, character.path >= 0 {
        // On a path, positions restart.
        if character.x == nil { shift.x = character.dx - clusters[index].x }
        if character.y == nil { shift.y = character.dy - clusters[index].y }
      }
      clusters[index].x += shift.x
      clusters[index].y += shift.y
    }
  }

  private func startsChunk(_ index: Int) -> Bool {
    let character = collector.characters[clusters[index].characters.lowerBound]
    if index == 0 || character.startsChunk { return true }
    if character.path >= 0 { return isVertical ? character.y != nil : character.x != nil }
    return character.x != nil || character.y != nil
  }

  /// https://www.w3.org/TR/SVG2/text.html#TextAnchoringProperties
  private mutating func anchor() {
    var start = 0
    while start < clusters.count {
      var end = start + 1
      while end < clusters.count, !startsChunk(end) { end += 1 }
      anchor(start..<end)
      start = end
    }
  }

  private mutating func anchor(_ chunk: Range<Int>) {
    var low = Double.infinity, high = -Double.infinity
    for index in chunk {
      low = min(low, position(index))
      high = max(high, position(index) + clusters[index].advance)
    }
    guard low.isFinite, high.isFinite else { return }
    let first = collector.characters[clusters[chunk.lowerBound].characters.lowerBound]
    let style = collector.elements[first.element].style
    let isRTL = style.text.direction == .rtl
    let origin = position(chunk.lowerBound) - (isVertical ? first.dy : first.dx)
    _ = origin
    let at = position(chunk.lowerBound)
    let shift: Double =
      switch style.svg.textAnchor {
      case .start: at - (isRTL ? high : low)
      case .middle: at - (low + high) / 2
      case .end: at - (isRTL ? low : high)
      }
    for index in chunk { move(index, by: shift) }
  }

  /// https://www.w3.org/TR/SVG2/text.html#TextpathLayoutRules
  private mutating func putOnPaths() {
    guard !collector.paths.isEmpty else { return }
    var after: DisplayPoint?
    for index in clusters.indices {
      let character = collector.characters[clusters[index].characters.lowerBound]
      guard character.path >= 0 else {
        if character.startsChunk, let end = after, character.x == nil, character.y == nil {
          // Text after a path continues at the end of the path.
          let shift = DisplayPoint(end.x - clusters[index].x, end.y - clusters[index].y)
          for next in index..<clusters.count where collector.characters[clusters[next].characters.lowerBound].path < 0 {
            clusters[next].x += shift.x
            clusters[next].y += shift.y
          }
          after = nil
        }
        continue
      }
      guard let path = collector.paths[character.path] else {
        clusters[index].isHidden = true
        continue
      }
      after = path.measure.place(at: path.measure.length)?.point
      putOnPath(index, path)
    }
  }

  private mutating func putOnPath(_ index: Int, _ path: SVGTextPath) {
    let cluster = clusters[index]
    let middle = position(index) + cluster.advance / 2 + path.startOffset
    guard let place = path.measure.place(at: middle) else {
      clusters[index].isHidden = true
      return
    }
    let radians = place.angle * .pi / 180
    let across = isVertical ? cluster.x : cluster.y
    let c = cos(radians), s = sin(radians)
    clusters[index].x = place.point.x - c * cluster.advance / 2 - s * across
    clusters[index].y = place.point.y - s * cluster.advance / 2 + c * across
    clusters[index].angle += place.angle
    clusters[index].isOnPath = true
  }
}
