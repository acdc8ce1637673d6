import OffprintCoreTypes

/// Translates Tailwind's core utilities to declarations. https://v3.tailwindcss.com/docs
///
/// Conditional classes (`hover:`, `md:`, `dark:`) are ignored, because an image is rendered once. Unknown classes are errors, because they
/// would otherwise go unnoticed.
enum TailwindClasses {
  /// The declarations of a list of classes.
  ///
  /// - Throws: `dataInvalid` with the unknown class and the most similar known one.
  static func declarations(_ text: String, path: String) throws(OffprintError) -> String {
    var result = "", state = TailwindState()
    for name in text.split(byte: " ").map(String.init) {
      if name.hasCondition { continue }
      guard let declarations = TailwindClass(name).declarations(&state) else {
        throw NodeTreeWriter.invalid(
          path, "has the class \"\(name.prefix(100))\", which is not a supported Tailwind core utility")
      }
      result += declarations
    }
    return result + state.declarations
  }
}

/// Properties composed from several classes: gradients, transforms, filters, shadows.
struct TailwindState {
  var gradient: String?
  var stops: [String] = ["", "", ""]
  var transforms: [String] = []
  var filters: [String] = []
  var shadow: String?
  var shadowColor: String?
  var rings: [String] = []
  var textOpacity: String?

  var declarations: String {
    var result = ""
    if let gradient {
      let from = stops[0].isEmpty ? "transparent" : stops[0], to = stops[2].isEmpty ? "transparent" : stops[2]
      let middle = stops[1].isEmpty ? "" : "\(stops[1]),"
      result += "background-image:\(gradient.replacing("$", with: "\(from),\(middle)\(to)"));"
    }
    if !transforms.isEmpty { result += "transform:\(transforms.joined(separator: " "));" }
    if !filters.isEmpty { result += "filter:\(filters.joined(separator: " "));" }
    var shadows = rings
    if let shadow {
      shadows.append(
        shadowColor.map { color in
          shadow.replacing("rgb(0 0 0/0.1)", with: color).replacing("rgb(0 0 0/0.05)", with: color).replacing(
            "rgb(0 0 0/0.25)", with: color)
        } ?? shadow)
    }
    if !shadows.isEmpty { result += "box-shadow:\(shadows.joined(separator: ","));" }
    return result
  }
}

extension String {
  /// True for `hover:underline`, but not for `bg-[url(data:…)]`.
  fileprivate var hasCondition: Bool {
    guard let colon = utf8.firstIndex(of: UInt8(ascii: ":")) else { return false }
    return !utf8[..<colon].contains(UInt8(ascii: "["))
  }
}
