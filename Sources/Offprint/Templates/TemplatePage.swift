import OffprintCoreTypes

/// Image options in a template: `width`, `height`, `viewport-height`, `max-width`, `background`, `selector`, `at`, each with a value, or `$name`
/// for the value of an attribute.
struct TemplatePage: Sendable {
  private var values: [String: FrontMatter.Node] = [:]
  private static let keys = ["width", "height", "viewport-height", "max-width", "background", "selector", "at"]

  init() {}

  init(_ node: FrontMatter.Node) throws(FrontMatter.Invalid) {
    if node.isEmpty { return }
    guard case .mapping(let members) = node.value else {
      throw .init(line: node.line, problem: "'page' must consist of 'name: value' lines")
    }
    for member in members {
      guard Self.keys.contains(member.key) else {
        throw .init(line: member.line, problem: "'page' has no '\(member.key)'; it has \(Self.keys.joined(separator: ", "))")
      }
      guard let text = member.value.text, text.hasPrefix("$") || Self.isValid(text, member.key) else {
        throw .init(line: member.line, problem: "the page's \(member.key) cannot be '\(member.value.text ?? "a list")'")
      }
      values[member.key] = member.value
    }
  }

  private static func isValid(_ text: String, _ key: String) -> Bool {
    switch key {
    case "width", "height": length(text) != nil
    case "viewport-height", "max-width": pixels(text) != nil
    case "background": Renderer.color(text) != nil
    case "at": AnimationTime(text) != nil
    default: true
    }
  }

  /// The attributes it refers to, with their lines.
  var references: [(name: String, line: Int)] {
    Self.keys.compactMap { key in
      guard let node = values[key], let text = node.text, text.hasPrefix("$") else { return nil }
      return (String(text.dropFirst()), node.line)
    }
  }

  private static func pixels(_ text: String) -> Double? {
    guard let value = Double(decimal: text.hasSuffix("px") ? text.dropLast(2) : text[...]), value > 0, value <= 65_535 else { return nil }
    return value
  }

  private static func length(_ text: String) -> PageLength? { text == "auto" ? .auto : pixels(text).map { .px($0) } }

  /// Sets the options that the template specifies, and no others.
  func apply(to request: inout RenderRequest, _ context: [String: JSONValue]) {
    func text(_ key: String) -> String? {
      guard let text = values[key]?.text else { return nil }
      guard text.hasPrefix("$") else { return text }
      return context[String(text.dropFirst())].flatMap { value in value.string ?? (value.number == nil ? nil : value.text) }
    }
    if let width = text("width").flatMap(Self.length) { request.width = width }
    if let height = text("height").flatMap(Self.length) { request.height = height }
    if let height = text("viewport-height").flatMap(Self.pixels) { request.viewportHeight = height }
    if let maximum = text("max-width").flatMap(Self.pixels) { request.maxWidth = maximum }
    if let color = text("background").flatMap({ Renderer.color($0) }) { request.background = color }
    if let selector = text("selector") { request.selector = selector }
    if let time = text("at").flatMap({ AnimationTime($0) }) { request.time = time }
  }
}
