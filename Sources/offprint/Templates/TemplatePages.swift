import Offprint

extension PageOptions {
  /// The page, or a template that does without, before other options are applied.
  ///
  /// - Returns: the request, and what is odd about the page.
  func request(for input: String?) throws(OffprintError) -> (RenderRequest, [Diagnostic]) {
    if let input { return try RenderRequest.reading(input, self) }
    let template = template ?? ""
    guard let file = try templates.path(of: template) else { return (RenderRequest(.text(name: template), bytes: []), []) }
    return (RenderRequest(.file(file), bytes: []), [])
  }
}

extension TemplateOptions {
  /// The file that a template is; nil for a built-in one.
  func path(of name: String) throws(OffprintError) -> String? {
    let library = try library()
    return library.contains(name) ? library.path(of: name) : name
  }
}
