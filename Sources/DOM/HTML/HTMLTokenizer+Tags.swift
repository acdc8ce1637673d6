import OffprintCoreTypes

extension HTMLTokenizer {
  /// Reads markup that begins with the `<` at `position`. Returns whether there is a token, or nil if the `<` is text.
  ///
  /// https://html.spec.whatwg.org/multipage/parsing.html#tag-open-state
  mutating func markup() -> Bool? {
    let next = byte(at: position + 1)
    if next.isASCIILetter { return tag(from: position + 1, kind: .startTag) }
    switch next {
    case UInt8(ascii: "/"):
      guard position + 2 < source.count else { return nil }
      let first = source[position + 2]
      if first.isASCIILetter { return tag(from: position + 2, kind: .endTag) }
      if first == UInt8(ascii: ">") {
        position += 3
        return false
      }
      return bogusComment(from: position + 2)
    case UInt8(ascii: "!"): return markupDeclaration()
    case UInt8(ascii: "?"): return bogusComment(from: position + 1)
    default: return nil
    }
  }

  /// Reads a tag whose name begins at `nameStart`. False if the file ends inside of it, in which case there is no token.
  ///
  /// https://html.spec.whatwg.org/multipage/parsing.html#tag-name-state
  mutating func tag(from nameStart: Int, kind: HTMLTokenKind) -> Bool {
    var index = nameStart
    var fold = false
    while index < source.count {
      let byte = source[index]
      if byte == UInt8(ascii: ">") || byte == UInt8(ascii: "/") || byte.isHTMLSpace { break }
      if byte.isASCIIUpper || byte == 0 { fold = true }
      index += 1
    }
    token.kind = kind
    token.selfClosing = false
    token.name = name(from: nameStart, to: index, fold: fold)
    tagNumber &+= 1
    let firstAttribute = attributes.count
    guard let end = readAttributes(from: index) else {
      attributes.removeSubrange(firstAttribute...)
      position = source.count
      return false
    }
    position = end
    if kind == .endTag {
      attributes.removeSubrange(firstAttribute...)
      token.attributes = .empty
    } else {
      token.attributes = TextRange(from: firstAttribute, to: attributes.count)
      lastStartTag = token.name
    }
    return true
  }

  /// Reads the attributes up to and including the tag's `>`. Returns its end, or nil at the end of the file.
  ///
  /// https://html.spec.whatwg.org/multipage/parsing.html#before-attribute-name-state
  private mutating func readAttributes(from start: Int) -> Int? {
    var index = start
    while true {
      while index < source.count, source[index].isHTMLSpace { index += 1 }
      guard index < source.count else { return nil }
      switch source[index] {
      case UInt8(ascii: ">"): return index + 1
      case UInt8(ascii: "/"):
        index += 1
        if byte(at: index) == UInt8(ascii: ">") {
          token.selfClosing = true
          return index + 1
        }
      default:
        guard let end = readAttribute(from: index) else { return nil }
        index = end
      }
    }
  }

