public import OffprintCoreTypes

/// What `Renderer.inspect` answers.
public enum Inspection: Sendable {
  /// What is asked about a page.
  public enum Aspect: Sendable, Equatable {
    /// The boxes of its elements; `Renderer.layout` answers the same.
    case boxes
    /// The tree, in html5lib's text format.
    case dom
    /// The drawing commands, as text.
    case displayList
    /// Texts of the box tree, the fragments, the display list and the diagnostics, each under a line `== name`.
    case dump
    /// What was not understood or could not be had.
    case diagnostics
    /// How long each stage takes, from the first byte to the last.
    case timings
    /// The computed values of the elements that match a selector, or of a pseudo-element of theirs.
    case computed(selector: String)
  }

  case boxes(PageLayout)
  case text(String)
  case diagnostics([Diagnostic])
  case timings([StageTiming])
  case elements([ComputedElement])

  /// An element with the computed value of every property that has one, and of its custom properties.
  public struct ComputedElement: Sendable, Codable, Hashable {
    /// A property and its value, as a style sheet would say it.
    public struct Property: Sendable, Codable, Hashable {
      /// The property's name.
      public var name: String
      /// Its computed value.
      public var value: String
      public init(name: String, value: String) { self.name = name; self.value = value }
    }

    /// Child-element indexes from the root, joined by `/`.
    public var path: String
    /// The element's name, with `::before` and the like for a pseudo-element.
    public var name: String
    /// In the order of their names, custom properties last.
    public var properties: [Property]

    public init(path: String, name: String, properties: [Property]) { self.path = path; self.name = name; self.properties = properties }
  }
}
