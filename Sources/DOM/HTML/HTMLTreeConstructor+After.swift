import OffprintCoreTypes

// Templates, framesets and everything after the body.
extension HTMLTreeConstructor {
  /// https://html.spec.whatwg.org/multipage/parsing.html#parsing-main-intemplate
  mutating func inTemplate() -> Outcome {
    switch token.kind {
    case .text, .null, .comment, .doctype: return inBody()
    case .startTag:
      switch token.name {
      case .base, .basefont, .bgsound, .link, .meta, .noframes, .script, .style, .template, .title: return inHead()
      case .caption, .colgroup, .tbody, .tfoot, .thead: return switchTemplateMode(to: .inTable)
      case .col: return switchTemplateMode(to: .inColumnGroup)
      case .tr: return switchTemplateMode(to: .inTableBody)
      case .td, .th: return switchTemplateMode(to: .inRow)
      default: return switchTemplateMode(to: .inBody)
      }
    case .endTag: return token.name == .template ? inHead() : .done
    case .endOfFile:
      guard isOpen(.template) else {
        isStopped = true
        return .done
      }
      closeTemplate()
      return .reprocess
    }
  }

  private mutating func switchTemplateMode(to newMode: InsertionMode) -> Outcome {
    _ = templateModes.popLast()
    templateModes.append(newMode)
    mode = newMode
    return .reprocess
  }

  /// https://html.spec.whatwg.org/multipage/parsing.html#parsing-main-afterbody
  mutating func afterBody() -> Outcome {
    if let outcome = preamble(commentsIn: open.first?.node) { return outcome }
    switch token.kind {
    case .text: return spaceAfterBody()
    case .endTag where token.name == .html:
      if context == nil { mode = .afterAfterBody }
      return .done
    case .endOfFile:
      isStopped = true
      return .done
    default: break
    }
    mode = .inBody
    return .reprocess
  }

  /// Inserts whitespace where the body's text would be inserted; anything else reopens the body.
  private mutating func spaceAfterBody() -> Outcome {
    let space = takeLeadingSpace()
    if !space.isEmpty {
      reconstructFormatting()
      insertText(space)
    }
    if token.data.isEmpty { return .done }
    mode = .inBody
    return .reprocess
  }

  /// https://html.spec.whatwg.org/multipage/parsing.html#the-after-after-body-insertion-mode
  mutating func afterAfterBody() -> Outcome {
    if let outcome = preamble(commentsIn: .document) { return outcome }
    switch token.kind {
    case .text: return spaceAfterBody()
    case .endOfFile:
      isStopped = true
      return .done
    default: break
    }
    mode = .inBody
    return .reprocess
  }

  /// https://html.spec.whatwg.org/multipage/parsing.html#parsing-main-inframeset
  mutating func inFrameset() -> Outcome {
    if let outcome = preamble() { return outcome }
    switch token.kind {
    case .text: insertOnlySpace { $0.insertText($1) }
    case .startTag:
      switch token.name {
      case .frameset: insertElementForToken()
      case .frame: insertVoidElementForToken()
      case .noframes: return inHead()
      default: break
      }
    case .endTag:
      guard token.name == .frameset, open.count > 1 else { return .done }
      pop()
      if context == nil, !currentIs(.frameset) { mode = .afterFrameset }
    case .endOfFile: isStopped = true
    case .comment, .doctype, .null: break
    }
    return .done
  }

  /// https://html.spec.whatwg.org/multipage/parsing.html#parsing-main-afterframeset
  mutating func afterFrameset() -> Outcome {
    if let outcome = preamble() { return outcome }
    switch token.kind {
    case .text: insertOnlySpace { $0.insertText($1) }
    case .startTag:
      if token.name == .noframes { return inHead() }
    case .endTag:
      if token.name == .html { mode = .afterAfterFrameset }
    case .endOfFile: isStopped = true
    case .comment, .doctype, .null: break
    }
    return .done
  }

  /// https://html.spec.whatwg.org/multipage/parsing.html#the-after-after-frameset-insertion-mode
  mutating func afterAfterFrameset() -> Outcome {
    if let outcome = preamble(commentsIn: .document) { return outcome }
    switch token.kind {
    case .text:
      insertOnlySpace {
        $0.reconstructFormatting()
        $0.insertText($1)
      }
    case .startTag:
      if token.name == .noframes { return inHead() }
    case .endOfFile: isStopped = true
    case .endTag, .comment, .doctype, .null: break
    }
    return .done
  }
}
