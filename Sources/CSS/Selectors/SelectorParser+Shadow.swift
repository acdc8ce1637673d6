import OffprintCoreTypes
import OffprintDOM

// https://drafts.csswg.org/css-scoping-1/#selectors
extension SelectorParser {
  /// Parses `:host`, `:host()` or `:host-context()`. `arguments` is a compound selector, or empty for `:host`.
  mutating func parseHost(_ kind: SelectorPart.Kind, _ arguments: Range<Int>, after: Int) -> Bool {
    var part = SelectorPart(kind, extra: SelectorPart.noList)
    var specificity = Specificity(0, 1, 0)
    if after > position + 2 || kind == .hostContext {
      guard let number = parseCompoundArgument(arguments) else { return false }
      part.extra = number
      specificity = specificity + store.maximumSpecificity(number)
    }
    // A host is featureless, so `*` does not match it. https://drafts.csswg.org/selectors-4/#featureless
    if current.isUniversal { part = SelectorPart(.never) }
    current.reach = .host
    add(part, specificity)
    position = after
    return true
  }

  /// Parses `::slotted()` or `::part()`; the selector then matches an element of another tree.
  mutating func parseElsewhere(_ text: String, at name: Int) -> Bool {
    guard current.pseudo == SelectorHead.noPseudo, !current.isElsewhere else { return false }
    let arguments = list.trimmed(list.contents(name)), after = list.skip(name)
    guard after <= end else { return false }
    var specificity = Specificity(0, 0, 1)
    if text == "slotted" {
      guard let number = parseCompoundArgument(arguments) else { return false }
      specificity = specificity + store.maximumSpecificity(number)
      add(SelectorPart(.slotAssignment), Specificity())
      add(SelectorPart(.matchesAny, extra: number), specificity)
      current.reach = .slotted
    } else {
      guard !arguments.isEmpty, let parts = partNames(arguments) else { return false }
      add(SelectorPart(.partOwner), specificity)
      for part in parts { add(SelectorPart(.part, name: part), Specificity()) }
      current.reach = .part
    }
    position = after
    return true
  }

  private func partNames(_ range: Range<Int>) -> [Name]? {
    var names: [Name] = []
    for index in range where list.kind(index) != .whitespace {
      guard list.kind(index) == .ident else { return nil }
      names.append(self.names.table.intern(list.value(index)))
    }
    return names
  }

  private mutating func parseCompoundArgument(_ range: Range<Int>) -> UInt32? {
    guard let heads = parseList(range, mode: .normal), heads.count == 1, let head = heads.first,
      !store.parts[Int(head.start)..<Int(head.end)].contains(where: \.isCombinator)
    else { return nil }
    return store.addList(heads)
  }

  /// Adds the host to the reach of the current compound selector if a nested list can match it.
  mutating func reachHost(of list: UInt32) {
    let reaches = store.lists[Int(list)].range.contains { store.heads[Int($0)].reach.contains(.host) }
    if reaches { current.reach.insert(.host) }
  }
}
