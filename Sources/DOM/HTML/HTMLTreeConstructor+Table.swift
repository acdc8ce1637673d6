import OffprintCoreTypes

// The insertion modes of tables.
extension HTMLTreeConstructor {
  /// https://html.spec.whatwg.org/multipage/parsing.html#parsing-main-intable
  mutating func inTable() -> Outcome {
    if let outcome = preamble() { return outcome }
    switch token.kind {
    case .text, .null:
      if let current = open.last, current.namespace == .html, current.traits.contains(.fosterParents) || current.name == .template {
        pendingTableText.removeAll(keepingCapacity: true)
        originalMode = mode
        mode = .inTableText
        return .reprocess
      }
    case .startTag:
      if let outcome = startTagInTable() { return outcome }
    case .endTag:
      switch token.name {
      case .table:
        closeTable()
        return .done
      case .body, .caption, .col, .colgroup, .html, .tbody, .td, .tfoot, .th, .thead, .tr: return .done
      case .template: return inHead()
      default: break
      }
    case .endOfFile: return inBody()
    case .comment, .doctype: break
    }
    fosterParenting = true
    let outcome = inBody()
    fosterParenting = false
    return outcome
  }

  private mutating func closeTable() {
    guard hasInScope(.table, .tableScope) else { return }
    popUntil(.table)
    resetInsertionMode()
  }

  private mutating func startTagInTable() -> Outcome? {
    switch token.name {
    case .caption:
      clearStack(to: .tableScope)
      formatting.append(.marker)
      insertElementForToken()
      mode = .inCaption
    case .colgroup:
      clearStack(to: .tableScope)
      insertElementForToken()
      mode = .inColumnGroup
    case .col:
      clearStack(to: .tableScope)
      insertElement(.colgroup)
      mode = .inColumnGroup
      return .reprocess
    case .tbody, .tfoot, .thead:
      clearStack(to: .tableScope)
      insertElementForToken()
      mode = .inTableBody
    case .td, .th, .tr:
      clearStack(to: .tableScope)
      insertElement(.tbody)
      mode = .inTableBody
      return .reprocess
    case .table:
      guard hasInScope(.table, .tableScope) else { return .done }
      closeTable()
      return .reprocess
    case .style, .script, .template: return inHead()
    case .input where attribute(.type, in: token.attributes, equals: "hidden"): insertVoidElementForToken()
    case .form:
      if form.isNone, !isOpen(.template) {
        form = insertElementForToken()
        pop()
      }
    default: return nil
    }
    return .done
  }

  /// https://html.spec.whatwg.org/multipage/parsing.html#parsing-main-intabletext
  mutating func inTableText() -> Outcome {
    switch token.kind {
    case .null: return .done
    case .text:
      pendingTableText.append(token.data)
      return .done
    default: break
    }
    let isOnlySpace = pendingTableText.allSatisfy { isSpace($0) }
    if isOnlySpace {
      for range in pendingTableText { insertText(range) }
    } else {
      fosterParenting = true
      for range in pendingTableText {
        reconstructFormatting()
        insertText(range)
      }
      fosterParenting = false
      framesetOK = false
    }
    pendingTableText.removeAll(keepingCapacity: true)
    mode = originalMode
    return .reprocess
  }

  /// https://html.spec.whatwg.org/multipage/parsing.html#parsing-main-incaption
  mutating func inCaption() -> Outcome {
    let endsCaption =
      switch (token.kind, token.name) {
      case (.startTag, .caption), (.startTag, .col), (.startTag, .colgroup), (.startTag, .tbody), (.startTag, .td), (.startTag, .tfoot),
        (.startTag, .th), (.startTag, .thead), (.startTag, .tr), (.endTag, .table), (.endTag, .caption):
        true
      default: false
      }
    if endsCaption {
      guard hasInScope(.caption, .tableScope) else { return .done }
      generateImpliedEndTags()
      popUntil(.caption)
      clearFormattingToMarker()
      mode = .inTable
      return token.kind == .endTag && token.name == .caption ? .done : .reprocess
    }
    if token.kind == .endTag, [.body, .col, .colgroup, .html, .tbody, .td, .tfoot, .th, .thead, .tr].contains(token.name) { return .done }
    return inBody()
  }

