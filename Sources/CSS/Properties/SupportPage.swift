import OffprintCoreTypes

extension PropertyTable {
  /// The level of support for a property.
  enum Support: String {
    case supported
    /// Computed, but not used by layout or painting.
    case computed = "computed, not rendered"
    /// Parsed only; Chromium renders it.
    case parsed = "parsed, not rendered"
    /// Affects only interaction, scrolling, animation or other media.
    case withoutEffect = "no effect on still images"
  }

  /// Computed properties that are not used. A test compares this with the properties that the sources of layout and painting read.
  private static let unused: Set<ByteString> = []
  /// Properties that Chromium renders and this engine only parses.
  private static let missing: Set<ByteString> = [
    "font-language-override",
    "scrollbar-color", "caret-color",
  ]

  static func support(of row: Longhand) -> Support {
    let name = "\(row.name)"
    if row.group == .none { return missing.contains(name) ? .parsed : .withoutEffect }
    return unused.contains(name) ? .computed : .supported
  }

  /// The names of supported or unsupported longhands, for the test of the page.
  package static func names(supported: Bool) -> [String] {
    shared.longhands.dropFirst(2).filter {
      $0.logical == nil && $0.group != .none && (support(of: $0) == .supported) == supported
    }
    .map { "\($0.name)" }
  }

  /// The table of properties as Markdown, one row for each.
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
      let version = firstVersions[ByteString($0.name)].map { "\($0)" } ?? ""
      return "| `\($0.name)` | \($0.values.split(byte: "|").joined(separator: "\\|")) | \($0.status) | \(version) |\n"
    }
    return introduction + lines.joined()
  }

  private static let introduction = """
    # CSS properties

    Generated from the property table by `make docs`. Every property also accepts `initial`, `inherit`, `unset`, `revert`, `revert-layer`,
    `var()`, `env()` and `attr()`. Every length and number also accepts math functions.

    - *supported*: used by layout or painting.
    - *computed, not rendered*: visible only in `inspect --computed`.
    - *parsed, not rendered*: valid, also in `@supports`, but without effect. Chromium renders it.
    - *no effect on still images*: valid, and computed for `inspect --computed`. Affects only interaction, scrolling, animation or other media.

    *Since* is the first version of Chromium that supports the property without a prefix, as far as it is known.

    | property | values | status | since |
    | --- | --- | --- | --- |

    """
}
