import OffprintCoreTypes

/// Utilities with a value, by their prefix.
enum TailwindUtilities {
  /// Utilities whose value is a length of the spacing scale.
  static let spacing: [String: [String]] = [
    "m": ["margin"], "mx": ["margin-left", "margin-right"], "my": ["margin-top", "margin-bottom"], "mt": ["margin-top"],
    "mr": ["margin-right"],
    "mb": ["margin-bottom"], "ml": ["margin-left"], "ms": ["margin-inline-start"], "me": ["margin-inline-end"], "p": ["padding"],
    "px": ["padding-left", "padding-right"], "py": ["padding-top", "padding-bottom"], "pt": ["padding-top"], "pr": ["padding-right"],
    "pb": ["padding-bottom"], "pl": ["padding-left"], "ps": ["padding-inline-start"], "pe": ["padding-inline-end"], "gap": ["gap"],
    "gap-x": ["column-gap"], "gap-y": ["row-gap"], "inset": ["inset"], "inset-x": ["left", "right"], "inset-y": ["top", "bottom"],
    "top": ["top"],
    "right": ["right"], "bottom": ["bottom"], "left": ["left"], "start": ["inset-inline-start"], "end": ["inset-inline-end"],
    "basis": ["flex-basis"],
    "indent": ["text-indent"],
  ]

  static let sizes: [String: [String]] = [
    "w": ["width"], "h": ["height"], "size": ["width", "height"], "min-w": ["min-width"], "min-h": ["min-height"], "max-w": ["max-width"],
    "max-h": ["max-height"],
  ]

  static let colors: [String: [String]] = [
    "bg": ["background-color"], "text": ["color"], "border": ["border-color"], "border-t": ["border-top-color"],
    "border-r": ["border-right-color"],
    "border-b": ["border-bottom-color"], "border-l": ["border-left-color"], "border-x": ["border-left-color", "border-right-color"],
    "border-y": ["border-top-color", "border-bottom-color"], "outline": ["outline-color"], "decoration": ["text-decoration-color"],
    "accent": ["accent-color"], "caret": ["caret-color"], "fill": ["fill"], "stroke": ["stroke"],
  ]

