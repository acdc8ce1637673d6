import Offprint

extension PageOptions {
  /// The page, or a template that needs none, before other options are applied.
  ///
  /// - Parameter network: A configuration with the allowed hosts.
  /// - Returns: The request, and diagnostics about the page's source.
  func request(for input: String?, _ network: RendererConfiguration) throws(OffprintError) -> (RenderRequest, [Diagnostic]) {
    if let input { return try RenderRequest.reading(input, self, network) }
    let template = template ?? ""
    let needsBody = try templates.template(template).needsBody
    if needsBody && data == nil && !set.contains(where: { $0.key == "body" }) {
      throw OffprintError(.usage, "The template '\(template)' needs a page as its body: specify a file, or - for standard input.")
    }
    guard let file = try templates.path(of: template) else { return (RenderRequest(.text(name: template), bytes: []), []) }
    return (RenderRequest(.file(file), bytes: []), [])
  }
}

extension TemplateOptions {
  /// The file of a template; nil for a built-in one.
  func path(of name: String) throws(OffprintError) -> String? {
    let library = try library()
    return library.contains(name) ? library.path(of: name) : name
  }
}
