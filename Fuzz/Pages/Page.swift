/// A generated page that can be minimized: every part that can be removed is an `Item`.
struct Page: Sendable {
  struct Declaration: Sendable {
    var property: String
    var value: String
    var suffix = ""
    var text: String { "\(property):\(value)\(suffix)" }
  }

  enum Item: Sendable {
    /// `Page.closes` has the index of the item that closes it.
    case open(name: String, isVoid: Bool)
    case close
    case attribute(String, String)
    case style(Declaration)
    case text(String)
    case ruleOpen(String)
    case ruleClose
    case declaration(Declaration)
    /// A complete at-rule.
    case raw(String)
  }

  /// In document order: the style sheet, then the tree, which starts at index `body`.
  var items: [Item] = []
  var body = 0
  /// The index of the item that closes an item, by the index of the latter.
  var closes: [Int: Int] = [:]
  /// Whether an item is removed, by index.
  var isRemoved: [Bool] = []

  var doctype = "<!DOCTYPE html>"
  var isXHTML = false
  /// In CSS px; nil for `auto`.
  var width: Int? = 300
  var height: Int? = 200
  var scale = 1.0
  var isDark = false
  var isPrint = false
  /// Whether the page contains only SVG.
  var isSVG = false

  /// The options of the render request, without spaces. `Worker.request` parses them.
  var options: String { "\(width ?? 0),\(height ?? 0),\(scale),\(isDark ? 1 : 0),\(isPrint ? 1 : 0)" }

  var elementCount: Int { count { if case .open = $0 { true } else { false } } }
  var declarationCount: Int {
    count {
      switch $0 {
      case .style, .declaration: true
      default: false
      }
    }
  }

  private func count(_ matches: (Item) -> Bool) -> Int {
    items.indices.count { !isRemoved[$0] && matches(items[$0]) }
  }

  /// The indices of items that can be removed. Closing items are removed with the items they close.
  var removable: [Int] {
    items.indices.filter {
      switch items[$0] {
      case .close, .ruleClose: false
      default: !isRemoved[$0]
      }
    }
  }

  /// The page without the items and the items that close them.
  func removing(_ numbers: some Sequence<Int>) -> Page {
    var page = self
    for number in numbers {
      page.isRemoved[number] = true
      if let close = closes[number] { page.isRemoved[close] = true }
    }
    return page
  }
}

extension Page {
  var html: String {
    var text = isXHTML ? "<html xmlns=\"http://www.w3.org/1999/xhtml\"><head><style>" : doctype + "<style>"
    for index in 0..<body where !isRemoved[index] {
      switch items[index] {
      case .ruleOpen(let prelude): text += escaped(prelude) + "{"
      case .ruleClose: text += "}\n"
      case .declaration(let declaration): text += escaped(declaration.text) + ";"
      case .raw(let rule): text += escaped(rule) + "\n"
      default: break
      }
    }
    text += isXHTML ? "</style></head><body>" : "</style><body>"
    write(body..<items.count, to: &text)
    return text + (isXHTML ? "</body></html>" : "")
  }

  /// The tree without the style sheet, serialized as XML.
  var markup: String {
    var text = ""
    write(body..<items.count, to: &text)
    return text
  }

  private func escaped(_ text: String) -> String {
    isXHTML
      ? text.split(separator: "&", omittingEmptySubsequences: false).joined(separator: "&amp;").split(
        separator: "<", omittingEmptySubsequences: false
      ).joined(separator: "&lt;") : text
  }

  private func attribute(_ value: String) -> String {
    escaped(value).split(separator: "\"", omittingEmptySubsequences: false).joined(separator: "&quot;")
  }

  /// Serializes items. The attributes of an element follow its opening item.
  private func write(_ range: Range<Int>, to text: inout String) {
    var open: [(name: String, isVoid: Bool, isWritten: Bool)] = []
    var index = range.lowerBound
    while index < range.upperBound {
      let item = items[index]
      let isKept = !isRemoved[index]
      index += 1
      switch item {
      case .open(let name, let isVoid):
        let attributes = startTag(from: &index)
        if isKept { text += "<\(name)\(attributes)\(isXHTML && isVoid ? "/>" : ">")" }
        open.append((name, isVoid, isKept))
      case .close:
        if let last = open.popLast(), last.isWritten, !last.isVoid { text += "</\(last.name)>" }
      case .text(let content) where isKept: text += escaped(content)
      default: break
      }
    }
  }

  private func startTag(from index: inout Int) -> String {
    var attributes = ""
    var style = ""
    loop: while index < items.count {
      switch items[index] {
      case .attribute(let name, let value):
        if !isRemoved[index] { attributes += " \(name)=\"\(attribute(value))\"" }
      case .style(let declaration): if !isRemoved[index] { style += (style.isEmpty ? "" : ";") + declaration.text }
      default: break loop
      }
      index += 1
    }
    return attributes + (style.isEmpty ? "" : " style=\"\(attribute(style))\"")
  }
}
