import OffprintCoreTypes

/// The name table of a document, shared by all parsers of its style sheets. Used by a single thread.
final class NameInterner {
  var table: NameTable
  init(table: NameTable) { self.table = table }
}

/// Inputs besides its tokens that affect the meaning of a value.
struct ParserContext {
  var quirks: Bool
  var baseURL: String
  var names: NameInterner
  /// The origin of the declarations. Some values are valid only in the user agent style sheet.
  var origin = CascadeOrigin.author
  init(quirks: Bool = false, baseURL: String = "", names: NameInterner) {
    self.quirks = quirks
    self.baseURL = baseURL
    self.names = names
  }
}
