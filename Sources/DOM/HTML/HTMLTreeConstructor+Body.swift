import OffprintCoreTypes

/// https://html.spec.whatwg.org/multipage/parsing.html#parsing-main-inbody
extension HTMLTreeConstructor {
  mutating func inBody() -> Outcome {
    switch token.kind {
    case .text:
      reconstructFormatting()
      insertText(token.data)
      if framesetOK, !isSpace(token.data) { framesetOK = false }
      return .done
    case .startTag: return startTagInBody()
    case .endTag: return endTagInBody()
    case .comment: insertComment()
    case .null, .doctype: break
    case .endOfFile:
      if !templateModes.isEmpty { return inTemplate() }
      isStopped = true
    }
    return .done
  }

  private mutating func startTagInBody() -> Outcome {
    let name = token.name
    switch Int(name.raw) < startTags.count ? startTags[Int(name.raw)] : .other {
    case .other:
      reconstructFormatting()
      insertElementForToken()
      if name == .selectedcontent { hasSelectedContent = true }
    case .block:
      closeParagraphInButtonScope()
      insertElementForToken()
    case .formatting:
      reconstructFormatting()
      pushFormatting(insertElementForToken())
    case .anchor:
      if let open = formattingElement(named: .a) {
        _ = runAdoptionAgency(for: .a)
        formatting.removeAll { $0.node == open }
        if let index = stackIndex(of: open) { removeFromStack(at: index) }
      }
      reconstructFormatting()
      pushFormatting(insertElementForToken())
    case .void:
      reconstructFormatting()
      insertVoidElementForToken()
      framesetOK = false
    case .headContent: return inHead()
    case .heading:
      closeParagraphInButtonScope()
      if let current = open.last, current.traits.contains(.heading) { pop() }
      insertElementForToken()
    case .listItem: startListItem { $0 == .li }
    case .description: startListItem { $0 == .dd || $0 == .dt }
    case .table:
      if quirksMode != .quirks { closeParagraphInButtonScope() }
      insertElementForToken()
      framesetOK = false
      mode = .inTable
    case .nobr:
      reconstructFormatting()
      if hasInScope(.nobr) {
        _ = runAdoptionAgency(for: .nobr)
        reconstructFormatting()
      }
      pushFormatting(insertElementForToken())
    case .scoped:
      reconstructFormatting()
      insertElementForToken()
      formatting.append(.marker)
      framesetOK = false
    case .parameter: insertVoidElementForToken()
    case .ignored: break
    case .math: insertForeignRoot(.mathML)
    case .svg: insertForeignRoot(.svg)
    case .image:
      token.name = .img
      return .reprocess
    case .html, .body, .frameset: return startPagePartInBody(name)
    case .preformatted, .form, .plaintext, .textarea, .xmp, .iframe, .noembed: startTextualInBody(name)
    case .button, .input, .select, .option, .optgroup, .rule: return startControlInBody(name)
    case .rubyBase, .rubyText:
      if hasInScope(.ruby) { generateImpliedEndTags(except: startTags[Int(name.raw)] == .rubyText ? .rtc : .empty) }
      insertElementForToken()
    }
    return .done
  }

  private mutating func startPagePartInBody(_ name: Name) -> Outcome {
    switch name {
    case .html:
      if !isOpen(.template) { mergeAttributes(into: open.first?.node) }
    case .body:
      guard open.count > 1, open[1].name == .body, open[1].namespace == .html, !isOpen(.template) else { return .done }
      framesetOK = false
      mergeAttributes(into: open[1].node)
    default:
      guard open.count > 1, open[1].name == .body, open[1].namespace == .html, framesetOK else { return .done }
      detach(open[1].node)
      pop(downTo: 1)
      insertElementForToken()
      mode = .inFrameset
    }
    return .done
  }

  /// Adds the token's attributes that an element lacks. The number of attributes is limited, because each addition copies them.
  private mutating func mergeAttributes(into node: NodeID?) {
    guard let node, !token.attributes.isEmpty else { return }
    let own = nodes[node.index].attributes
    guard own.range.count < Self.mergedAttributesLimit else { return }
    let added = token.attributes.range.filter { index in
      !own.range.contains { tokenizer.attributes[$0].name == tokenizer.attributes[index].name }
    }
    guard !added.isEmpty else { return }
    let first = tokenizer.attributes.count
    for index in own.range { tokenizer.attributes.append(tokenizer.attributes[index]) }
    for index in added { tokenizer.attributes.append(tokenizer.attributes[index]) }
    nodes[node.index].attributes = TextRange(from: first, to: tokenizer.attributes.count)
  }

  private mutating func startTextualInBody(_ name: Name) {
    switch name {
    case .form:
      guard form.isNone || isOpen(.template) else { return }
      closeParagraphInButtonScope()
      let element = insertElementForToken()
      if !isOpen(.template) { form = element }
    case .plaintext:
      closeParagraphInButtonScope()
      insertElementForToken()
      tokenizer.contentModel = .plaintext
    case .textarea:
      insertRawTextElement(.rcdata)
      ignoresLineFeed = true
      framesetOK = false
    case .xmp:
      closeParagraphInButtonScope()
      reconstructFormatting()
      framesetOK = false
      insertRawTextElement(.rawtext)
    case .iframe:
      framesetOK = false
      insertRawTextElement(.rawtext)
    case .noembed: insertRawTextElement(.rawtext)
    default:  // pre, listing
      closeParagraphInButtonScope()
      insertElementForToken()
      ignoresLineFeed = true
      framesetOK = false
    }
  }

  private mutating func startControlInBody(_ name: Name) -> Outcome {
    switch name {
    case .button:
      if hasInScope(.button) {
        generateImpliedEndTags()
        popUntil(.button)
      }
      reconstructFormatting()
      insertElementForToken()
      framesetOK = false
    case .input:
      guard context != .select else { return .done }
      if hasInScope(.select) { popUntil(.select) }
      reconstructFormatting()
      insertVoidElementForToken()
      if !attribute(.type, in: token.attributes, equals: "hidden") { framesetOK = false }
    case .select:
      guard context != .select else { return .done }
      if hasInScope(.select) {
        popUntil(.select)
        return .done
      }
      reconstructFormatting()
      insertElementForToken()
      framesetOK = false
    case .hr:
      closeParagraphInButtonScope()
      if hasInScope(.select) { generateImpliedEndTags() }
      insertVoidElementForToken()
      framesetOK = false
    default:  // option, optgroup
      if hasInScope(.select) {
        generateImpliedEndTags(except: name == .option ? .optgroup : .empty)
      } else if currentIs(.option) {
        pop()
      }
      reconstructFormatting()
      insertElementForToken()
    }
    return .done
  }

  private mutating func startListItem(closes: (Name) -> Bool) {
    framesetOK = false
    for element in open.reversed() {
      if element.namespace == .html, closes(element.name) {
        generateImpliedEndTags(except: element.name)
        popUntil(element.name)
        break
      }
      let isTransparent = element.namespace == .html && [.address, .div, .p].contains(element.name)
      if element.traits.contains(.special), !isTransparent { break }
    }
    closeParagraphInButtonScope()
    insertElementForToken()
  }
}
