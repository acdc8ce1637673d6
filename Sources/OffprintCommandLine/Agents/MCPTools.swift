import Offprint
import OffprintCoreTypes

/// The tools of the protocol. https://modelcontextprotocol.io/specification/2025-11-25/server/tools
struct MCPTools: Sendable {
  private static let allNames = ["render_html", "render_template", inspection, "list_templates", "list_fonts"]
  private static let inspection = "inspect_layout"
  /// The maximum size of an image, which is sent inside a message. Agents cannot use larger ones.
  private static let imageLimit = 8 << 20
  /// The maximum size of a report, which is sent twice in a message, as text and as JSON.
  private static let reportLimit = 2 << 20

  private let renderer: EmbeddedRenderer
  let names: [String]

  /// - Parameter isIsolated: Whether the renderer uses worker processes, which only return images.
  init(_ renderer: EmbeddedRenderer, isIsolated: Bool) {
    self.renderer = renderer
    names = Self.allNames.filter { !isIsolated || $0 != Self.inspection }
  }

  func close() { renderer.close() }

  /// The result of a call. Errors of a tool are results as well, so that the agent can read them.
  func call(_ name: String, _ arguments: [String: JSONValue], _ cancellation: RenderCancellation) -> String {
    do throws(OffprintError) {
      switch name {
      case "render_html", "render_template":
        // An agent may name templates, but not files.
        if let template = arguments["template"] { try renderer.checkTemplate(template.string ?? "") }
        return try rendered(try MCPArguments(arguments, of: name).job, cancellation)
      case "inspect_layout":
        let json = try renderer.measure(try MCPArguments(arguments, of: name).job, cancellation).json
        guard json.utf8.count <= Self.reportLimit else {
          throw OffprintError(
            .limitExceeded,
            "The report has \(json.utf8.count) bytes, more than the limit of \(Self.reportLimit); inspect a smaller page.")
        }
        return "{\"content\":[\(Self.text(json))],\"structuredContent\":\(json)}"
      default:
        let json = try renderer.list(name == "list_fonts" ? "fonts" : "templates").json
        return "{\"content\":[\(Self.text(json))],\"structuredContent\":\(json)}"
      }
    } catch {
      return "{\"content\":[\(Self.text(error.sentence))],\"isError\":true}"
    }
  }

  private func rendered(_ job: [UInt8], _ cancellation: RenderCancellation) throws(OffprintError) -> String {
    let answer = try renderer.render(job, cancellation)
    guard answer.data.count <= Self.imageLimit else {
      throw OffprintError(
        .limitExceeded,
        "The image has \(answer.data.count) bytes, more than the limit of \(Self.imageLimit); render a part of it, or use a smaller scale."
      )
    }
    return "{\"content\":[\(Self.content(answer)),\(Self.text(answer.json))]}"
  }

  /// An image, or a document as a resource.
  private static func content(_ answer: EmbeddedRenderer.Answer) -> String {
    let values = JSONValue(parsing: Array(answer.json.utf8))
    let type = values?["mediaType"]?.string ?? "image/png", format = values?["format"]?.string ?? "png"
    if type.hasPrefix("image/"), format != "svg" {
      return "{\"type\":\"image\",\"data\":\"\(Base64.encode(answer.data))\",\"mimeType\":\"\(type)\"}"
    }
    let address = JSONText.string("offprint:///\(values?["key"]?.string ?? "image").\(format)")
    let body =
      format == "svg"
      ? "\"text\":\(JSONText.string(String(decoding: answer.data, as: UTF8.self)))" : "\"blob\":\"\(Base64.encode(answer.data))\""
    return "{\"type\":\"resource\",\"resource\":{\"uri\":\(address),\"mimeType\":\"\(type)\",\(body)}}"
  }

  private static func text(_ text: String) -> String { "{\"type\":\"text\",\"text\":\(JSONText.string(text))}" }

  /// The result of `tools/list`.
  var list: String {
    func tool(_ name: String, _ title: String, _ description: String, _ schema: String) -> String? {
      guard names.contains(name) else { return nil }
      return
        """
        {"name":"\(name)","title":"\(title)","description":\(JSONText.string(description)),"inputSchema":\(schema),\
        "annotations":{"readOnlyHint":true,"openWorldHint":false}}
        """
    }
    let tools = [
      tool(
        "render_html", "Render HTML",
        "Renders a page of HTML and CSS, without scripts, to an image. Specify images as data: URLs.",
        MCPArguments.schema(of: "render_html")),
      tool(
        "render_template", "Render a template", "Renders one of the templates listed by list_templates, with values for its attributes.",
        MCPArguments.schema(of: "render_template")),
      tool(
        "inspect_layout", "Inspect a layout", "The position of each element and each line of text on a page, in CSS px, without an image.",
        MCPArguments.schema(of: "inspect_layout")),
      tool("list_templates", "List templates", "Lists the templates with their attributes.", MCPArguments.schema(of: "list_templates")),
      tool("list_fonts", "List fonts", "Lists the fonts that pages can use.", MCPArguments.schema(of: "list_fonts")),
    ]
    return "{\"tools\":[\(tools.compactMap { $0 }.joined(separator: ","))]}"
  }
}
