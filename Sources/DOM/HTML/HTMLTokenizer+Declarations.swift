import OffprintCoreTypes

extension HTMLTokenizer {
  /// https://html.spec.whatwg.org/multipage/parsing.html#markup-declaration-open-state
  mutating func markupDeclaration() -> Bool {
    let start = position + 2
    if byte(at: start) == UInt8(ascii: "-"), byte(at: start + 1) == UInt8(ascii: "-") { return comment(from: start + 2) }
    if hasKeyword("doctype", at: start) { return doctype(from: start + 7) }
    if allowsCDATA, hasExactly("[CDATA[", at: start) {
      contentModel = .cdataSection
      position = start + 7
      return false
    }
    return bogusComment(from: start)
  }

  /// https://html.spec.whatwg.org/multipage/parsing.html#bogus-comment-state
  mutating func bogusComment(from start: Int) -> Bool {
    let begin = min(start, source.count)
    var end = begin
    while end < source.count, source[end] != UInt8(ascii: ">") { end += 1 }
    emitComment(from: begin, to: end, next: min(end + 1, source.count))
    return true
  }

  /// https://html.spec.whatwg.org/multipage/parsing.html#comment-start-state
  private mutating func comment(from start: Int) -> Bool {
    if byte(at: start) == UInt8(ascii: ">") {
      emitComment(from: start, to: start, next: start + 1)
      return true
    }
    if byte(at: start) == UInt8(ascii: "-"), byte(at: start + 1) == UInt8(ascii: ">") {
      emitComment(from: start, to: start, next: start + 2)
      return true
    }
    var index = start
    while index < source.count {
      if source[index] == UInt8(ascii: "-"), byte(at: index + 1) == UInt8(ascii: "-") {
        if byte(at: index + 2) == UInt8(ascii: ">") {
          emitComment(from: start, to: index, next: index + 3)
          return true
        }
        if byte(at: index + 2) == UInt8(ascii: "!"), byte(at: index + 3) == UInt8(ascii: ">") {
          emitComment(from: start, to: index, next: index + 4)
          return true
        }
      }
      index += 1
    }
    emitComment(from: start, to: unfinishedCommentEnd(from: start), next: source.count)
    return true
  }

  /// At the end of the file, an incomplete `-->` or `--!>` is not part of the data.
  private func unfinishedCommentEnd(from start: Int) -> Int {
    for ending in ["--!", "--", "-"] as [StaticString] {
      let begin = source.count - ending.utf8CodeUnitCount
      if begin >= start, hasExactly(ending, at: begin) { return begin }
    }
    return source.count
  }

  private mutating func emitComment(from start: Int, to end: Int, next: Int) {
    token.kind = .comment
    token.data = dataRange(from: start, to: end)
    position = next
  }

  // MARK: Doctype

  /// https://html.spec.whatwg.org/multipage/parsing.html#doctype-state
  private mutating func doctype(from start: Int) -> Bool {
    token.kind = .doctype
    token.name = .empty
    token.data = .empty
    token.systemIdentifier = .empty
    token.hasPublicIdentifier = false
    token.hasSystemIdentifier = false
    token.forceQuirks = false
    position = start
    skipSpace()
    let nameStart = position
    while position < source.count, source[position] != UInt8(ascii: ">"), !source[position].isHTMLSpace { position += 1 }
    if position > nameStart { token.name = name(from: nameStart, to: position, fold: true) } else { token.forceQuirks = true }
    skipSpace()
    if hasKeyword("public", at: position) {
      position += 6
      publicIdentifier()
    } else if hasKeyword("system", at: position) {
      position += 6
      systemIdentifier(isRequired: true)
    } else if byte(at: position) != UInt8(ascii: ">") {
      token.forceQuirks = true
    }
    // The bogus DOCTYPE state, or the `>` that ends a valid one.
    while position < source.count, source[position] != UInt8(ascii: ">") { position += 1 }
    if position < source.count { position += 1 } else { token.forceQuirks = true }
    return true
  }

  /// https://html.spec.whatwg.org/multipage/parsing.html#after-doctype-public-keyword-state
  private mutating func publicIdentifier() {
    guard let range = quotedIdentifier() else {
      token.forceQuirks = true
      return
    }
    token.data = range
    token.hasPublicIdentifier = true
    if !token.forceQuirks { systemIdentifier(isRequired: false) }
  }

  private mutating func systemIdentifier(isRequired: Bool) {
    skipSpace()
    if !isRequired, byte(at: position) == UInt8(ascii: ">") { return }
    guard let range = quotedIdentifier() else {
      token.forceQuirks = true
      return
    }
    token.systemIdentifier = range
    token.hasSystemIdentifier = true
    skipSpace()
  }

  /// A quoted identifier; one that is ended by `>` or the end of the file forces quirks mode.
  private mutating func quotedIdentifier() -> TextRange? {
    skipSpace()
    let quote = byte(at: position)
    guard quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") else { return nil }
    position += 1
    let start = position
    while position < source.count, source[position] != quote, source[position] != UInt8(ascii: ">") { position += 1 }
    let end = position
    if byte(at: position) == quote { position += 1 } else { token.forceQuirks = true }
    return dataRange(from: start, to: end)
  }

  private mutating func skipSpace() {
    while position < source.count, source[position].isHTMLSpace { position += 1 }
  }

  /// Whether the lowercase `keyword` is at `start`, ignoring case.
  private func hasKeyword(_ keyword: StaticString, at start: Int) -> Bool {
    guard start + keyword.utf8CodeUnitCount <= source.count else { return false }
    return (0..<keyword.utf8CodeUnitCount).allSatisfy { source[start + $0].asciiLowercased == keyword.utf8Start[$0] }
  }

  private func hasExactly(_ text: StaticString, at start: Int) -> Bool {
    guard start + text.utf8CodeUnitCount <= source.count else { return false }
    return (0..<text.utf8CodeUnitCount).allSatisfy { source[start + $0] == text.utf8Start[$0] }
  }
}
