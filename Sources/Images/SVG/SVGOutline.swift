/// The elements of an SVG with what their attributes and style rules say.
struct SVGOutline {
  struct Element {
    /// Without prefix.
    var name: String
    var children: [Int] = []
    var attributes: [String: String] = [:]
    /// Of the `style` attribute and of rules that may apply.
    var declarations: [(name: String, value: String)] = []
    /// Bytes of text right below it.
    var textBytes = 0

    /// All values that a property may have.
    func values(_ property: String) -> [String] {
      var result: [String] = []
      if let attribute = attributes[property] { result.append(attribute) }
      for declaration in declarations where declaration.name == property { result.append(declaration.value) }
      return result
    }
  }

  static let mostElements = 100_000
  static let mostDepth = 200

  private(set) var elements: [Element] = []
  private(set) var ids: [String: Int] = [:]

  /// - Throws: `imageDamaged` where it is not well-formed, `limitExceeded` where it is too large or hides something.
  init(_ bytes: [UInt8]) throws(ImageError) {
    var markup = SVGMarkup(bytes), open: [Int] = [], rules = SVGStyleRules()
    while let token = try markup.next() {
      switch token {
      case .start(let name, let attributes, let isEmpty):
        guard elements.count < Self.mostElements, open.count < Self.mostDepth else {
          throw ImageError(.limitExceeded, "The SVG has too many elements, or nests them too deep.")
        }
        let element = Self.element(name, attributes)
        if let parent = open.last { elements[parent].children.append(elements.count) }
        if let id = element.attributes["id"], ids[id] == nil { ids[id] = elements.count }
        if !isEmpty { open.append(elements.count) }
        elements.append(element)
      case .end: _ = open.popLast()
      case .text(let text):
        guard let parent = open.last else { continue }
        elements[parent].textBytes += text.utf8.count
        if elements[parent].name == "style" { try rules.add(text) }
      case .instruction(let text):
        if text.hasPrefix("xml-stylesheet"), text.contains("data:") { throw Self.hidden }
        if text.hasPrefix("xml "), !Self.isReadable(text) { throw Self.hidden }
      }
    }
    for index in elements.indices { rules.apply(to: &elements[index]) }
  }

  private static var hidden: ImageError { ImageError(.limitExceeded, "The SVG is written in a way that cannot be checked.") }

  /// Encodings in which ASCII is ASCII.
  private static func isReadable(_ declaration: String) -> Bool {
    guard let start = declaration.range(of: "encoding")?.upperBound else { return true }
    let name = declaration[start...].lowercased().drop { !$0.isLetter }
    return ["utf-8", "us-ascii", "ascii", "iso-8859-", "windows-125"].contains { name.hasPrefix($0) }
  }

  private static func element(_ name: String, _ attributes: [(name: String, value: String)]) -> Element {
    func local(_ name: String) -> String { name.split(separator: ":").last.map(String.init) ?? name }
    var element = Element(name: local(name))
    for attribute in attributes {
      let name = local(attribute.name)
      if name == "style" {
        element.declarations += SVGStyleRules.declarations(attribute.value)
      } else {
        element.attributes[name] = attribute.value
      }
    }
    return element
  }
}

extension String {
  /// The first place of an ASCII text. (Foundation's takes long to load.)
  fileprivate func range(of text: StaticString) -> Range<String.Index>? {
    let bytes = Array(utf8), reader = ByteReader(bytes: bytes)
    guard let offset = bytes.indices.first(where: { reader.hasASCII(text, at: $0) }) else { return nil }
    let start = utf8.index(utf8.startIndex, offsetBy: offset)
    return start..<utf8.index(start, offsetBy: text.utf8CodeUnitCount)
  }
}