  /// https://html.spec.whatwg.org/multipage/parsing.html#parsing-main-incolgroup
  mutating func inColumnGroup() -> Outcome {
    if let outcome = preamble(.inserted) { return outcome }
    switch token.kind {
    case .startTag:
      switch token.name {
      case .col:
        insertVoidElementForToken()
        return .done
      case .template: return inHead()
      default: break
      }
    case .endTag:
      switch token.name {
      case .colgroup:
        if currentIs(.colgroup) {
          pop()
          mode = .inTable
        }
        return .done
      case .col: return .done
      case .template: return inHead()
      default: break
      }
    case .endOfFile: return inBody()
    case .text, .comment, .doctype, .null: break
    }
    guard currentIs(.colgroup) else {
      // Each character other than white space is ignored; the rest of the text is processed again from the next white space.
      while token.kind == .text, !token.data.isEmpty, !isSpace(at: token.data.start) { token.data.start += 1 }
      return token.kind == .text && !token.data.isEmpty ? .reprocess : .done
    }
    pop()
    mode = .inTable
    return .reprocess
  }

  /// https://html.spec.whatwg.org/multipage/parsing.html#parsing-main-intbody
  mutating func inTableBody() -> Outcome {
    switch (token.kind, token.name) {
    case (.startTag, .tr):
      clearStack(to: .tableBodyContext)
      insertElementForToken()
      mode = .inRow
      return .done
    case (.startTag, .th), (.startTag, .td):
      clearStack(to: .tableBodyContext)
      insertElement(.tr)
      mode = .inRow
      return .reprocess
    case (.endTag, .tbody), (.endTag, .tfoot), (.endTag, .thead):
      guard hasInScope(token.name, .tableScope) else { return .done }
      clearStack(to: .tableBodyContext)
      pop()
      mode = .inTable
      return .done
    case (.startTag, .caption), (.startTag, .col), (.startTag, .colgroup), (.startTag, .tbody), (.startTag, .tfoot), (.startTag, .thead),
      (.endTag, .table):
      guard hasInScope(anyOf: .tableSection, .tableScope) else { return .done }
      clearStack(to: .tableBodyContext)
      pop()
      mode = .inTable
      return .reprocess
    case (.endTag, .body), (.endTag, .caption), (.endTag, .col), (.endTag, .colgroup), (.endTag, .html), (.endTag, .td), (.endTag, .th),
      (.endTag, .tr):
      return .done
    default: return inTable()
    }
  }

  /// https://html.spec.whatwg.org/multipage/parsing.html#parsing-main-intr
  mutating func inRow() -> Outcome {
    switch (token.kind, token.name) {
    case (.startTag, .th), (.startTag, .td):
      clearStack(to: .tableRowContext)
      insertElementForToken()
      mode = .inCell
      formatting.append(.marker)
      return .done
    case (.endTag, .tr):
      _ = closeRow()
      return .done
    case (.startTag, .caption), (.startTag, .col), (.startTag, .colgroup), (.startTag, .tbody), (.startTag, .tfoot), (.startTag, .thead),
      (.startTag, .tr), (.endTag, .table):
      return closeRow() ? .reprocess : .done
    case (.endTag, .tbody), (.endTag, .tfoot), (.endTag, .thead):
      guard hasInScope(token.name, .tableScope) else { return .done }
      return closeRow() ? .reprocess : .done
    case (.endTag, .body), (.endTag, .caption), (.endTag, .col), (.endTag, .colgroup), (.endTag, .html), (.endTag, .td), (.endTag, .th):
      return .done
    default: return inTable()
    }
  }

  private mutating func closeRow() -> Bool {
    guard hasInScope(.tr, .tableScope) else { return false }
    clearStack(to: .tableRowContext)
    pop()
    mode = .inTableBody
    return true
  }

  /// https://html.spec.whatwg.org/multipage/parsing.html#parsing-main-intd
  mutating func inCell() -> Outcome {
    switch (token.kind, token.name) {
    case (.endTag, .td), (.endTag, .th):
      guard hasInScope(token.name, .tableScope) else { return .done }
      generateImpliedEndTags()
      popUntil(token.name)
      clearFormattingToMarker()
      mode = .inRow
      return .done
    case (.startTag, .caption), (.startTag, .col), (.startTag, .colgroup), (.startTag, .tbody), (.startTag, .td), (.startTag, .tfoot),
      (.startTag, .th), (.startTag, .thead), (.startTag, .tr):
      guard hasInScope(anyOf: .cell, .tableScope) else { return .done }
      return closeCell()
    case (.endTag, .table), (.endTag, .tbody), (.endTag, .tfoot), (.endTag, .thead), (.endTag, .tr):
      guard hasInScope(token.name, .tableScope) else { return .done }
      return closeCell()
    case (.endTag, .body), (.endTag, .caption), (.endTag, .col), (.endTag, .colgroup), (.endTag, .html): return .done
    default: return inBody()
    }
  }

  /// https://html.spec.whatwg.org/multipage/parsing.html#close-the-cell
  private mutating func closeCell() -> Outcome {
    generateImpliedEndTags()
    popUntil(anyOf: .cell)
    clearFormattingToMarker()
    mode = .inRow
    return .reprocess
  }
}
