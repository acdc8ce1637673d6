import OffprintCoreTypes

// The insertion modes up to the body.
extension HTMLTreeConstructor {
  /// Whether the end tag is handled as "anything else" by a mode before the body.
  private var isEndTagOfPage: Bool { [.head, .body, .html, .br].contains(token.name) }

  /// How a mode handles whitespace at the beginning of text.
  enum LeadingSpace { case inserted, dropped, undecided }

  /// The rules at the beginning of most insertion modes: comments are inserted, a DOCTYPE is ignored, and a start tag "html" is processed
  /// by the rules of "in body". `commentsIn` is the parent of comments if it is not the current node.
  ///
  /// - Returns: Nil if the mode has to handle the token, or the rest of its text.
  mutating func preamble(_ space: LeadingSpace = .undecided, commentsIn parent: NodeID? = nil) -> Outcome? {
    switch token.kind {
    case .comment:
      insertComment(into: parent)
      return .done
    case .doctype: return .done
    case .startTag: return token.name == .html ? inBody() : nil
    case .text:
      guard space != .undecided else { return nil }
      let leading = takeLeadingSpace()
      if space == .inserted { insertText(leading) }
      return token.data.isEmpty ? .done : nil
    case .endTag, .null, .endOfFile: return nil
    }
  }

  /// https://html.spec.whatwg.org/multipage/parsing.html#the-initial-insertion-mode
  mutating func initial() -> Outcome {
    if token.kind == .doctype {
      insertDoctype()
      mode = .beforeHTML
      return .done
    }
    if token.kind != .startTag, let outcome = preamble(.dropped, commentsIn: .document) { return outcome }
    quirksMode = .quirks
    mode = .beforeHTML
    return .reprocess
  }

  /// https://html.spec.whatwg.org/multipage/parsing.html#the-before-html-insertion-mode
  mutating func beforeHTML() -> Outcome {
    if token.kind == .startTag {
      guard token.name == .html else { return leaveBeforeHTML() }
      insertElementForToken()
      mode = .beforeHead
      return .done
    }
    if let outcome = preamble(.dropped, commentsIn: .document) { return outcome }
    return token.kind == .endTag && !isEndTagOfPage ? .done : leaveBeforeHTML()
  }

  private mutating func leaveBeforeHTML() -> Outcome {
    insertElement(.html)
    mode = .beforeHead
    return .reprocess
  }

  /// https://html.spec.whatwg.org/multipage/parsing.html#the-before-head-insertion-mode
  mutating func beforeHead() -> Outcome {
    if let outcome = preamble(.dropped) { return outcome }
    switch token.kind {
    case .startTag where token.name == .head:
      head = insertElementForToken()
      mode = .inHead
      return .done
    case .endTag where !isEndTagOfPage: return .done
    default: break
    }
    head = insertElement(.head)
    mode = .inHead
    return .reprocess
  }

  /// https://html.spec.whatwg.org/multipage/parsing.html#parsing-main-inhead
  mutating func inHead() -> Outcome {
    if let outcome = preamble(.inserted) { return outcome }
    switch token.kind {
    case .startTag:
      if let outcome = startTagInHead() { return outcome }
    case .endTag:
      switch token.name {
      case .head:
        pop()
        mode = .afterHead
        return .done
      case .template:
        endTemplate()
        return .done
      case .body, .html, .br: break
      default: return .done
      }
    default: break
    }
    pop()
    mode = .afterHead
    return .reprocess
  }

  private mutating func startTagInHead() -> Outcome? {
    switch token.name {
    case .base, .basefont, .bgsound, .link, .meta: insertVoidElementForToken()
    case .title: insertRawTextElement(.rcdata)
    case .noframes, .style: insertRawTextElement(.rawtext)
    case .script: insertRawTextElement(.scriptData)
    case .noscript:  // scripting is disabled
      insertElementForToken()
      mode = .inHeadNoscript
    case .template: startTemplate()
    case .head: break
    default: return nil
    }
    return .done
  }

  /// Handles an end tag "template" wherever it is allowed.
  mutating func endTemplate() {
    guard isOpen(.template) else { return }
    generateAllImpliedEndTagsThoroughly()
    closeTemplate()
  }

  mutating func closeTemplate() {
    popUntil(.template)
    clearFormattingToMarker()
    _ = templateModes.popLast()
    resetInsertionMode()
  }

  /// https://html.spec.whatwg.org/multipage/parsing.html#parsing-main-inheadnoscript
  mutating func inHeadNoscript() -> Outcome {
    if let outcome = preamble(.inserted) { return outcome }
    switch token.kind {
    case .startTag:
      switch token.name {
      case .basefont, .bgsound, .link, .meta, .noframes, .style: return inHead()
      case .head, .noscript: return .done
      default: break
      }
    case .endTag:
      if token.name == .noscript {
        pop()
        mode = .inHead
        return .done
      }
      if token.name != .br { return .done }
    default: break
    }
    pop()
    mode = .inHead
    return .reprocess
  }

  /// https://html.spec.whatwg.org/multipage/parsing.html#the-after-head-insertion-mode
  mutating func afterHead() -> Outcome {
    if let outcome = preamble(.inserted) { return outcome }
    switch token.kind {
    case .startTag:
      switch token.name {
      case .body:
        insertElementForToken()
        framesetOK = false
        mode = .inBody
        return .done
      case .frameset:
        insertElementForToken()
        mode = .inFrameset
        return .done
      case .base, .basefont, .bgsound, .link, .meta, .noframes, .script, .style, .template, .title:
        push(OpenElement(node: head, name: .head, tagName: .head, namespace: .html, traits: htmlTraits(.head)))
        let outcome = inHead()
        if let index = stackIndex(of: head) { removeFromStack(at: index) }
        return outcome
      case .head: return .done
      default: break
      }
    case .endTag:
      if token.name == .template { return inHead() }
      if ![.body, .html, .br].contains(token.name) { return .done }
    default: break
    }
    insertElement(.body)
    mode = .inBody
    return .reprocess
  }

  /// https://html.spec.whatwg.org/multipage/parsing.html#parsing-main-incdata
  mutating func inText() -> Outcome {
    switch token.kind {
    case .text:
      insertText(token.data)
      return .done
    case .endOfFile:
      pop()
      mode = originalMode
      return .reprocess
    case .endTag:
      pop()
      mode = originalMode
      return .done
    default: return .done
    }
  }
}
