import ArgumentParser
import OffprintCoreTypes

/// The limits of a render: one option for each field of `Limits`.
struct LimitOptions: ParsableArguments {
  @Option(name: .limit("inputBytes"), help: .limit("inputBytes")) var inputBytes: Amount?
  @Option(name: .limit("nodes"), help: .limit("nodes")) var nodes: Amount?
  @Option(name: .limit("depth"), help: .limit("depth")) var depth: Amount?
  @Option(name: .limit("styleRules"), help: .limit("styleRules")) var styleRules: Amount?
  @Option(name: .limit("imageSide"), help: .limit("imageSide")) var imageSide: Amount?
  @Option(name: .limit("imagePixels"), help: .limit("imagePixels")) var imagePixels: Amount?
  @Option(name: .limit("frames"), help: .limit("frames")) var frames: Amount?
  @Option(name: .limit("animationPixels"), help: .limit("animationPixels")) var animationPixels: Amount?
  @Option(name: .limit("resourceBytes"), help: .limit("resourceBytes")) var resourceBytes: Amount?
  @Option(name: .limit("loadedBytes"), help: .limit("loadedBytes")) var loadedBytes: Amount?
  @Option(name: .limit("resources"), help: .limit("resources")) var resources: Amount?
  @Option(name: .limit("decodedPixels"), help: .limit("decodedPixels")) var decodedPixels: Amount?
  @Option(name: .limit("layoutDepth"), help: .limit("layoutDepth")) var layoutDepth: Amount?
  @Option(name: .limit("decodedBytes"), help: .limit("decodedBytes")) var decodedBytes: Amount?
  @Option(name: .limit("layerBytes"), help: .limit("layerBytes")) var layerBytes: Amount?
  @Option(name: .limit("boxes"), help: .limit("boxes")) var boxes: Amount?
  @Option(name: .limit("fragments"), help: .limit("fragments")) var fragments: Amount?
  @Option(name: .limit("pathSteps"), help: .limit("pathSteps")) var pathSteps: Amount?
  @Option(name: .limit("templateSteps"), help: .limit("templateSteps")) var templateSteps: Amount?

  /// True in most runs. Checked first, because building the key paths of the table would slow down every start.
  private var areUnset: Bool {
    func isUnset(_ options: Amount?...) -> Bool { options.allSatisfy { $0 == nil } }
    return isUnset(inputBytes, nodes, depth, styleRules, imageSide, imagePixels, resourceBytes, resources, decodedPixels)
      && isUnset(layoutDepth, decodedBytes, layerBytes, boxes, fragments, loadedBytes, pathSteps, templateSteps, frames)
      && isUnset(animationPixels)
  }

  mutating func validate() throws {
    if areUnset { return }
    for row in Self.table {
      if let amount = self[keyPath: row.option], !(1...row.maximum).contains(amount.value) {
        throw ValidationError("--\(row.name) must be 1 to \(row.maximum).")
      }
    }
  }

  func apply(to limits: inout Limits) {
    if areUnset { return }
    for row in Self.table { if let amount = self[keyPath: row.option] { limits[keyPath: row.limit] = amount.value } }
  }
}

extension LimitOptions {
  struct Row: Sendable {
    /// The name of the field of `Limits`, which messages use.
    var field: String
    var limit: any WritableKeyPath<Limits, Int> & Sendable
    var option: any WritableKeyPath<LimitOptions, Amount?> & Sendable
    var help: String
    var isBytes = false
    /// The maximum value that the engine's arithmetic supports.
    var maximum: Int

    /// The former name of the option, which is still accepted.
    var alias: String?

    /// `max-input-bytes` for `inputBytes`.
    var name: String { names[0] }
    var names: [String] {
      let name = "max-" + field.map { $0.isUppercase ? "-\($0.lowercased())" : "\($0)" }.joined()
      return [name] + [alias].compactMap(\.self)
    }
  }

