import OffprintCSS
import OffprintCoreTypes
import OffprintDOM
import OffprintTypography

// https://drafts.csswg.org/css-pseudo-4/#first-letter-pseudo
extension BoxTreeBuilder {
  /// The state of the search for a first letter in the first line of a block container.
  private enum Search {
    /// Only spaces, punctuation, floats and the like so far: the letter may follow.
    case goesOn
    /// The letter is found, or the line has none.
    case ended(FirstLetterPosition?)

    var place: FirstLetterPosition? { if case .ended(let place) = self { place } else { nil } }
  }

  /// Wraps the first letter of a block container, whose children are not fixed up yet, in a `::first-letter` box.
  ///
  /// - Parameter pseudo: `.detailsFirstLetter` in a `::details-content`.
  mutating func generateFirstLetter(of node: NodeID, _ pseudo: PseudoElement = .firstLetter, in pending: inout PendingBox) {
    // https://w3c.github.io/mathml-core/#css-styling: not in MathML elements.
    guard hasFirstLetters, pending.box.kind == .blockContainer || pending.box.kind == .tableCell,
      let style = styled.style(of: node, pseudo), document[node].namespace != .mathML
    else { return }
    var punctuation: FirstLetterPosition?
    guard let place = findFirstLetter(in: pending, [], &punctuation).place else { return }
    splitText(in: &pending, place.path[...], place.range, of: node, firstLetterStyle(style))
  }

  /// Floating first letters are blocks, others are inline; none is positioned. https://drafts.csswg.org/css-pseudo-4/#first-letter-styling
  private func firstLetterStyle(_ style: ComputedStyle) -> ComputedStyle {
    arena.modified(style) {
      var box = style.box
      box.position = .static
      box.display = box.float == .none ? .inline : .block
      if box.initialLetter != nil, box.float == .none { box.display = .inlineBlock }
      box.originalDisplay = .inline
      $0.box = arena.allocate(box)
    }
  }

  /// Removes `float`, which does not apply inside ruby. https://drafts.csswg.org/css-ruby-1/#anon-gen-inlinize
  private func inlined(_ style: ComputedStyle) -> ComputedStyle {
    guard style.box.float != .none, style.box.initialLetter == nil else { return style }
    return arena.modified(style) {
      var box = style.box
      (box.float, box.display) = (.none, .inline)
      $0.box = arena.allocate(box)
    }
  }

  /// - Parameter punctuation: The first text that consists of punctuation only. If the letter is in another text node, Chromium styles this
  ///   punctuation alone.
  private func findFirstLetter(in parent: PendingBox, _ path: [Int], _ punctuation: inout FirstLetterPosition?) -> Search {
    for (index, child) in parent.children.enumerated() {
      let box = child.box
      if box.kind == .text {
        if box.isCounterText { continue }
        switch FirstLetterPattern.find(in: tree.text, box.text.range, preservesBreaks: preservesBreaks(box.style)) {
        case .letter(let range): return .ended(punctuation ?? FirstLetterPosition(path: path + [index], range: range))
        case .punctuation(let range): punctuation = punctuation ?? FirstLetterPosition(path: path + [index], range: range)
        case .none: break
        }
      } else if endsFirstLine(box) {
        return .ended(nil)
      } else if canHoldFirstLetter(box) {
        if case .ended(let place) = findFirstLetter(in: child, path + [index], &punctuation) { return .ended(place) }
        // Chromium does not continue the search after a block container, even one without lines. It implements the parts of ruby as inline
        // boxes.
        let isBlock = box.kind == .blockContainer && !box.isRubyColumn && !parent.box.isRubyColumn
        if isBlock, !holdsMarkerAlone(child) { return .ended(nil) }
      }
    }
    return .goesOn
  }

  /// Whether text after such a box cannot be the first letter of the container.
  private func endsFirstLine(_ box: Box) -> Bool {
    if box.pseudo == .firstLetter || box.kind == .lineBreak { return true }
    guard box.isInFlow, box.pseudo != .marker, !box.isRubyColumn else { return false }
    if box.isAtomicInline { return true }
    switch box.kind {
    case .tableWrapper, .replaced, .flexContainer, .gridContainer: return true
    case .blockContainer: return box.pseudo == nil && !box.isAnonymous && styled.style(of: box.node, .firstLetter) != nil
    default: return false
    }
  }

