public import OffprintCoreTypes
public import OffprintDOM

extension Document {
  /// Applies the animations of SVG elements at a time, as attributes.
  ///
  /// https://svgwg.org/specs/animations/
  public mutating func animate(to time: AnimationTime) {
    let found = animationElements
    guard !found.isEmpty else { return }
    var frame = SMILFrame(self, at: time)
    for index in found { frame.collect(NodeID(index)) }
    frame.show(in: &self)
  }

  private var animationElements: [Int] {
    let known = ["animate", "set", "animateTransform", "animateMotion", "animateColor"].compactMap { names.lookup(Array($0.utf8)[...]) }
    guard !known.isEmpty else { return [] }
    return nodes.indices.filter { nodes[$0].kind == .element && nodes[$0].namespace == .svg && known.contains(nodes[$0].name) }
  }

  /// Whether it has animations of SVG elements.
  public var hasAnimationElements: Bool { !animationElements.isEmpty }

  /// How long the animations of SVG elements last.
  public var animationLengths: AnimationLengths {
    var lengths = AnimationLengths()
    let found = animationElements
    guard !found.isEmpty else { return lengths }
    var frame = SMILFrame(self, at: .end)
    for index in found { frame.addLength(of: NodeID(index), to: &lengths) }
    return lengths
  }

  /// Sets an attribute without a namespace.
  mutating func setAttribute(_ name: String, _ node: NodeID, _ value: String) {
    let start = UInt32(truncatingIfNeeded: text.count)
    text.append(contentsOf: value.utf8)
    let range = TextRange(start: start, end: UInt32(truncatingIfNeeded: text.count)), name = names.intern(name)
    let own = nodes[node.index].attributes
    for index in own.range where attributes[index].name == name && attributes[index].namespace == .none {
      attributes[index].value = range
      return
    }
    let first = UInt32(truncatingIfNeeded: attributes.count)
    attributes.append(contentsOf: Array(attributes[own.range]))
    attributes.append(Attribute(name: name, namespace: .none, value: range))
    nodes[node.index].attributes = TextRange(start: first, end: UInt32(truncatingIfNeeded: attributes.count))
  }
}

/// The animations of a document that have an effect at a time.
private struct SMILFrame {
  private enum Change {
    case attribute(String, SMILValues)
    case transform(String, type: String, SMILValues)
    /// Declarations.
    case motion(String)
  }
  private struct Effect {
    var target: NodeID
    var timing: SMILTiming
    var change: Change
    /// `additive`
    var isSum: Bool
  }

  private let document: Document
  private let time: AnimationTime
  private var clock: SMILClock
  private var effects: [Effect] = []
  private static let maximum = 10_000

  init(_ document: Document, at time: AnimationTime) {
    self.document = document
    self.time = time
    var ids: [ByteString: NodeID] = [:]
    for index in document.nodes.indices where document.nodes[index].kind == .element {
      guard let id = document.attribute(.id, of: NodeID(index)), !id.isEmpty else { continue }
      let key = String(decoding: id, as: UTF8.self)
      if ids[key] == nil { ids[key] = NodeID(index) }
    }
    clock = SMILClock(document, ids: ids)
  }

  private func text(_ name: String, _ node: NodeID) -> String? { document.plainAttribute(name, node) }

  // MARK: Reading

  mutating func collect(_ node: NodeID) {
    guard effects.count < Self.maximum, let target = target(node), let timing = SMILTiming(node, &clock, at: time),
      let change = change(node, timing)
    else { return }
    effects.append(Effect(target: target, timing: timing, change: change, isSum: text("additive", node) == "sum"))
  }

  mutating func addLength(of node: NodeID, to lengths: inout AnimationLengths) {
    let own = clock.lengths(node)
    guard let begin = clock.lastBegin(node, own, until: .infinity) else { return }
    let active = own.active(from: begin)
    // Without an end and a simple duration, such as `set`, only the begin is a change.
    if active.isFinite {
      lengths.add(finite: begin + active)
    } else {
      lengths.add(period: max(begin, 0) + (clock.duration("dur", node) ?? 0))
    }
  }

  /// https://svgwg.org/specs/animations/#TargetElement
  private func target(_ node: NodeID) -> NodeID? {
    var target = document.parentElement(of: node)
    if let value = document.attribute(.href, of: node) ?? document.attribute(.href, .xlink, of: node) {
      let url = String(decoding: value.trimmingSpaces, as: UTF8.self)
      guard url.hasPrefix("#"), let named = clock.ids[String(url.dropFirst())] else { return nil }
      target = named
    }
    return !target.isNone && document[target].namespace == .svg ? target : nil
  }