  /// Utilities with rules of their own; nil if the value is invalid.
  static func other(_ prefix: String, _ value: TailwindValue) -> String? {
    switch prefix {
    case "text":
      if let size = fontSizes[value.text] { return "font-size:\(size.0);line-height:\(size.1);" }
      return value.arbitrary.map { "font-size:\($0.hasPrefix("length:") ? String($0.dropFirst(7)) : $0);" }
    case "font":
      return weights[value.text].map { "font-weight:\($0);" }
        ?? value.arbitrary.map { Double(decimal: $0) == nil ? "font-family:\($0);" : "font-weight:\($0);" }
    case "leading": return (leadings[value.text] ?? value.spacing()).map { "line-height:\($0);" }
    case "tracking": return (trackings[value.text] ?? value.arbitrary).map { "letter-spacing:\(value.isNegative ? "-" : "")\($0);" }
    case "line-clamp":
      guard let count = value.number ?? value.arbitrary.flatMap({ Double(decimal: $0) }) else { return nil }
      return "overflow:hidden;display:-webkit-box;-webkit-box-orient:vertical;-webkit-line-clamp:\(JSONText.number(count));"
    case "opacity": return value.arbitrary.map { "opacity:\($0);" } ?? value.number.map { "opacity:\(JSONText.number($0 / 100));" }
    case "z":
      return (value.arbitrary ?? value.number.map { "\(value.isNegative ? "-" : "")\(JSONText.number($0))" }).map { "z-index:\($0);" }
    case "order":
      switch value.text {
      case "first": return "order:-9999;"
      case "last": return "order:9999;"
      case "none": return "order:0;"
      default:
        return (value.arbitrary ?? value.number.map { "\(value.isNegative ? "-" : "")\(JSONText.number($0))" }).map { "order:\($0);" }
      }
    case "grow": return (value.arbitrary ?? value.number.map(JSONText.number)).map { "flex-grow:\($0);" }
    case "shrink": return (value.arbitrary ?? value.number.map(JSONText.number)).map { "flex-shrink:\($0);" }
    case "flex": return value.arbitrary.map { "flex:\($0);" } ?? value.number.map { "flex:\(JSONText.number($0));" }
    case "aspect": return value.arbitrary.map { "aspect-ratio:\($0);" }
    case "columns": return (value.arbitrary ?? value.number.map(JSONText.number)).map { "columns:\($0);" }
    case "grid-cols":
      return value.arbitrary.map { "grid-template-columns:\($0);" }
        ?? value.number.map { "grid-template-columns:repeat(\(JSONText.number($0)),minmax(0,1fr));" }
    case "grid-rows":
      return value.arbitrary.map { "grid-template-rows:\($0);" }
        ?? value.number.map { "grid-template-rows:repeat(\(JSONText.number($0)),minmax(0,1fr));" }
    case "col-span":
      return value.text == "full"
        ? "grid-column:1/-1;" : value.number.map { "grid-column:span \(JSONText.number($0))/span \(JSONText.number($0));" }
    case "row-span":
      return value.text == "full"
        ? "grid-row:1/-1;" : value.number.map { "grid-row:span \(JSONText.number($0))/span \(JSONText.number($0));" }
    case "col-start": return value.number.map { "grid-column-start:\(JSONText.number($0));" }
    case "col-end": return value.number.map { "grid-column-end:\(JSONText.number($0));" }
    case "row-start": return value.number.map { "grid-row-start:\(JSONText.number($0));" }
    case "row-end": return value.number.map { "grid-row-end:\(JSONText.number($0));" }
    case "bg":
      return value.arbitrary.map { $0.hasPrefix("url(") || $0.contains("gradient(") ? "background-image:\($0);" : "background:\($0);" }
    case "outline": return value.number.map { "outline-width:\(JSONText.number($0))px;" }
    case "outline-offset":
      return (value.arbitrary ?? value.number.map { "\(JSONText.number($0))px" }).map {
        "outline-offset:\(value.isNegative ? "-" : "")\($0);"
      }
    case "underline-offset":
      return (value.arbitrary ?? value.number.map { "\(JSONText.number($0))px" }).map { "text-underline-offset:\($0);" }
    case "decoration":
      return (value.arbitrary ?? value.number.map { "\(JSONText.number($0))px" }).map { "text-decoration-thickness:\($0);" }
    case "stroke": return value.number.map { "stroke-width:\(JSONText.number($0));" }
    case "border-spacing": return value.spacing().map { "border-spacing:\($0);" }
    case "origin": return value.arbitrary.map { "transform-origin:\($0);" } ?? positions[value.text].map { "transform-origin:\($0);" }
    case "object": return value.arbitrary.map { "object-position:\($0);" } ?? positions[value.text].map { "object-position:\($0);" }
    default: return border(prefix, value) ?? radius(prefix, value)
    }
  }

  /// `border-t-2`. https://v3.tailwindcss.com/docs/border-width
  private static func border(_ prefix: String, _ value: TailwindValue) -> String? {
    let sides: [String]
    switch prefix {
    case "border": sides = [""]
    case "border-t": sides = ["-top"]
    case "border-r": sides = ["-right"]
    case "border-b": sides = ["-bottom"]
    case "border-l": sides = ["-left"]
    case "border-x": sides = ["-left", "-right"]
    case "border-y": sides = ["-top", "-bottom"]
    default: return nil
    }
    guard let width = value.arbitrary ?? value.number.map({ "\(JSONText.number($0))px" }) else { return nil }
    return sides.map { "border\($0)-width:\(width);border\($0)-style:solid;" }.joined()
  }