  /// https://html.spec.whatwg.org/multipage/parsing.html#attribute-name-state
  private mutating func readAttribute(from start: Int) -> Int? {
    var index = start
    var fold = false
    repeat {  // an initial `=` is part of the name
      if source[index].isASCIIUpper || source[index] == 0 { fold = true }
      index += 1
    } while index < source.count && !endsAttributeName(source[index])
    let nameEnd = index
    while index < source.count, source[index].isHTMLSpace { index += 1 }
    var value = TextRange.empty
    if byte(at: index) == UInt8(ascii: "=") {
      index += 1
      while index < source.count, source[index].isHTMLSpace { index += 1 }
      guard index < source.count else { return nil }
      let quote = source[index]
      if quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") {
        index += 1
        let valueStart = index
        while index < source.count, source[index] != quote, source[index] != UInt8(ascii: "&"), source[index] != 0 { index += 1 }
        value = TextRange(from: valueStart, to: index)
        if byte(at: index) != quote || index >= source.count { value = decodedValue(from: valueStart, scanned: &index) { $0 == quote } }
        guard index < source.count else { return nil }
        index += 1
      } else if quote != UInt8(ascii: ">") {
        let valueStart = index
        value = decodedValue(from: valueStart, scanned: &index) { $0.isHTMLSpace || $0 == UInt8(ascii: ">") }
      }
    }
    guard index < source.count else { return nil }
    addAttribute(name(from: start, to: nameEnd, fold: fold), value)
    return index
  }

  @inline(__always)
  private func endsAttributeName(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: "=") || byte == UInt8(ascii: ">") || byte == UInt8(ascii: "/") || byte.isHTMLSpace
  }

  /// A value that begins at `start`, was scanned up to `index`, and continues to the byte that `ends` it: a range of the source, or a
  /// decoded copy.
  private mutating func decodedValue(from start: Int, scanned index: inout Int, ends: (UInt8) -> Bool) -> TextRange {
    while index < source.count, !ends(source[index]), source[index] != UInt8(ascii: "&"), source[index] != 0 { index += 1 }
    guard index < source.count, !ends(source[index]) else { return TextRange(from: start, to: index) }
    let copy = text.count
    text.append(contentsOf: source[start..<index])
    while index < source.count, !ends(source[index]) {
      if source[index] == UInt8(ascii: "&"), let end = appendCharacterReference(at: index, inAttribute: true) {
        index = end
      } else {
        appendReplacingNull(source[index])
        index += 1
      }
    }
    return TextRange(from: copy, to: text.count)
  }

  private mutating func addAttribute(_ name: Name, _ value: TextRange) {
    let index = Int(name.raw)
    if index >= lastTagWithAttribute.count {
      lastTagWithAttribute.append(contentsOf: repeatElement(0, count: max(names.count, index + 1) - lastTagWithAttribute.count))
    }
    guard lastTagWithAttribute[index] != tagNumber else { return }
    lastTagWithAttribute[index] = tagNumber
    attributes.append(Attribute(name: name, value: value))
  }

  // MARK: End tags of raw text

  /// Whether `</` and the name of the last start tag are at `index`, followed by a byte that ends a name.
  func isAppropriateEndTag(at index: Int) -> Bool {
    guard byte(at: index) == UInt8(ascii: "<"), byte(at: index + 1) == UInt8(ascii: "/") else { return false }
    return hasWord(names[lastStartTag], at: index + 2)
  }

  func hasWord(_ word: some Collection<UInt8>, at start: Int) -> Bool {
    var index = start
    for expected in word {
      guard index < source.count, source[index].asciiLowercased == expected else { return false }
      index += 1
    }
    guard index < source.count else { return false }
    let end = source[index]
    return end == UInt8(ascii: ">") || end == UInt8(ascii: "/") || end.isHTMLSpace
  }

  /// https://html.spec.whatwg.org/multipage/parsing.html#rawtext-state
  func findAppropriateEndTag(from start: Int) -> Int {
    var index = start
    while index < source.count {
      if source[index] == UInt8(ascii: "<"), isAppropriateEndTag(at: index) { return index }
      index += 1
    }
    return index
  }

  /// The end of the script that begins at `position`, skipping `<!-- <script> </script> -->`.
  ///
  /// https://html.spec.whatwg.org/multipage/parsing.html#script-data-state
  func findScriptEnd() -> Int {
    enum State { case normal, escaped, doubleEscaped }
    var state = State.normal
    var dashes = 0
    var index = position
    while index < source.count {
      let byte = source[index]
      index += 1
      switch byte {
      case UInt8(ascii: "-"): dashes += 1
      case UInt8(ascii: ">"):
        if dashes >= 2 { state = .normal }
        dashes = 0
      case UInt8(ascii: "<"):
        dashes = 0
        if state != .doubleEscaped, isAppropriateEndTag(at: index - 1) { return index - 1 }
        switch state {
        case .normal:
          if hasDashes(at: index) {
            state = .escaped
            dashes = 2
            index += 3
          }
        case .escaped where hasWord("script".utf8, at: index):
          state = .doubleEscaped
          index += 7
        case .doubleEscaped where self.byte(at: index) == UInt8(ascii: "/") && hasWord("script".utf8, at: index + 1):
          state = .escaped
          index += 8
        default: break
        }
      default: dashes = 0
      }
    }
    return index
  }

  private func hasDashes(at index: Int) -> Bool {
    byte(at: index) == UInt8(ascii: "!") && byte(at: index + 1) == UInt8(ascii: "-") && byte(at: index + 2) == UInt8(ascii: "-")
  }
}
