extension PropertyTable {
  /// What is supported, as Markdown: one row for each property.
  public static func supportPage() -> String {
    let table = shared
    var rows: [(name: String, values: String, status: String)] = []
    for row in table.longhands.dropFirst(2) {
      let status = row.group == .none ? "understood, no effect on a picture" : row.isInherited ? "inherited" : "not inherited"
      rows.append(("\(row.name)", row.values(), status))
    }
    for shorthand in table.shorthands {
      rows.append(("\(shorthand.name)", shorthand.longhands.map { "`\(table[$0].name)`" }.joined(separator: " "), "shorthand"))
    }
    for (alias, name) in table.aliases { rows.append(("\(alias)", "as `\(name)`", "alias")) }
    rows.append(("all", "initial | inherit | unset | revert | revert-layer", "shorthand"))
    rows.append(("--*", "any tokens, with `var()`", "inherited"))
    rows.sort { $0.name < $1.name }
    var page = """
      # CSS properties

      Every property also takes `initial`, `inherit`, `unset`, `revert`, `revert-layer`, `var()`, `env()` and `attr()`.

      | property | values | status |
      | --- | --- | --- |

      """
    for row in rows {
      page += "| `\(row.name)` | \(row.values.split(separator: "|").joined(separator: "\\|")) | \(row.status) |\n"
    }
    return page
  }
}