  /// Whether the block is the anonymous one of an inside marker before block-level contents.
  private func holdsMarkerAlone(_ block: PendingBox) -> Bool {
    block.box.isAnonymous && block.children.allSatisfy { $0.box.pseudo == .marker || $0.isCollapsibleSpace }
  }

  private func canHoldFirstLetter(_ box: Box) -> Bool {
    box.isInFlow && box.pseudo != .marker && (box.kind == .inline || box.kind == .blockContainer)
  }

  private func preservesBreaks(_ style: ComputedStyle) -> Bool {
    switch style.text.whiteSpaceCollapse {
    case .collapse, .preserveSpaces: false
    case .preserve, .preserveBreaks, .breakSpaces: true
    }
  }

  private mutating func splitText(
    in parent: inout PendingBox, _ path: ArraySlice<Int>, _ letter: Range<Int>, of node: NodeID, _ style: ComputedStyle
  ) {
    guard let index = path.first, parent.children.indices.contains(index) else { return }
    let style = parent.box.style.box.display == .ruby ? inlined(style) : style
    if path.count == 1 { return splitText(&parent, at: index, letter, of: node, style) }
    splitText(in: &parent.children[index], path.dropFirst(), letter, of: node, style)
  }

  /// Replaces a text box by the text before the letter, the letter's box, and the text after it.
  private mutating func splitText(
    _ parent: inout PendingBox, at index: Int, _ letter: Range<Int>, of node: NodeID, _ style: ComputedStyle
  ) {
    let whole = parent.children[index]
    let own = arena.reinherited(style, from: styled.style(of: node), to: whole.box.style)
    var parts: [PendingBox] = []
    appendPart(whole, whole.box.text.range.lowerBound..<letter.lowerBound, to: &parts)
    var box = PendingBox(principalBox(own, node: node, pseudo: .firstLetter))
    if own.box.initialLetter != nil { box.box.specialLayout = .initialLetter }
    appendLetter(whole, letter, own, to: &box.children)
    finish(&box)
    parts.append(box)
    appendPart(whole, letter.upperBound..<whole.box.text.range.upperBound, to: &parts)
    parent.children.replaceSubrange(index...index, with: parts)
  }

  private func appendPart(_ whole: PendingBox, _ range: Range<Int>, to parts: inout [PendingBox]) {
    guard !range.isEmpty else { return }
    var part = whole
    part.box.text = TextRange(start: UInt32(truncatingIfNeeded: range.lowerBound), end: UInt32(truncatingIfNeeded: range.upperBound))
    part.isCollapsibleSpace = isCollapsibleSpace(tree.text[range], style: whole.box.style)
    parts.append(part)
  }

  /// Appends the text of the letter, with its own `text-transform`.
  private mutating func appendLetter(_ whole: PendingBox, _ range: Range<Int>, _ style: ComputedStyle, to children: inout [PendingBox]) {
    let old = whole.box.style.text, new = style.text
    if old.textTransform == new.textTransform {
      appendPart(whole, range, to: &children)
      if let last = children.indices.last { children[last].box.style = style }
      return
    }
    var source = Array(tree.text[range])
    if old.textTransform != .none, !whole.box.node.isNone, document[whole.box.node].kind == .text {
      let original = Array(document.data(of: whole.box.node))
      switch FirstLetterPattern.find(in: original, original.indices, preservesBreaks: false) {
      case .letter(let found), .punctuation(let found): source = Array(original[found])
      case .none: break
      }
    }
    appendText(source, node: whole.box.node, style: style, into: &children, pseudo: whole.box.pseudo)
  }
}

/// The location of a first letter: the child indices from the container to its text box, and its byte range.
struct FirstLetterPosition {
  var path: [Int]
  var range: Range<Int>
}

/// https://drafts.csswg.org/css-pseudo-4/#first-letter-pattern
enum FirstLetterPattern {
  enum Match {
    case letter(Range<Int>)
    /// The text consists of punctuation only.
    case punctuation(Range<Int>)
    case none
  }

  private static let maximumLength = 256

