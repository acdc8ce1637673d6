import OffprintCoreTypes

/// Inline styles in React's syntax: `{"fontSize": 20, "WebkitTextStroke": "1px red", "--gap": "4px"}`.
enum NodeStyle {
  /// Properties whose numbers have no unit. https://react.dev/reference/react-dom/components/common#applying-css-styles
  private static let unitless: Set = [
    "animation-iteration-count", "aspect-ratio", "border-image-outset", "border-image-slice", "border-image-width", "column-count",
    "columns", "fill-opacity",
    "flex", "flex-grow", "flex-shrink", "flood-opacity", "font-size-adjust", "font-weight", "grid-area", "grid-column", "grid-column-end",
    "grid-column-start", "grid-row",
    "grid-row-end", "grid-row-start", "line-clamp", "line-height", "opacity", "order", "orphans", "scale", "shape-image-threshold",
    "stop-opacity",
    "stroke-dasharray", "stroke-dashoffset", "stroke-miterlimit", "stroke-opacity", "stroke-width", "tab-size", "widows", "z-index", "zoom",
    "-webkit-line-clamp", "-webkit-box-flex",
  ]

  /// The declarations, with shorthands before their longhands, because members of a JSON object have no order.
  static func declarations(_ members: [String: JSONValue], path: String) throws(OffprintError) -> String {
    var declarations: [(name: String, value: String)] = []
    for name in members.keys.sorted() {
      let value = members[name] ?? .null
      guard isName(name) else { throw NodeTreeWriter.invalid(path, "has \"\(name.prefix(100))\", which is not the name of a property") }
      let property = name.hasPrefix("--") ? name : hyphenated(name)
      switch value {
      case .null, .bool: continue
      case .string(let text): declarations.append((property, text))
      case .number(let number):
        declarations.append((property, "\(value.text)\(number == 0 || unitless.contains(property) || name.hasPrefix("--") ? "" : "px")"))
      case .integer: declarations.append((property, value.text))
      default: throw NodeTreeWriter.invalid("\(path).\(name)", "must be a string or a number")
      }
    }
    declarations.sort { ($0.name.rank, $0.name) < ($1.name.rank, $1.name) }
    return declarations.map { "\($0.name):\($0.value);" }.joined()
  }

  /// `fontSize` becomes `font-size`, `WebkitTextStroke` becomes `-webkit-text-stroke`, `msTransform` becomes `-ms-transform`.
  static func hyphenated(_ name: String) -> String {
    var result = ""
    for scalar in name.unicodeScalars {
      if ("A"..."Z").contains(scalar) { result += "-" }
      result.unicodeScalars.append(scalar)
    }
    result = result.lowercased()
    return result.hasPrefix("ms-") ? "-\(result)" : result
  }

  private static func isName(_ name: String) -> Bool {
    !name.isEmpty
      && name.utf8.allSatisfy {
        (0x30...0x39).contains($0) || (0x41...0x5A).contains($0) || (0x61...0x7A).contains($0) || $0 == 0x2D || $0 == 0x5F
      }
  }
}

extension String {
  /// Sorts shorthands before the properties they set: `border`, `border-width`, `border-top-width`.
  fileprivate var rank: Int {
    switch self {
    case "all": 0
    case "inset", "inset-inline", "inset-block": 1
    default: 1 + utf8.count { $0 == UInt8(ascii: "-") }
    }
  }
}
