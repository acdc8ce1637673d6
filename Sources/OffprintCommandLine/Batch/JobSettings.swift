import ArgumentParser
import OffprintCoreTypes
import OffprintConfiguration
import Offprint

/// The options of a job, which override those of the command.
struct JobSettings {
  var page: PageOptions
  var policy: CachePolicy
  var identifier: String?
  /// The template's data, if it is inline in the job.
  var data: [UInt8]?

  /// The limits of `page`; nil if the job sets its own.
  private var limits: Limits?

  init(_ defaults: JobDefaults) { (page, policy, limits) = (defaults.page, defaults.policy, defaults.limits) }

  /// Sets an option by its name in `render`.
  mutating func set(_ name: String, _ value: JSONValue, at place: String) throws(OffprintError) {
    guard let option = JobOption.byName[name] else {
      if JobOption.ofTheRun.contains(name) {
        throw OffprintError(.dataInvalid, "\(place): \"\(name)\" can only be set for all jobs, with --\(name).")
      }
      let nearest = NearestName.of(name, in: Array(JobOption.byName.keys) + JobHead.ownNames).map { "; did you mean \"\($0)\"?" } ?? "."
      throw OffprintError(.dataInvalid, "\(place): there is no option \"\(Sentence.fit(name))\"\(nearest)")
    }
    guard option.set(&self, value) else {
      throw OffprintError(.dataInvalid, "\(place): \"\(name)\" must be \(option.expected).")
    }
    if option.changesLimits { limits = nil }
  }

  /// - Throws: `dataInvalid` for mutually exclusive options.
  mutating func check(_ place: String) throws(OffprintError) {
    do {
      try page.validate()
      if limits == nil { try page.limits.validate() }
      try page.encoding.validate()
    } catch {
      throw OffprintError(.dataInvalid, "\(place): \(error)")
    }
  }

  func apply(to request: inout RenderRequest) throws(OffprintError) {
    // Set first, because the template may derive the size of its page from the data.
    if let data { request.data = data }
    try page.apply(to: &request, limits: limits)
    request.identifier = identifier
    request.cachePolicy = policy
  }
}

extension PageOptions {
  /// A job's own option also replaces options of the command that are mutually exclusive with it.
  mutating func dropRivals(of name: String, unlessIn isOwn: (String) -> Bool) {
    switch name {
    case "selector": if !isOwn("clip") { clip = nil }
    case "clip": if !isOwn("selector") { selector = nil }
    case "background": if !isOwn("transparent") && !isOwn("omit-background") { transparent = false }
    case "transparent", "omit-background": if !isOwn("background") { background = nil }
    case "quality": if !isOwn("lossless") { encoding.lossless = false }
    case "lossless": if !isOwn("quality") { encoding.quality = nil }
    case "width", "height":
      guard let size = windowSize, !isOwn("window-size") else { return }
      (width, height, windowSize) = (size.width, size.height, nil)
    case "window-size":
      if !isOwn("width") { width = nil }
      if !isOwn("height") { height = nil }
    default: break
    }
  }
}

/// How a job sets an option of `render`.
struct JobOption: Sendable {
  let names: [String]
  /// The expected value, for messages.
  let expected: String
  /// - Returns: False if the value is invalid.
  let set: @Sendable (inout JobSettings, JSONValue) -> Bool
  var changesLimits = false

  static let byName = Dictionary(table.flatMap { option in option.names.map { ($0, option) } }) { first, _ in first }

  /// Options of `render` that apply to a whole run.
  static let ofTheRun: Set = [
    "cache", "cache-max-size", "cache-max-age", "fonts", "font-path", "system-fonts", "allow-host", "quiet", "json", "templates", "tier",
    "tier-read-only",
  ]