  private func change(_ node: NodeID, _ timing: SMILTiming) -> Change? {
    let element = document.names.string(document[node].name)
    switch element {
    case "animateMotion": return motion(node, timing).map { .motion($0) }
    case "animateTransform":
      let name = text("attributeName", node) ?? "transform", type = text("type", node) ?? "translate"
      guard ["transform", "gradientTransform", "patternTransform"].contains(name),
        ["translate", "scale", "rotate", "skewX", "skewY"].contains(type),
        let values = SMILValues(document, node, normalize: { SVGNumbers.transformArguments($0, of: type) })
      else { return nil }
      return .transform(name, type: type, values)
    default:
      guard let name = text("attributeName", node), !name.isEmpty, !name.hasPrefix("on"), name != "style", name != "id",
        let values = SMILValues(document, node, isSet: element == "set")
      else { return nil }
      return .attribute(name.hasPrefix("xlink:") ? String(name.dropFirst(6)) : name, values)
    }
  }

  /// Declarations that put an element onto a path. https://svgwg.org/specs/animations/#AnimateMotionElement
  private func motion(_ node: NodeID, _ timing: SMILTiming) -> String? {
    var path: String?
    if let mpath = document.elementChildren(of: node).first(where: { document.names.string(document[$0].name) == "mpath" }) {
      let value = document.attribute(.href, of: mpath) ?? document.attribute(.href, .xlink, of: mpath)
      path = value.map { String(decoding: $0.trimmingSpaces, as: UTF8.self) }.flatMap { isSafe($0) ? "url(\($0))" : nil }
    } else if let data = text("path", node) {
      path = isSafe(data) ? "path('\(data)')" : nil
    } else if let points = points(node) {
      path = "path('M\(points.map { "\(SVGNumbers.text($0.0)) \(SVGNumbers.text($0.1))" }.joined(separator: "L"))')"
    }
    guard let path else { return nil }
    // A motion path begins again at 100 % if it is closed; this one ends there, in the direction of its last segment.
    let progress = min(motionProgress(node, timing), 0.999999)
    let rotate: String
    // Chromium does not rotate along `values`.
    let isAlongValues = text("path", node) == nil && text("values", node) != nil && !path.hasPrefix("url(")
    switch isAlongValues ? nil : text("rotate", node) {
    case "auto": rotate = "auto"
    case "auto-reverse": rotate = "reverse"
    case let angle?: rotate = SVGNumbers.text(Double(angle) ?? 0) + "deg"
    case nil: rotate = "0deg"
    }
    return "offset-path:\(path);offset-distance:\(SVGNumbers.text(progress * 100))%;offset-rotate:\(rotate)"
  }

  /// The fraction of the path's length.
  private func motionProgress(_ node: NodeID, _ timing: SMILTiming) -> Double {
    let hasPath =
      text("path", node) != nil || document.elementChildren(of: node).contains { document.names.string(document[$0].name) == "mpath" }
    let stops = SVGNumbers.list((text("keyPoints", node) ?? "").replacing(";", with: " "))
    let points = hasPath ? [] : points(node) ?? []
    var places = hasPath ? [0, 1] : Self.lengths(points)
    if !stops.isEmpty { places = stops }
    let pacing = SMILPacing(document, node, count: places.count, defaultMode: .paced)
    // Chromium ignores key points in the mode `paced`, which is the default here.
    if pacing.mode == .paced { return timing.progress }
    let (index, part) = pacing.segment(timing.progress)
    guard places.indices.contains(index) else { return timing.progress }
    return places.indices.contains(index + 1) ? places[index] + (places[index + 1] - places[index]) * part : places[index]
  }

  /// The part of the length of a line at each of its points.
  private static func lengths(_ points: [(Double, Double)]) -> [Double] {
    var lengths = [0.0]
    for (a, b) in zip(points, points.dropFirst()) {
      lengths.append((lengths.last ?? 0) + ((a.0 - b.0) * (a.0 - b.0) + (a.1 - b.1) * (a.1 - b.1)).squareRoot())
    }
    let total = lengths.last ?? 0
    return total > 0 ? lengths.map { $0 / total } : lengths
  }

