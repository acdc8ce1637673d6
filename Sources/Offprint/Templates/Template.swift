/// What the page's HTML is put into before it is parsed.
public enum Template: Hashable, Sendable {
  /// A template of ours, by name: `snippet`.
  case builtIn(String)
  /// Mustache source, with a name for messages.
  case mustache(source: String, name: String)

  /// The names that `builtIn` takes.
  public static var builtInNames: [String] { [SnippetTemplate.name] }
}