  static let table: [JobOption] =
    [
      value("width", at: \.page.width, "a number of px above 0 or \"auto\""),
      value("height", at: \.page.height, "a number of px above 0 or \"auto\""),
      value("window-size", at: \.page.windowSize, "\"w,h\""),
      value("viewport-height", at: \.page.viewportHeight, "a number of px above 0"),
      value("max-width", at: \.page.maxWidth, "a number of px above 0"),
      value("scale", "device-scale-factor", "zoom", at: \.page.scale, "a number above 0 and at most 16"),
      value("background", at: \.page.background, "a CSS color or \"transparent\""),
      flag("transparent", "omit-background") { $0.page.transparent = $1 },
      value("selector", at: \.page.selector, "a selector"), value("clip", at: \.page.clip, "\"x,y,w,h\""),
      list(["css", "stylesheet"], "a file name or a list of them") { $0.page.css += $1 },
      value("template", at: \.page.template, "a template's name or file"),
      JobOption(names: ["set"], expected: "an object", set: setAttributes),
      JobOption(names: ["data"], expected: "an object or a file name", set: setData),
      value("color-scheme", at: \.page.colorScheme, "\"light\" or \"dark\""), value("media", at: \.page.media, "\"screen\" or \"print\""),
      JobOption(names: ["media-feature"], expected: "\"name=value\" or a list of these", set: setMediaFeatures),
      value("glyph-positions", at: \.page.glyphPositions, "\"subpixel\" or \"whole\""),
      value("at", at: \.page.time, "a time as \"500ms\" or \"1.5s\", or \"end\""),
      value("base-url", at: \.page.baseURL, "a folder"), list(["allow-files"], "a folder or a list of them") { $0.page.allowFiles = $1 },
      value("timeout", at: \.page.timeout, "a time such as \"5s\" or \"500ms\"", changesLimits: true),
      flag("strict") { $0.page.strict = $1 },
      JobOption(
        names: ["fail-on"], expected: "a code of a diagnostic, such as \"scriptIgnored\", or a list of these", set: setFatalDiagnostics),
      value("save-html", at: \.page.saveHTML, "a folder"), value("identifier", at: \.identifier, "a string"),
      value("format", at: \.page.encoding.format, "\"png\", \"apng\", \"gif\", \"webp\", \"jpeg\", \"avif\", \"pdf\", \"svg\" or \"raw\""),
      value("page-size", at: \.page.pageSize, "a size such as \"A4\", \"A5 landscape\" or \"210mm 297mm\""),
      value("margin", at: \.page.margin, "one to four lengths"),
      value("quality", at: \.page.encoding.quality, "0 to 100"), flag("lossless") { $0.page.encoding.lossless = $1 },
      flag("progressive") { $0.page.encoding.progressive = $1 },
      flag("animate") { $0.page.encoding.animate = $1 },
      value("duration", at: \.page.encoding.duration, "a time such as \"5s\" or \"500ms\""),
      value("fps", at: \.page.encoding.framesPerSecond, "1 to 60"),
      value("loop", at: \.page.encoding.loop, "1 to 65535 or \"forever\""),
      value("poster", at: \.page.encoding.poster, "a time as \"500ms\" or \"1.5s\", or \"end\""),
      flag("dither") { $0.page.encoding.dither = $1 },
      value("icc", at: \.page.encoding.profile, "a file name"),
      value("compression", at: \.page.encoding.compression, "\"fast\", \"balanced\" or \"small\""),
      JobOption(names: ["tag", "tags"], expected: "a tag or a list of at most 32", set: setTags),
      flag("no-cache") { if $1 { $0.policy = .none } }, flag("refresh") { if $1 && $0.policy != .none { $0.policy = .refresh } },
    ] + LimitOptions.table.map(limit)

  /// Converts the cell of a table, which is always text, to the option's type.
  ///
  /// - Throws: `dataInvalid` for JSON with a number out of range, or nested too deep.
  static func cell(_ name: String, _ value: JSONValue, at place: String) throws(OffprintError) -> JSONValue {
    guard case .string(let text) = value, let option = byName[name] else { return value }
    if option.expected == "true or false" {
      return switch text.lowercased() {
      case "true", "yes", "1", "x": .bool(true)
      case "false", "no", "0": .bool(false)
      default: value
      }
    }
    guard name == "set" || name == "data", text.utf8.first == UInt8(ascii: "{") else { return value }
    do throws(JSONError) {
      return try JSONValue(checking: Array(text.utf8))
    } catch .malformed {
      return value  // a file name
    } catch {
      throw OffprintError(.dataInvalid, "\(place): \"\(name)\" \(error.predicate).")
    }
  }