  private func points(_ node: NodeID) -> [(Double, Double)]? {
    func point(_ text: some StringProtocol) -> (Double, Double)? {
      let numbers = SVGNumbers.list(text)
      return numbers.count == 2 ? (numbers[0], numbers[1]) : nil
    }
    if let values = text("values", node) {
      let points = values.split(byte: ";").prefix(4096).map { point($0) }
      return points.isEmpty || points.contains { $0 == nil } ? nil : points.compactMap { $0 }
    }
    let from = text("from", node).flatMap { point($0) } ?? (0, 0)
    if let to = text("to", node).flatMap({ point($0) }) { return [from, to] }
    return text("by", node).flatMap { point($0) }.map { [from, (from.0 + $0.0, from.1 + $0.1)] }
  }

  /// Nothing that would end the declaration it is put into.
  private func isSafe(_ value: String) -> Bool {
    value.utf8.count < 1 << 20 && value.utf8.allSatisfy { $0 >= 0x20 && !"'\"\\;(){}<>".utf8.contains($0) || $0 == 0x0A || $0 == 0x09 }
  }

  // MARK: Showing

  /// Later begins are above earlier ones. https://www.w3.org/TR/SMIL3/smil-animation.html#animationNS-AnimationSandwichModel
  func show(in document: inout Document) {
    let order = effects.indices.sorted { (effects[$0].timing.begin, $0) < (effects[$1].timing.begin, $1) }
    for index in order {
      let effect = effects[index]
      switch effect.change {
      case .attribute(let name, let values):
        let isColor = SVGHints.colors.contains(name)
        guard
          let (text, isSum) = values.value(
            at: effect.timing, isColor: isColor, underlying: Self.underlying(name, effect.target, document)), text.utf8.count < 1 << 20
        else { continue }
        let added = isSum || effect.isSum ? added(text, name, isColor: isColor, effect.target, document) : text
        set(name, added, effect.target, &document)
      case .transform(let name, let type, let values):
        // Without `from`, Chromium starts at arguments of zero.
        let zero = SVGNumbers.transformArguments("0", of: type)
        guard let (text, isBy) = values.value(at: effect.timing, isColor: false, underlying: zero), isSafe(text) else { continue }
        let base = effect.isSum || isBy ? document.plainAttribute(name, effect.target) ?? "" : ""
        guard base.utf8.count < 4096 else { continue }
        document.setAttribute(name, effect.target, "\(base) \(type)(\(text))")
      case .motion(let declarations): add(declarations, effect.target, &document)
      }
    }
  }

  /// The underlying value of an animation, taken from attributes.
  private static func underlying(_ name: String, _ target: NodeID, _ document: Document) -> String? {
    if SVGHints.isProperty(name), let style = document.plainAttribute("style", target) {
      let declaration = style.split(byte: ";").last { $0.split(byte: ":").first.map { String($0).trimmingHTMLSpaces == name } ?? false }
      if let value = declaration?.split(byte: ":").last { return String(value).trimmingHTMLSpaces }
    }
    if let value = document.plainAttribute(name, target) { return value }
    switch name {
    case "opacity", "fill-opacity", "stroke-opacity", "stop-opacity", "flood-opacity", "stroke-width": return "1"
    case "fill", "stop-color", "flood-color", "color": return "black"
    case "lighting-color": return "white"
    default: return SVGHints.colors.contains(name) ? nil : "0"
    }
  }

  private func added(_ text: String, _ name: String, isColor: Bool, _ target: NodeID, _ document: Document) -> String {
    if isColor { return Self.underlying(name, target, document).map { SMILValues.colorSum(text, $0) } ?? text }
    return document.plainAttribute(name, target).map { SMILValues.sum($0, text) } ?? text
  }

  /// Presentation properties are set above all style sheets; other attributes are set directly.
  private func set(_ name: String, _ value: String, _ target: NodeID, _ document: inout Document) {
    guard SVGHints.isProperty(name) else { return document.setAttribute(name, target, value) }
    guard value.utf8.allSatisfy({ !";{}!\\<>".utf8.contains($0) }) else { return }
    var number = SVGNumberScanner(value.utf8)
    let isNumber = number.number() != nil && number.isAtEnd
    add("\(name):\(value)\(isNumber && SVGHints.takesLengths(name) ? "px" : "")", target, &document)
  }

  private func add(_ declarations: String, _ target: NodeID, _ document: inout Document) {
    let style = document.plainAttribute("style", target).map { $0 + ";" } ?? ""
    guard style.utf8.count < 1 << 16 else { return }
    document.setAttribute("style", target, style + declarations)
  }
}
