import Offprint
import OffprintConfiguration
import OffprintCoreTypes

/// The arguments of a tool call, and the job made from them: the options of a job except those that name files.
struct MCPArguments {
  /// The job as JSON.
  let job: [UInt8]

  private struct Argument {
    var name: String
    /// JSON Schema.
    var schema: String
    var isRequired = false
  }

  private static func text(_ name: String, _ description: String, isRequired: Bool = false) -> Argument {
    Argument(name: name, schema: "{\"type\":\"string\",\"description\":\(JSONText.string(description))}", isRequired: isRequired)
  }

  private static func number(_ name: String, _ description: String) -> Argument {
    Argument(name: name, schema: "{\"type\":\"number\",\"exclusiveMinimum\":0,\"description\":\(JSONText.string(description))}")
  }

  private static func choice(_ name: String, _ values: [String], _ description: String) -> Argument {
    Argument(
      name: name,
      schema:
        "{\"type\":\"string\",\"enum\":[\(values.map { JSONText.string($0) }.joined(separator: ","))],\"description\":\(JSONText.string(description))}"
    )
  }

  private static func flag(_ name: String, _ description: String) -> Argument {
    Argument(name: name, schema: "{\"type\":\"boolean\",\"description\":\(JSONText.string(description))}")
  }

  private static func object(_ name: String, _ description: String) -> Argument {
    Argument(name: name, schema: "{\"type\":\"object\",\"description\":\(JSONText.string(description))}")
  }

  private static let page = [
    number("width", "The page's width in CSS px (default: 800)."),
    Argument(
      name: "height",
      schema:
        "{\"type\":[\"number\",\"string\"],\"description\":\"The image's height in CSS px, or auto for the content's (default: auto).\"}"),
    choice("color-scheme", ["light", "dark"], "The value of prefers-color-scheme."),
    choice("media", ["screen", "print"], "The media type."),
    number("viewport-height", "With an automatic height, the viewport's, for vh and media queries."),
    text("at", "The time of animations: 500ms, 1.5s, or end, after all finite ones (default: 0)."),
  ]
  private static let image = [
    choice(
      "format", ["png", "webp", "jpeg", "avif", "gif", "apng", "svg", "pdf"],
      "The format (default: png). gif and apng are animated, png, webp and avif with animate, duration, fps or loop."),
    number("scale", "Image px per CSS px, up to 16 (default: 1)."),
    text("background", "A CSS color or transparent (default: white)."), text("selector", "Crop to the first element that matches."),
    text("clip", "Crop to a rectangle: x,y,w,h."),
    Argument(name: "quality", schema: "{\"type\":\"integer\",\"minimum\":0,\"maximum\":100}"),
    flag("lossless", "Encode WebP and AVIF without loss."), flag("animate", "Render the animations of the page."),
    text("duration", "How long an animated image lasts: 500ms, 2s (default: the longest animation, or one period)."),
    Argument(
      name: "fps", schema: "{\"type\":\"integer\",\"minimum\":1,\"maximum\":60,\"description\":\"Frames per second (default: 20).\"}"),
    Argument(
      name: "loop",
      schema: "{\"type\":[\"integer\",\"string\"],\"description\":\"How often it is played: 1 to 65535, or forever (default: forever).\"}"),
    text("poster", "The time of the image that programs without animations show, for png and apng."),
    flag("dither", "Dither the colors of a GIF that are not in its palette."),
    flag("strict", "Treat a missing resource as an error."),
  ]
  private static let template = [
    text("template", "The template's name.", isRequired: true), object("set", "Values of the template's attributes."),
    object("data", "JSON for the template."),
    text("html", "The body of the template."),
  ]
  private static let html = [text("html", "The page, or a fragment of HTML.", isRequired: true)]

  private static func arguments(of tool: String) -> [Argument] {
    switch tool {
    case "render_html": html + page + image
    case "render_template": template + page + image
    case "inspect_layout": html + page
    default: []
    }
  }

  static func schema(of tool: String) -> String {
    let arguments = arguments(of: tool)
    let required = arguments.filter(\.isRequired).map { JSONText.string($0.name) }
    let properties = arguments.map { "\(JSONText.string($0.name)):\($0.schema)" }
    return """
      {"type":"object","properties":{\(properties.joined(separator: ","))},"required":[\(required.joined(separator: ","))],\
      "additionalProperties":false}
      """
  }

  /// - Throws: `usage` for a missing or unknown argument. Invalid values are rejected by the job.
  init(_ members: [String: JSONValue], of tool: String) throws(OffprintError) {
    let known = Self.arguments(of: tool)
    if let missing = known.first(where: { $0.isRequired && members[$0.name] == nil }) {
      throw OffprintError(.usage, "\(tool) needs \"\(missing.name)\".")
    }
    if let odd = members.keys.sorted().first(where: { name in !known.contains { $0.name == name } }) {
      let nearest = NearestName.of(odd, in: known.map(\.name)).map { "; did you mean \"\($0)\"?" } ?? "."
      throw OffprintError(.usage, "\(tool) has no argument \"\(odd.prefix(100))\"\(nearest)")
    }
    // Elsewhere, a string in `data` would be the name of a file.
    if let data = members["data"] { guard case .object = data else { throw OffprintError(.usage, "\"data\" must be an object.") } }
    job = Array(JSONValue.object(members).text.utf8)
  }
}
