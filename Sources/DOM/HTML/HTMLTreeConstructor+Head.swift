import OffprintCoreTypes

// The insertion modes up to the body.
extension HTMLTreeConstructor {
  /// Whether an end tag lets a mode before the body go on as for anything else.
  private var isEndTagOfPage: Bool { [.head, .body, .html, .br].contains(token.name) }

  /// https://html.spec.whatwg.org/multipage/parsing.html#the-initial-insertion-mode
  mutating func initial() -> Outcome {
    switch token.kind {
    case .null: break
    case .text:
      _ = takeLeadingSpace()
      if token.data.isEmpty { return .done }
    case .comment:
      insertComment(into: .document)
      return .done
    case .doctype:
      insertDoctype()
      mode = .beforeHTML
      return .done
    default: break
    }
    quirksMode = .quirks
    mode = .beforeHTML
    return .reprocess
  }

  /// https://html.spec.whatwg.org/multipage/parsing.html#the-before-html-insertion-mode
  mutating func beforeHTML() -> Outcome {
    switch token.kind {
    case .doctype: return .done
    case .comment:
      insertComment(into: .document)
      return .done
    case .text:
      _ = takeLeadingSpace()
      if token.data.isEmpty { return .done }
    case .startTag where token.name == .html:
      insertElementForToken()
      mode = .beforeHead
      return .done
    case .endTag where !isEndTagOfPage: return .done
    default: break
    }
    insertElement(.html)
    mode = .beforeHead
    return .reprocess
  }

  /// https://html.spec.whatwg.org/multipage/parsing.html#the-before-head-insertion-mode
  mutating func beforeHead() -> Outcome {
    switch token.kind {
    case .doctype: return .done
    case .comment:
      insertComment()
      return .done
    case .text:
      _ = takeLeadingSpace()
      if token.data.isEmpty { return .done }
    case .startTag where token.name == .html: return inBody()
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
    switch token.kind {
    case .doctype: return .done
    case .comment:
      insertComment()
      return .done
    case .text:
      insertText(takeLeadingSpace())
      if token.data.isEmpty { return .done }
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
    case .html: return inBody()
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

  /// An end tag "template", wherever it is allowed.
  mutating func endTemplate() {
    guard isOpen(.template) else { return }
    generateAllImpliedEndTagsThoroughly()
    popUntil(.template)
    clearFormattingToMarker()
    _ = templateModes.popLast()
    resetInsertionMode()
  }

  /// https://html.spec.whatwg.org/multipage/parsing.html#parsing-main-inheadnoscript
  mutating func inHeadNoscript() -> Outcome {
    switch token.kind {
    case .doctype: return .done
    case .comment: return inHead()
    case .text:
      insertText(takeLeadingSpace())
      if token.data.isEmpty { return .done }
    case .startTag:
      switch token.name {
      case .html: return inBody()
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
    switch token.kind {
    case .doctype: return .done
    case .comment:
      insertComment()
      return .done
    case .text:
      insertText(takeLeadingSpace())
      if token.data.isEmpty { return .done }
    case .startTag:
      switch token.name {
      case .html: return inBody()
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
