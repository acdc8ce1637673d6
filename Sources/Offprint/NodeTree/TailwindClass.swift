import OffprintCoreTypes

/// A class: its name, a value after a hyphen, and whether it is negative.
struct TailwindClass {
  let name: String
  let isNegative: Bool

  init(_ text: String) {
    var text = text
    if text.hasPrefix("!") { text.removeFirst() }
    isNegative = text.hasPrefix("-") && !text.hasPrefix("--")
    name = isNegative ? String(text.dropFirst()) : text
  }

  /// Nil for an unknown class.
  func declarations(_ state: inout TailwindState) -> String? {
    if name.hasPrefix("["), name.hasSuffix("]") { return arbitraryProperty }
    if !isNegative, let keyword = TailwindKeywords.table[name] { return keyword }
    // Tries the longest prefix first, so that `border-t-2` is not `border` with the value `t-2`, unless nothing else matches.
    var end = name.utf8.endIndex
    while let hyphen = name.utf8[..<end].lastIndex(of: UInt8(ascii: "-")) {
      let prefix = String(name[..<hyphen]), value = TailwindValue(String(name[name.utf8.index(after: hyphen)...]), isNegative: isNegative)
      if !prefix.utf8.contains(UInt8(ascii: "[")), let result = utility(prefix, value, &state) { return result }
      end = hyphen
    }
    return nil
  }

  private func utility(_ prefix: String, _ value: TailwindValue, _ state: inout TailwindState) -> String? {
    if let properties = TailwindUtilities.spacing[prefix], let length = value.spacing(allowsAuto: true) {
      return Self.set(properties, length)
    }
    if let properties = TailwindUtilities.sizes[prefix], let length = value.size(of: prefix) { return Self.set(properties, length) }
    if let properties = TailwindUtilities.colors[prefix], let color = value.color { return Self.set(properties, color) }
    if let result = TailwindUtilities.other(prefix, value) { return result }
    return TailwindUtilities.compose(prefix, value, &state) ? "" : nil
  }

  private static func set(_ properties: [String], _ value: String) -> String { properties.map { "\($0):\(value);" }.joined() }

  /// `[mask-type:luminance]`
  private var arbitraryProperty: String? {
    let body = name.dropFirst().dropLast()
    guard let colon = body.utf8.firstIndex(of: UInt8(ascii: ":")) else { return nil }
    let property = body[..<colon], value = body[body.utf8.index(after: colon)...]
    guard !property.isEmpty, !value.isEmpty, !value.utf8.contains(UInt8(ascii: ";")) else { return nil }
    return "\(property):\(value.replacing("_", with: " "));"
  }
}

/// The value after a utility's name.
struct TailwindValue {
  let text: String
  let isNegative: Bool

  init(_ text: String, isNegative: Bool) { self.text = text; self.isNegative = isNegative }

  /// `[13px]`, with spaces written as underscores.
  var arbitrary: String? {
    guard text.hasPrefix("["), text.hasSuffix("]"), text.utf8.count > 2, !text.utf8.contains(UInt8(ascii: ";")) else { return nil }
    return String(text.dropFirst().dropLast()).replacing("_", with: " ")
  }

  var number: Double? { Double(decimal: text).flatMap { $0 >= 0 ? $0 : nil } }

  /// One step of the scale is 0.25 rem. https://v3.tailwindcss.com/docs/customizing-spacing
  func spacing(allowsAuto: Bool = false) -> String? {
    if let arbitrary { return isNegative ? "calc(-1*\(arbitrary))" : arbitrary }
    let sign = isNegative ? "-" : ""
    switch text {
    case "px": return "\(sign)1px"
    case "auto": return allowsAuto && !isNegative ? "auto" : nil
    case "full": return "\(sign)100%"
    default: break
    }
    if let fraction { return "\(sign)\(fraction)" }
    return number.map { $0 == 0 ? "0" : "\(sign)\(JSONText.number($0 * 4))px" }
  }

  /// `1/2` becomes `50%`.
  var fraction: String? {
    let parts = text.split(byte: "/")
    guard parts.count == 2, let a = Double(parts[0]), let b = Double(parts[1]), b > 0, a >= 0 else { return nil }
    return "\(JSONText.number((a / b * 100 * 1e6).rounded() / 1e6))%"
  }

  func size(of prefix: String) -> String? {
    guard !isNegative else { return nil }
    let isWidth = prefix.hasSuffix("w")
    switch text {
    case "screen": return isWidth ? "100vw" : "100vh"
    case "min": return "min-content"
    case "max": return "max-content"
    case "fit": return "fit-content"
    case "none": return prefix.hasPrefix("max") ? "none" : nil
    default: break
    }
    if prefix == "max-w" || prefix == "min-w" || prefix == "w", let named = Self.widths[text] { return named }
    return spacing(allowsAuto: true)
  }

  /// https://v3.tailwindcss.com/docs/max-width
  private static let widths = [
    "xs": "320px", "sm": "384px", "md": "448px", "lg": "512px", "xl": "576px", "2xl": "672px", "3xl": "768px", "4xl": "896px",
    "5xl": "1024px",
    "6xl": "1152px", "7xl": "1280px", "prose": "65ch",
  ]

  /// `red-500`, `white`, `black/50`, `[#123456]`, `[rgb(1,2,3)]/40`.
  var color: String? {
    guard !isNegative else { return nil }
    var base = text, opacity: String?
    if let slash = text.utf8.lastIndex(of: UInt8(ascii: "/")), !text.utf8[slash...].contains(UInt8(ascii: ")")) {
      base = String(text[..<slash])
      let amount = TailwindValue(String(text[text.utf8.index(after: slash)...]), isNegative: false)
      guard let value = amount.arbitrary ?? amount.number.map({ "\(JSONText.number($0))%" }) else { return nil }
      opacity = value
    }
    guard let color = TailwindValue(base, isNegative: false).plainColor else { return nil }
    return opacity.map { "color-mix(in srgb,\(color) \($0.hasSuffix("%") ? $0 : "calc(100%*\($0))"),transparent)" } ?? color
  }

  private var plainColor: String? {
    if let arbitrary {
      let color = arbitrary.hasPrefix("color:") ? String(arbitrary.dropFirst(6)) : arbitrary
      return Renderer.color(color) != nil || color.hasPrefix("var(") ? color : nil
    }
    switch text {
    case "transparent", "white", "black": return text
    case "current": return "currentcolor"
    case "inherit": return text
    default: return TailwindColors.hex(text)
    }
  }
}
