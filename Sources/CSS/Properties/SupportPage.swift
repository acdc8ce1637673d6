import OffprintCoreTypes

extension PropertyTable {
  /// How much of a property there is.
  enum Support: String {
    case supported
    /// Computed, and neither layout nor painting looks at it.
    case computed = "computed, not drawn"
    /// Parsed, although browsers draw something for it.
    case parsed = "parsed, not drawn"
    /// Of interaction, scrolling, animation, other media, or of SVG's own pictures.
    case withoutEffect = "no effect on a still picture"
  }

  /// What is computed and not used. A test compares this with what the sources of layout and painting read.
  private static let unused: Set<ByteString> = []
  /// What browsers draw and this engine only parses.
  private static let missing: Set<ByteString> = [
    "font-language-override",
    "scrollbar-color", "caret-color",
  ]

  static func support(of row: Longhand) -> Support {
    let name = "\(row.name)"
    if row.group == .none { return missing.contains(name) ? .parsed : .withoutEffect }
    return unused.contains(name) ? .computed : .supported
  }

  /// Names of longhands by what there is of them, for the page's test.
  package static func names(supported: Bool) -> [String] {
    shared.longhands.dropFirst(2).filter {
      $0.logical == nil && $0.group != .none && (support(of: $0) == .supported) == supported
    }
    .map { "\($0.name)" }
  }

  /// What is supported, as Markdown: one row for each property.
  public static func supportPage() -> String {
    let table = shared
    var rows: [(name: String, values: String, status: String)] = []
    for row in table.longhands.dropFirst(2) {
      let status =
        support(of: row).rawValue + (row.isInherited && row.group != .none ? ", inherited" : "")
      rows.append(("\(row.name)", row.kind.values, status))
    }
    for shorthand in table.shorthands {
      rows.append(
        (
          "\(shorthand.name)",
          shorthand.longhands.map { "`\(table[$0].name)`" }.joined(separator: " "), "shorthand"
        ))
    }
    for (alias, name) in table.aliases { rows.append(("\(alias)", "as `\(name)`", "alias")) }
    rows.append(("all", "initial | inherit | unset | revert | revert-layer", "shorthand"))
    rows.append(("--*", "any tokens, with `var()`", "supported, inherited"))
    rows.sort { $0.name < $1.name }
    let lines = rows.map {
      "| `\($0.name)` | \($0.values.split(byte: "|").joined(separator: "\\|")) | \($0.status) |\n"
    }
    return introduction + lines.joined()
  }

  private static let introduction = """
    # CSS properties

    Made from the property table by `make docs`. Every property also takes `initial`, `inherit`, `unset`, `revert`, `revert-layer`, `var()`,
    `env()` and `attr()`; every length and number a math function.

    *Supported* is what layout or painting uses; *computed, not drawn* is seen by `inspect --computed` alone; *parsed, not drawn* is
    understood, so that `@supports` says yes, and browsers would draw it.

    | property | values | status |
    | --- | --- | --- |

    """
}
