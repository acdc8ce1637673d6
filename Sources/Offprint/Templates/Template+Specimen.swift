extension Template {
  /// A request that shows the template: each attribute with its example, or else its default.
  ///
  /// - Throws: `templateAttributeMissing` where something required has neither.
  public func specimen() throws(OffprintError) -> RenderRequest {
    var request = RenderRequest(html: [])
    request.template = self
    request.sourceName = name
    var values: [String: JSONValue] = [:]
    for attribute in attributes { values[attribute.name] = attribute.exampleValue }
    request.data = Array(JSONValue.object(values).text.utf8)
    try request.takeTemplatePage()
    return request
  }
}
