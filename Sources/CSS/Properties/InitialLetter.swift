/// The size of an initial letter in lines, and the number of lines it sinks.
///
/// https://drafts.csswg.org/css-inline-3/#sizing-drop-initials
public struct InitialLetter: Hashable, Sendable {
  public enum Sink: Hashable, Sendable {
    case drop, raise
    case lines(Int)
  }
  /// In lines, at least 1.
  public var size: Float
  public var sink: Sink

  public init(size: Float, sink: Sink) { self.size = size; self.sink = sink }

  var text: String {
    let size = self.size == self.size.rounded() ? String(Int(self.size)) : String(self.size)
    return switch sink {
    case .drop: self.size == self.size.rounded() ? size : size + " drop"
    case .raise: size + " raise"
    case .lines(let lines): size + " " + String(lines)
    }
  }
}
