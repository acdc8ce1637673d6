import OffprintCoreTypes
public import ArgumentParser
public import Offprint

extension BackgroundCommand {
  /// `WxH`.
  struct Size: ExpressibleByArgument, CustomStringConvertible {
    var width: Int
    var height: Int
    init(width: Int, height: Int) { self.width = width; self.height = height }
    init?(argument: String) {
      let parts = argument.split(byte: "x").map { Int($0) }
      guard parts.count == 2, let width = parts[0], let height = parts[1], (1...32_767).contains(width), (1...32_767).contains(height)
      else {
        return nil
      }
      self.init(width: width, height: height)
    }
    var description: String { "\(width)x\(height)" }
  }

  /// Top, right, bottom, left.
  struct Insets: ExpressibleByArgument, CustomStringConvertible {
    var values: [Int]
    init(values: [Int]) { self.values = values }
    init?(argument: String) {
      let parts = argument.split(byte: ",").map { Int($0) }
      let values = parts.compactMap(\.self)
      guard parts.count == 4, values.count == 4, values.allSatisfy({ (0...10_000).contains($0) }) else { return nil }
      self.values = values
    }
    var description: String { values.map(String.init).joined(separator: ",") }
  }

  /// `1` or `1,2,3`.
  struct Scales: ExpressibleByArgument {
    var values: [Int]
    init?(argument: String) {
      let parts = argument.split(byte: ",", omittingEmptySubsequences: false).map { Int($0) }
      let values = parts.compactMap(\.self)
      guard values.count == parts.count, !values.isEmpty, values.allSatisfy({ (1...4).contains($0) }) else { return nil }
      self.values = Set(values).sorted()
    }
  }

  /// The content of the image: a color, a page or text.
  enum Source {
    case color(Color)
    case page(String)
    case text(String)
  }
}

extension StretchableBackground.Format: ExpressibleByArgument {}