  private static func value<Value: ExpressibleByArgument>(
    _ names: String..., at path: any WritableKeyPath<JobSettings, Value?> & Sendable, _ expected: String, changesLimits: Bool = false
  ) -> JobOption {
    let set = { @Sendable (settings: inout JobSettings, json: JSONValue) in
      guard let value = json.argument.flatMap({ Value(argument: $0) }) else { return false }
      settings[keyPath: path] = value
      return true
    }
    return JobOption(names: names, expected: expected, set: set, changesLimits: changesLimits)
  }

  private static func flag(_ names: String..., set: @escaping @Sendable (inout JobSettings, Bool) -> Void) -> JobOption {
    JobOption(names: names, expected: "true or false") { settings, json in
      guard let value = json.bool else { return false }
      set(&settings, value)
      return true
    }
  }

  private static func list(
    _ names: [String], _ expected: String, set: @escaping @Sendable (inout JobSettings, [String]) -> Void
  ) -> JobOption {
    JobOption(names: names, expected: expected) { settings, json in
      let values: [JSONValue] = if case .array(let values) = json { values } else { [json] }
      let texts = values.compactMap(\.string)
      guard texts.count == values.count else { return false }
      set(&settings, texts)
      return true
    }
  }

  private static func limit(_ row: LimitOptions.Row) -> JobOption {
    let path = row.option
    let set = { @Sendable (settings: inout JobSettings, json: JSONValue) in
      guard let amount = json.argument.flatMap({ Amount(argument: $0) }) else { return false }
      settings.page.limits[keyPath: path] = amount
      return true
    }
    return JobOption(names: row.names, expected: "1 to \(row.maximum)", set: set, changesLimits: true)
  }

  @Sendable private static func setMediaFeatures(_ settings: inout JobSettings, _ json: JSONValue) -> Bool {
    let values: [JSONValue] = if case .array(let values) = json { values } else { [json] }
    let features = values.compactMap { $0.string.flatMap { MediaFeature($0) } }
    settings.page.mediaFeatures += features
    return features.count == values.count
  }

  @Sendable private static func setFatalDiagnostics(_ settings: inout JobSettings, _ json: JSONValue) -> Bool {
    let values: [JSONValue] = if case .array(let values) = json { values } else { [json] }
    let codes = values.compactMap { $0.string.flatMap { RenderRequest.FatalDiagnostic(rawValue: $0) } }
    settings.page.failOn += codes
    return codes.count == values.count
  }

  @Sendable private static func setAttributes(_ settings: inout JobSettings, _ json: JSONValue) -> Bool {
    guard case .object(let values) = json else { return false }
    for key in values.keys.sorted() {
      guard let value = values[key] else { continue }
      settings.page.set.append(Assignment(key: key, value: value.argument ?? value.bool.map { "\($0)" } ?? ""))
    }
    return true
  }

  @Sendable private static func setTags(_ settings: inout JobSettings, _ json: JSONValue) -> Bool {
    let values: [JSONValue] = if case .array(let values) = json { values } else { [json] }
    let tags = values.compactMap(\.string)
    guard tags.count == values.count, tags.count <= 32, tags.allSatisfy(PageOptions.isTag) else { return false }
    settings.page.tags += tags
    return true
  }

  /// A file's name, or the data themselves.
  @Sendable private static func setData(_ settings: inout JobSettings, _ json: JSONValue) -> Bool {
    switch json {
    case .string(let path):
      guard path != "-" else { return false }
      settings.page.data = path
    case .object, .array:
      settings.page.data = nil
      settings.data = Array(json.text.utf8)
    default: return false
    }
    return true
  }
}
