import OffprintCoreTypes
import OffprintDOM

/// The parts and tables of all selectors of one or more style sheets.
struct SelectorStore {
  var parts: [SelectorPart] = []
  var heads: [SelectorHead] = []
  var lists: [SelectorList] = []
  var attributes: [AttributeTest] = []
  /// The values of attribute selectors.
  var text: [UInt8] = []
  var nths: [NthPattern] = []
  var languages: [[UInt8]] = []

  /// Stores `heads` as a selector list. Returns its index.
  mutating func addList(_ heads: [SelectorHead]) -> UInt32 {
    let start = UInt32(truncatingIfNeeded: self.heads.count)
    self.heads.append(contentsOf: heads)
    lists.append(
      SelectorList(
        range: start..<UInt32(truncatingIfNeeded: self.heads.count), specificity: heads.lazy.map(\.specificity).max() ?? Specificity(),
        usesHas: heads.contains { findsHas($0) }))
    return UInt32(truncatingIfNeeded: lists.count - 1)
  }

  private func findsHas(_ head: SelectorHead) -> Bool {
    parts[Int(head.start)..<Int(head.end)].contains { part in
      switch part.kind {
      case .has: true
      case .matchesAny, .not: lists[Int(part.extra)].usesHas
      default: false
      }
    }
  }

  /// Whether a selector of the list contains `:has()`.
  func usesHas(_ list: UInt32) -> Bool { lists[Int(list)].usesHas }

  /// Stores the value of an attribute selector.
  mutating func addText(_ bytes: ArraySlice<UInt8>) -> TextRange {
    let start = UInt32(truncatingIfNeeded: text.count)
    text.append(contentsOf: bytes)
    return TextRange(start: start, end: UInt32(truncatingIfNeeded: text.count))
  }

  func maximumSpecificity(_ list: UInt32) -> Specificity { lists[Int(list)].specificity }

  /// Whether matching the list involves other elements or nested lists.
  func isCostly(_ list: Range<UInt32>) -> Bool {
    list.contains { number in
      let head = heads[Int(number)]
      return parts[Int(head.start)..<Int(head.end)].contains { part in
        switch part.kind {
        case .matchesAny, .not, .has, .lang, .dir, .empty: true
        case .nth: nths[Int(part.extra)].list != nil
        default: part.isCombinator
        }
      }
    }
  }
}

/// A selector list: the argument of `:is()`, or the selectors that `&` refers to, which are stored only once.
///
/// https://drafts.csswg.org/css-nesting-1/#nest-selector
struct SelectorList {
  /// The range in `SelectorStore.heads`.
  var range: Range<UInt32>
  /// The maximum of the selectors.
  var specificity: Specificity
  /// See `SelectorStore.usesHas`.
  var usesHas: Bool
}
