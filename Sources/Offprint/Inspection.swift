public import OffprintCoreTypes

/// The result of `Renderer.inspect`.
public enum Inspection: Sendable {
  /// The aspect to inspect.
  public enum Aspect: Sendable, Equatable {
    /// The boxes of its elements, the same as `Renderer.layout` returns.
    case boxes
    /// The tree in html5lib's text format.
    case dom
    /// The display list as text.
    case displayList
    /// Box tree, fragments, display list and diagnostics as text, each after a line `== name`.
    case dump
    /// CSS that was not understood, and resources that could not be loaded.
    case diagnostics
    /// The duration of each stage.
    case timings
    /// The computed values of the elements that match a selector, or of one of their pseudo-elements.
    case computed(selector: String)
  }

  case boxes(PageLayout)
  case text(String)
  case diagnostics([Diagnostic])
  case timings([StageTiming])
  case elements([ComputedElement])

  /// An element with its computed values, including custom properties.
  public struct ComputedElement: Sendable, Codable, Hashable {
    /// A property and its value in CSS syntax.
    public struct Property: Sendable, Codable, Hashable {
      /// The property's name.
      public var name: String
      /// Its computed value.
      public var value: String
      public init(name: String, value: String) { self.name = name; self.value = value }
    }

    /// Child-element indexes from the root, joined by `/`.
    public var path: String
    /// The element's name, followed by `::before` or similar for a pseudo-element.
    public var name: String
    /// Sorted by name, custom properties last.
    public var properties: [Property]

    public init(path: String, name: String, properties: [Property]) { self.path = path; self.name = name; self.properties = properties }
  }
}
