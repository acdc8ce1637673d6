import OffprintCoreTypes

/// The attributes of an element, made from the properties of its node.
struct NodeAttributes {
  /// The serialized attributes, each preceded by a space.
  private(set) var bytes: [UInt8] = []

  /// Properties for React itself.
  private static let ignored: Set = ["key", "ref", "suppressHydrationWarning"]
  /// https://react.dev/reference/react-dom/components/common
  private static let renamed = ["className": "class", "htmlFor": "for", "httpEquiv": "http-equiv", "acceptCharset": "accept-charset"]
  /// SVG attributes with uppercase letters in their names. https://html.spec.whatwg.org/multipage/parsing.html#adjust-svg-attributes
  private static let cased: Set = [
    "viewBox", "preserveAspectRatio", "gradientUnits", "gradientTransform", "patternUnits", "patternContentUnits", "patternTransform",
    "clipPathUnits", "maskUnits", "maskContentUnits", "spreadMethod", "startOffset", "stdDeviation", "textLength", "lengthAdjust",
    "pathLength",
    "refX", "refY", "markerWidth", "markerHeight", "markerUnits", "primitiveUnits", "filterUnits", "baseFrequency", "numOctaves",
    "tableValues", "edgeMode", "kernelMatrix", "surfaceScale", "specularExponent", "specularConstant", "diffuseConstant",
    "xChannelSelector",
    "yChannelSelector", "attributeName", "repeatCount",
  ]

  init(_ properties: [String: JSONValue], path: String) throws(OffprintError) {
    var style = ""
    if let text = (properties["tw"] ?? .null).string { style = try TailwindClasses.declarations(text, path: "\(path).tw") }
    switch properties["style"] {
    case nil, .null?: break
    case .string(let text)?: style += text
    case .object(let declarations)?: style += try NodeStyle.declarations(declarations, path: "\(path).style")
    default: throw NodeTreeWriter.invalid("\(path).style", "must be an object or a string")
    }
    if !style.isEmpty { add("style", style) }
    for name in properties.keys.sorted() where name != "style" && name != "tw" && !Self.ignored.contains(name) {
      switch properties[name] {
      case .string(let text)?: try add(checking: name, text, path)
      case .bool(true)?: try add(checking: name, "", path)
      case .number?, .integer?: try add(checking: name, properties[name]?.text ?? "", path)
      case nil, .null?, .bool(false)?: break
      default: throw NodeTreeWriter.invalid("\(path).\(name.prefix(100))", "must be a string, a number, true or false")
      }
    }
  }

  private mutating func add(checking name: String, _ value: String, _ path: String) throws(OffprintError) {
    let isName = !name.isEmpty && name.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F && !"\"'<>/=".utf8.contains($0) }
    guard isName else {
      throw NodeTreeWriter.invalid(path, "has a property \"\(name.prefix(100))\", which is not the name of an attribute")
    }
    add(Self.attribute(name), value)
  }

  private mutating func add(_ name: String, _ value: String) {
    bytes += Array(" \(name)=\"".utf8) + NodeTreeWriter.escaped(value) + [UInt8(ascii: "\"")]
  }

  /// `strokeWidth` becomes `stroke-width`, `xlinkHref` becomes `xlink:href`, `viewBox` stays.
  private static func attribute(_ name: String) -> String {
    if let attribute = renamed[name] { return attribute }
    if cased.contains(name) { return name }
    if name.hasPrefix("xlink"), name.utf8.count > 5 { return "xlink:\(name.dropFirst(5).lowercased())" }
    // HTML attributes have no hyphens where React uses capitals (colSpan, srcSet); the presentation attributes of SVG do.
    let isOfSVG = [
      "stroke", "fill", "clip", "stop", "flood", "font", "text", "dominant", "alignment", "marker", "color", "letter", "word", "paint",
      "shape", "pointer", "vector", "glyph", "image", "lighting", "baseline", "writing",
    ].contains { name.hasPrefix($0) }
    return isOfSVG ? NodeStyle.hyphenated(name) : name.lowercased()
  }
}
