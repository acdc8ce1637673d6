import OffprintCoreTypes

/// The names of a document, shared by all that intern while its style sheets are parsed. Used by one thread.
final class NameInterner {
  var table: NameTable
  init(table: NameTable) { self.table = table }
}

/// What the meaning of a value depends on besides its tokens.
struct ParserContext {
  var quirks: Bool
  var baseURL: String
  var names: NameInterner
  /// Whose declarations these are: the user agent's may use what no page may.
  var origin = CascadeOrigin.author
  init(quirks: Bool = false, baseURL: String = "", names: NameInterner) {
    self.quirks = quirks
    self.baseURL = baseURL
    self.names = names
  }
}
