/// A page that can be made smaller: every part that can be left out is an `Item`.
struct Page: Sendable {
  struct Declaration: Sendable {
    var property: String
    var value: String
    var suffix = ""
    var text: String { "\(property):\(value)\(suffix)" }
  }

  enum Item: Sendable {
    /// The number of the item that closes it stands in the page's `closes`.
    case open(name: String, isVoid: Bool)
    case close
    case attribute(String, String)
    case style(Declaration)
    case text(String)
    case ruleOpen(String)
    case ruleClose
    case declaration(Declaration)
    /// A whole at-rule.
    case raw(String)
  }

  /// In the order they are written: first the style sheet, then, from `body` on, the tree.
  var items: [Item] = []
  var body = 0
  /// By item: the one that ends it.
  var closes: [Int: Int] = [:]
  /// What is left out.
  var isRemoved: [Bool] = []

  var doctype = "<!DOCTYPE html>"
  var isXHTML = false
  /// CSS px; nil: shrink to fit.
  var width: Int? = 300
  var height: Int? = 200
  var scale = 1.0
  var isDark = false
  var isPrint = false
  /// There is nothing but SVG in it.
  var isSVG = false

  /// What the worker needs besides the HTML, in one word.
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

  /// What may be left out: everything that is not the end of something.
  var removable: [Int] {
    items.indices.filter {
      switch items[$0] {
      case .close, .ruleClose: false
      default: !isRemoved[$0]
      }
    }
  }

  /// Without the items, and the ends of those.
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

  /// The tree alone, as XML.
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

  /// Elements with their attributes, which follow their start.
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
