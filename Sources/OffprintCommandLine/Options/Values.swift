public import ArgumentParser
public import OffprintCoreTypes
public import Offprint

extension PageLength: ExpressibleByArgument {
  public init?(argument: String) {
    if argument == "auto" {
      self = .auto
    } else {
      let digits = argument.hasSuffix("px") ? String(argument.dropLast(2)) : argument
      guard let value = Double(digits), value > 0, value <= 65_535 else { return nil }
      self = .px(value)
    }
  }
}

/// `0`, `500ms`, `1.5s` or `end`.
extension AnimationTime: ExpressibleByArgument {
  public init?(argument: String) { self.init(argument) }
}

extension RenderRequest.ColorScheme: ExpressibleByArgument {}
extension RenderRequest.Media: ExpressibleByArgument {}
extension RenderRequest.GlyphPositions: ExpressibleByArgument {}
extension RenderRequest.FatalDiagnostic: ExpressibleByArgument {}

/// `NAME=VALUE`.
extension MediaFeature: ExpressibleByArgument {
  public init?(argument: String) { self.init(argument) }
}

extension RenderRequest.PageSetup.Size: ExpressibleByArgument {
  public init?(argument: String) { self.init(css: argument) }
}

extension RenderRequest.PageSetup.Margins: ExpressibleByArgument {
  public init?(argument: String) { self.init(css: argument) }
}

extension RenderRequest.Clip: ExpressibleByArgument {
  public init?(argument: String) {
    let parts = argument.split(byte: ",", omittingEmptySubsequences: false).map { Double(decimal: $0) }
    guard parts.count == 4, let x = parts[0], let y = parts[1], let width = parts[2], let height = parts[3], width > 0, height > 0,
      [x, y, width, height].allSatisfy({ $0.isFinite && abs($0) <= 1e7 })
    else { return nil }
    self.init(x: x, y: y, width: width, height: height)
  }
}

/// `W,H` or `WxH`.
struct WindowSize: ExpressibleByArgument, Hashable {
  var width: PageLength
  var height: PageLength
  init?(argument: String) {
    let sides = argument.split(whereByte: { $0 == 0x2C || $0 == UInt8(ascii: "x") }).map { PageLength(argument: String($0)) }
    guard sides.count == 2, let first = sides[0], let second = sides[1] else { return nil }
    (width, height) = (first, second)
  }
}

/// A duration with a unit, `5s` or `500ms`; seconds without a unit.
struct Seconds: ExpressibleByArgument, Hashable {
  var value: Double
  init(_ value: Double) { self.value = value }
  init?(argument: String) {
    let text = argument.lowercased()
    let (digits, factor) = text.hasSuffix("ms") ? (text.dropLast(2), 0.001) : text.hasSuffix("s") ? (text.dropLast(1), 1) : (text[...], 1)
    guard let number = Double(digits), number > 0, number <= 86_400 else { return nil }
    value = number * factor
  }
  var defaultValueDescription: String { "\(JSONText.number(value))s" }
}

/// `KEY=VALUE`.
struct Assignment: ExpressibleByArgument, Hashable {
  var key: String
  var value: String
  init(key: String, value: String) { self.key = key; self.value = value }
  init?(argument: String) {
    guard let index = argument.firstIndex(ofByte: "="), index > argument.startIndex else { return nil }
    key = String(argument[..<index])
    value = String(argument[argument.index(after: index)...])
  }
}

/// A CSS color.
struct ColorArgument: ExpressibleByArgument, Hashable {
  var color: Color
  var text: String
  init?(argument: String) {
    guard let color = Renderer.color(argument) else { return nil }
    self.color = color
    text = argument
  }
  var defaultValueDescription: String { text }
}