  /// `rounded-tl-lg`. https://v3.tailwindcss.com/docs/border-radius
  private static func radius(_ prefix: String, _ value: TailwindValue) -> String? {
    let corners: [String]
    switch prefix {
    case "rounded": corners = [""]
    case "rounded-t": corners = ["-top-left", "-top-right"]
    case "rounded-r": corners = ["-top-right", "-bottom-right"]
    case "rounded-b": corners = ["-bottom-left", "-bottom-right"]
    case "rounded-l": corners = ["-top-left", "-bottom-left"]
    case "rounded-tl": corners = ["-top-left"]
    case "rounded-tr": corners = ["-top-right"]
    case "rounded-br": corners = ["-bottom-right"]
    case "rounded-bl": corners = ["-bottom-left"]
    default: return nil
    }
    guard let radius = value.arbitrary ?? radiusSizes[value.text] else { return nil }
    return corners.map { "border\($0)-radius:\(radius);" }.joined()
  }

  /// Utilities that are combined into one property with those of other classes.
  static func compose(_ prefix: String, _ value: TailwindValue, _ state: inout TailwindState) -> Bool {
    if let stop = ["from": 0, "via": 1, "to": 2][prefix] {
      if let color = value.color {
        state.stops[stop] = color
      } else {
        guard value.text.hasSuffix("%"), Double(decimal: value.text.dropLast()) != nil, !state.stops[stop].isEmpty else { return false }
        state.stops[stop] += " \(value.text)"
      }
      return true
    }
    if prefix == "bg-gradient-to" || prefix == "bg-linear-to", let direction = directions[value.text] {
      state.gradient = "linear-gradient(\(direction),$)"
      return true
    }
    if prefix == "shadow" { return composeShadow(value, &state) }
    if prefix == "ring", let width = value.number {
      state.rings = ["0 0 0 \(JSONText.number(width))px rgb(59 130 246/0.5)"]
      return true
    }
    if prefix == "ring", let color = value.color {
      state.rings = (state.rings.isEmpty ? ["0 0 0 3px rgb(59 130 246/0.5)"] : state.rings).map {
        $0.replacing("rgb(59 130 246/0.5)", with: color)
      }
      return true
    }
    if let transform = transform(prefix, value) {
      state.transforms.append(transform)
      return true
    }
    if let filter = filter(prefix, value) {
      state.filters.append(filter)
      return true
    }
    return false
  }

  private static func composeShadow(_ value: TailwindValue, _ state: inout TailwindState) -> Bool {
    if let shadow = shadows[value.text] {
      state.shadow = shadow
    } else if let color = value.color {
      state.shadowColor = color
    } else {
      guard let shadow = value.arbitrary else { return false }
      state.shadow = shadow
    }
    return true
  }

  private static func transform(_ prefix: String, _ value: TailwindValue) -> String? {
    let sign = value.isNegative ? "-" : ""
    switch prefix {
    case "translate-x", "translate-y": return value.spacing().map { "translate\(prefix.hasSuffix("x") ? "X" : "Y")(\($0))" }
    case "rotate": return (value.arbitrary ?? value.number.map { "\(JSONText.number($0))deg" }).map { "rotate(\(sign)\($0))" }
    case "skew-x", "skew-y":
      return (value.arbitrary ?? value.number.map { "\(JSONText.number($0))deg" }).map {
        "skew\(prefix.hasSuffix("x") ? "X" : "Y")(\(sign)\($0))"
      }
    case "scale", "scale-x", "scale-y":
      let axis = prefix == "scale" ? "" : prefix.hasSuffix("x") ? "X" : "Y"
      return (value.arbitrary ?? value.number.map { JSONText.number($0 / 100) }).map { "scale\(axis)(\(sign)\($0))" }
    default: return nil
    }
  }

  private static func filter(_ prefix: String, _ value: TailwindValue) -> String? {
    switch prefix {
    case "blur": return (value.arbitrary ?? blurs[value.text]).map { "blur(\($0))" }
    case "brightness", "contrast", "saturate":
      return (value.arbitrary ?? value.number.map { JSONText.number($0 / 100) }).map { "\(prefix)(\($0))" }
    case "hue-rotate":
      return (value.arbitrary ?? value.number.map { "\(value.isNegative ? "-" : "")\(JSONText.number($0))deg" }).map { "hue-rotate(\($0))" }
    case "grayscale", "invert", "sepia":
      return (value.arbitrary ?? value.number.map { JSONText.number($0 / 100) }).map { "\(prefix)(\($0))" }
    default: return nil
    }
  }
}