  /// Finds the first letter in `range` of `text`, including adjacent punctuation.
  static func find(in text: [UInt8], _ range: Range<Int>, preservesBreaks: Bool) -> Match {
    guard range.upperBound <= text.count else { return .none }
    var index = skip(text, range) { isSpace($0) && !(preservesBreaks && $0 == "\n") }
    let start = index
    // Spaces between punctuation, and between it and the letter, are included.
    while index < range.upperBound {
      let end = punctuationEnd(text, index..<range.upperBound) { isPunctuation($0) || $0.properties.generalCategory == .dashPunctuation }
      guard end > index else { break }
      index = skip(text, end..<range.upperBound) { isSpace($0) && $0 != "\n" }
    }
    if index >= range.upperBound { return start < range.upperBound ? .punctuation(start..<range.upperBound) : .none }
    guard !isSpace(scalar(text, index).value) else { return .none }
    index = clusterEnd(text, index..<range.upperBound)
    return .letter(start..<punctuationEnd(text, index..<range.upperBound, isPunctuation))
  }

  /// The end of the punctuation at the beginning of `range`, with its combining marks.
  private static func punctuationEnd(_ text: [UInt8], _ range: Range<Int>, _ matches: (Unicode.Scalar) -> Bool) -> Int {
    var index = range.lowerBound
    while index < range.upperBound, matches(scalar(text, index).value) {
      index = skip(text, (index + scalar(text, index).length)..<range.upperBound) { $0.properties.isGraphemeExtend }
    }
    return min(index, range.upperBound)
  }

  private static func skip(_ text: [UInt8], _ range: Range<Int>, _ matches: (Unicode.Scalar) -> Bool) -> Int {
    var index = range.lowerBound
    while index < range.upperBound {
      let (value, length) = scalar(text, index)
      guard matches(value) else { break }
      index += length
    }
    return min(index, range.upperBound)
  }

  private static func scalar(_ text: [UInt8], _ index: Int) -> (value: Unicode.Scalar, length: Int) {
    let (codepoint, length) = UTF8Scan.decode(text, index)
    return (Unicode.Scalar(codepoint) ?? "\u{fffd}", length)
  }

  private static func isSpace(_ c: Unicode.Scalar) -> Bool {
    c == " " || c == "\n" || c == "\t" || c == "\r" || c == "\u{c}" || c == "\u{a0}"
  }

  /// General categories Ps, Pe, Pi, Pf and Po.
  private static func isPunctuation(_ c: Unicode.Scalar) -> Bool {
    switch c.properties.generalCategory {
    case .openPunctuation, .closePunctuation, .initialPunctuation, .finalPunctuation, .otherPunctuation: true
    default: false
    }
  }

  private static func clusterEnd(_ text: [UInt8], _ range: Range<Int>) -> Int {
    var end = min(range.upperBound, range.lowerBound + maximumLength)
    while end < range.upperBound, end > range.lowerBound + 1, text[end] & 0xc0 == 0x80 { end -= 1 }
    let boundaries = TextBreaks.boundaries(Array(text[range.lowerBound..<end]))
    var length = boundaries.indices.dropFirst().first { boundaries[$0].contains(.grapheme) } ?? 1
    while joinsConjunct(text, range.lowerBound + length, from: range.lowerBound, to: end) {
      length = boundaries.indices.dropFirst(length + 1).first { boundaries[$0].contains(.grapheme) } ?? (end - range.lowerBound)
    }
    return range.lowerBound + max(length, 1)
  }

  /// Whether a virama before `index` joins the consonant at `index` to the cluster (GB9c).
  /// https://www.unicode.org/reports/tr29/#Grapheme_Cluster_Boundary_Rules
  private static func joinsConjunct(_ text: [UInt8], _ index: Int, from start: Int, to end: Int) -> Bool {
    guard index < end, index > start else { return false }
    let next = scalar(text, index).value.value
    guard conjunctBlocks.contains(next & ~0x7F), conjunctConsonants.contains(where: { $0.contains(next & 0x7F) }) else { return false }
    var previous = index
    repeat {
      previous -= 1
      while previous > start, text[previous] & 0xC0 == 0x80 { previous -= 1 }
    } while previous > start && scalar(text, previous).value.properties.isJoinControl
    return scalar(text, previous).value.value == next & ~0x7F | 0x4D
  }

  /// The Unicode blocks of scripts with conjuncts: Devanagari, Bengali, Gujarati, Oriya, Telugu, Malayalam.
  private static let conjunctBlocks: [UInt32] = [0x900, 0x980, 0xA80, 0xB00, 0xC00, 0xD00]
  /// The offsets of their consonants in each block.
  private static let conjunctConsonants: [ClosedRange<UInt32>] = [0x15...0x39, 0x58...0x5F, 0x70...0x72, 0x78...0x7F]
}