  static let table: [Row] = [
    Row(field: "inputBytes", limit: \.inputBytes, option: \.inputBytes, help: "Maximum bytes of a page", isBytes: true, maximum: 1 << 29),
    Row(field: "nodes", limit: \.nodes, option: \.nodes, help: "Maximum DOM nodes of a page", maximum: 50_000_000),
    Row(
      field: "depth", limit: \.depth, option: \.depth, help: "Maximum nesting depth of elements; deeper ones become siblings", maximum: 4096
    ),
    Row(field: "styleRules", limit: \.styleRules, option: \.styleRules, help: "Maximum number of style rules", maximum: 10_000_000),
    Row(
      field: "imageSide", limit: \.imageSide, option: \.imageSide, help: "Maximum width and height of the image in device px",
      maximum: 1_000_000, alias: "max-picture-side"),
    Row(
      field: "imagePixels", limit: \.imagePixels, option: \.imagePixels, help: "Maximum pixels of the image", maximum: 4_000_000_000,
      alias: "max-picture-pixels"),
    Row(field: "frames", limit: \.frames, option: \.frames, help: "Maximum frames of an animation", maximum: 100_000),
    Row(
      field: "animationPixels", limit: \.animationPixels, option: \.animationPixels,
      help: "Maximum pixels of all frames of an animation together", maximum: 1_000_000_000_000),
    Row(
      field: "resourceBytes", limit: \.resourceBytes, option: \.resourceBytes, help: "Maximum bytes of each resource", isBytes: true,
      maximum: 1 << 31),
    Row(
      field: "loadedBytes", limit: \.loadedBytes, option: \.loadedBytes, help: "Maximum bytes of all resources of a page", isBytes: true,
      maximum: 1 << 36),
    Row(field: "resources", limit: \.resources, option: \.resources, help: "Maximum number of resources of a page", maximum: 1_000_000),
    Row(
      field: "decodedPixels", limit: \.decodedPixels, option: \.decodedPixels, help: "Maximum pixels of each decoded image",
      maximum: 1_000_000_000),
    Row(
      field: "decodedBytes", limit: \.decodedBytes, option: \.decodedBytes, help: "Maximum bytes of all decoded images of a page",
      isBytes: true,
      maximum: 1 << 36),
    Row(
      field: "layerBytes", limit: \.layerBytes, option: \.layerBytes, help: "Maximum bytes of all layers painted at the same time",
      isBytes: true,
      maximum: 1 << 36),
    Row(
      field: "layoutDepth", limit: \.layoutDepth, option: \.layoutDepth, help: "Maximum nesting depth of boxes in layout", maximum: 65_536),
    Row(field: "boxes", limit: \.boxes, option: \.boxes, help: "Maximum boxes of a page", maximum: 100_000_000),
    Row(
      field: "fragments", limit: \.fragments, option: \.fragments, help: "Maximum fragments of a page after layout", maximum: 100_000_000),
    Row(
      field: "pathSteps", limit: \.pathSteps, option: \.pathSteps, help: "Maximum estimated steps to fill or stroke one path",
      maximum: 1_000_000_000_000),
    Row(
      field: "templateSteps", limit: \.templateSteps, option: \.templateSteps,
      help: "Maximum tags and sections in the expansion of a template",
      maximum: 1_000_000_000),
  ]

  static func row(_ field: String) -> Row? { table.first { $0.field == field } }

  /// The option for the limit that a message names.
  static func option(namedIn message: String) -> String? {
    let words = message.split { !$0.isLetter }
    return table.first { words.contains(Substring($0.field)) && isNamed($0.field, message) }.map { "--\($0.name)" }
  }

  /// Whether the message names the limit, as `'nodes'` or `limit nodes`: the word alone could have another meaning.
  private static func isNamed(_ field: String, _ message: String) -> Bool {
    message.contains("'\(field)'") || message.contains("limit \(field)")
  }
}

/// A number with an optional unit: `40M`, `16MiB`. `KiB`, `MiB`, `GiB` are powers of 1024; `k`, `M`, `G` are powers of 1000.
struct Amount: ExpressibleByArgument, Hashable, Sendable {
  var value: Int

  init?(argument: String) {
    let digits = argument.prefix { $0.isASCII && ($0.isNumber || $0 == ".") }
    guard let number = Double(digits), let factor = Self.units[argument[digits.endIndex...].lowercased()] else { return nil }
    let amount = number * factor
    guard amount >= 0, amount <= 9e15, amount == amount.rounded() else { return nil }
    value = Int(amount)
  }

  private static let units: [String: Double] = [
    "": 1, "k": 1e3, "m": 1e6, "g": 1e9, "kb": 1e3, "mb": 1e6, "gb": 1e9, "kib": 1024, "mib": 1_048_576, "gib": 1_073_741_824,
  ]

  /// The form in which `--help` shows a default.
  static func text(_ value: Int, isBytes: Bool) -> String {
    if isBytes && value % 1_048_576 == 0 { return "\(value / 1_048_576)MiB" }
    return value >= 1_000_000 && value % 1_000_000 == 0 ? "\(value / 1_000_000)M" : "\(value)"
  }
}

extension NameSpecification {
  fileprivate static func limit(_ field: String) -> NameSpecification {
    guard !FastPath.isActive, let row = LimitOptions.row(field) else { return .long }
    return NameSpecification(row.names.map { .customLong($0) })
  }
}

extension ArgumentHelp {
  fileprivate static func limit(_ field: String) -> ArgumentHelp {
    guard !FastPath.isActive, let row = LimitOptions.row(field) else { return "" }
    let value = Amount.text(Limits()[keyPath: row.limit], isBytes: row.isBytes)
    return ArgumentHelp("\(row.help) (default: \(value)).", valueName: row.isBytes ? "bytes" : "n")
  }
}
