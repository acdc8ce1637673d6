import OffprintCSS
import OffprintCoreTypes
import OffprintDOM

// The values that controls show.
extension BoxTreeBuilder {
  private func number(_ attribute: Name, _ node: NodeID) -> Double? {
    document.attribute(attribute, of: node).flatMap { HTMLMicrosyntax.floatingPoint($0) }
  }

  /// The number in an attribute of an `input`. Unlike elsewhere, the whole attribute must be a valid number.
  /// https://html.spec.whatwg.org/multipage/input.html#value-sanitization-algorithm
  private func fieldNumber(_ attribute: Name, _ node: NodeID) -> Double? {
    document.attribute(attribute, of: node).flatMap { FieldNumber(type: "range")?.value($0) }
  }

  /// https://html.spec.whatwg.org/multipage/input.html#range-state-(type=range)
  func rangeFraction(_ node: NodeID) -> Float {
    let low = fieldNumber(.min, node) ?? 0, high = max(low, fieldNumber(.max, node) ?? 100)
    var value = min(max(fieldNumber(.value, node) ?? (low + high) / 2, low), high)
    if let step = rangeStep(node) {
      value = low + ((value - low) / step).rounded(.toNearestOrAwayFromZero) * step
      if value > high { value = low + ((high - low) / step).rounded(.down) * step }
    }
    let fraction = Float((value - low) / (high - low))
    return high > low && fraction.isFinite ? fraction : 0
  }

  /// nil for `any`. https://html.spec.whatwg.org/multipage/input.html#concept-input-step
  private func rangeStep(_ node: NodeID) -> Double? {
    if let text = document.attribute(.step, of: node), equalsIgnoringCase(text, "any") { return nil }
    return fieldNumber(.step, node).flatMap { $0 > 0 ? $0 : nil } ?? 1
  }

  /// The positions of the valid options in a range's list of suggestions; nil without a list.
  /// https://html.spec.whatwg.org/multipage/input.html#attr-input-list
  mutating func rangeMarks(_ node: NodeID) -> [Float]? {
    guard let attribute = document.names.lookup(Array("list".utf8)[...]), let id = document.attribute(attribute, of: node), !id.isEmpty,
      let list = suggestionLists[Array(id)]
    else { return nil }
    let low = fieldNumber(.min, node) ?? 0, high = max(low, fieldNumber(.max, node) ?? 100), step = rangeStep(node)
    var marks: [Float] = []
    var option = document.nextInPreOrder(list, within: list)
    while !option.isNone, marks.count < Self.maximumMarks {
      if document.isHTMLElement(option, .option), !isSet(.disabled, option) {
        let text = document.attribute(.value, of: option).map { Array($0) } ?? textContent(option)
        if let value = FieldNumber(type: "range")?.value(text), value >= low, value <= high, high > low {
          let steps = (value - low) / (step ?? 1)
          if step == nil || abs(steps - steps.rounded()) < 1e-6 { marks.append(Float((value - low) / (high - low))) }
        }
      }
      option = document.nextInPreOrder(option, within: list)
    }
    return marks
  }

  private static var maximumMarks: Int { 1000 }

  /// The `datalist` elements by id. The first element with an id wins.
  static func suggestionLists(_ document: Document) -> [[UInt8]: NodeID] {
    var result: [[UInt8]: NodeID] = [:]
    for index in document.nodes.indices where document.isHTMLElement(NodeID(index), .datalist) {
      guard let id = document.attribute(.id, of: NodeID(index)).map({ Array($0) }), result[id] == nil else { continue }
      result[id] = NodeID(index)
    }
    return result
  }

  /// https://html.spec.whatwg.org/multipage/form-elements.html#the-progress-element
  func progressSymbol(_ node: NodeID) -> ControlSymbol {
    guard document.attribute(.value, of: node) != nil else { return .progress(nil) }
    let value = number(.value, node) ?? 0
    let given = number(.max, node) ?? 1, high = given > 0 ? given : 1
    return .progress(Float(min(max(value / high, 0), 1)))
  }

  /// https://html.spec.whatwg.org/multipage/form-elements.html#the-meter-element
  func meterSymbol(_ node: NodeID) -> ControlSymbol {
    let minimum = number(.min, node) ?? 0, maximum = max(minimum, number(.max, node) ?? 1)
    func clamp(_ value: Double, _ floor: Double) -> Double { min(max(value, floor), maximum) }
    let value = clamp(number(.value, node) ?? 0, minimum)
    let low = clamp(number(.low, node) ?? minimum, minimum), high = clamp(number(.high, node) ?? maximum, low)
    let optimum = clamp(number(.optimum, node) ?? (minimum + maximum) / 2, minimum)
    func region(_ value: Double) -> Int { value < low ? 0 : value <= high ? 1 : 2 }
    // The number of regions between the value and the optimum.
    let distance = abs(region(value) - region(optimum))
    let level = ControlSymbol.Level(rawValue: UInt8(min(distance, 2))) ?? .good
    return .meter(maximum > minimum ? Float((value - minimum) / (maximum - minimum)) : 0, level)
  }
}

/// The maximum number of characters in the value of a number field.
enum NumberFieldSize {
  /// nil if `min` and `max` do not bound it.
  static func columns(minimum: ArraySlice<UInt8>?, maximum: ArraySlice<UInt8>?, step: ArraySlice<UInt8>?) -> UInt16? {
    guard let minimum = size(minimum), let maximum = size(maximum) else { return nil }
    if let step, String(decoding: step, as: UTF8.self).lowercased() == "any" { return nil }
    let step = size(step) ?? (1, 0)
    let before = max(minimum.before, maximum.before, step.before), after = max(minimum.after, maximum.after, step.after)
    return UInt16(min(before + after + (after > 0 ? 1 : 0), 1000))
  }

  /// Characters before and after the decimal point.
  private static func size(_ text: ArraySlice<UInt8>?) -> (before: Int, after: Int)? {
    guard let text, FieldNumber(type: "number")?.value(text) != nil, !text.contains(where: { $0 | 0x20 == UInt8(ascii: "e") }) else {
      return nil
    }
    let parts = text.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    return (max(1, parts.first?.count ?? 1), parts.count > 1 ? parts[1].count : 0)
  }
}
