import OffprintCoreTypes
import OffprintDOM

/// Constraint validation of form controls with their initial values.
/// https://html.spec.whatwg.org/multipage/form-control-infrastructure.html#constraints
extension ElementStates {
  private static let barredTypes = ["hidden", "reset", "button"]
  private static let typesWithPattern = ["text", "search", "url", "tel", "email", "password"]
  private static let textTypes =
    typesWithPattern + ["number", "range", "color", "checkbox", "radio", "file", "submit", "image"] + dateTypes

  /// Whether an element is valid; nil if it is not a candidate for validation. Forms and field sets are valid if all of their controls are.
  static func isValid(_ tree: ElementTree, _ element: UInt32) -> Bool? {
    if tree[element].name == .form || tree[element].name == .fieldset { return hasValidControls(tree, element) }
    guard isCandidate(tree, element) else { return nil }
    return !suffers(tree, element)
  }

  /// https://html.spec.whatwg.org/multipage/form-control-infrastructure.html#candidate-for-constraint-validation
  private static func isCandidate(_ tree: ElementTree, _ element: UInt32) -> Bool {
    switch tree[element].name {
    case .input: if barredTypes.contains(inputType(tree, element)) { return false }
    case .button: if !isSubmitButton(tree, element) { return false }
    case .select, .textarea: break
    default: return false
    }
    if isDisabled(tree, element) || tree.hasAttribute(.readonly, element) { return false }
    var ancestor = tree[element].parent
    while ancestor != ElementInfo.none, tree.meter.spend() {
      if tree.isHTML(ancestor, .datalist) { return false }
      ancestor = tree[ancestor].parent
    }
    return true
  }

  private static func hasValidControls(_ tree: ElementTree, _ element: UInt32) -> Bool {
    if let cached = tree.validGroups[element] { return cached }
    var isValid = true
    var control = tree.nextInPreOrder(element, within: element)
    while isValid, control != ElementInfo.none, tree.meter.spend() {
      if tree[control].namespace == .html, isCandidate(tree, control), !tree.hasAttribute(.form, control) {
        isValid = !suffers(tree, control)
      }
      control = tree.nextInPreOrder(control, within: element)
    }
    tree.validGroups[element] = isValid
    return isValid
  }

  private static func suffers(_ tree: ElementTree, _ element: UInt32) -> Bool {
    if isMissingValue(tree, element) { return true }
    guard tree[element].name == .input else { return false }
    return isInRange(tree, element) == false || isOffStep(tree, element) || isMistyped(tree, element)
      || isAgainstPattern(tree, element)
  }

  // MARK: Values

  /// https://html.spec.whatwg.org/multipage/input.html#value-sanitization-algorithm
  private static func value(_ tree: ElementTree, _ element: UInt32) -> [UInt8] {
    let type = inputType(tree, element)
    let text = (tree.attribute(.value, element).map { Array($0) } ?? []).filter { $0 != 0x0A && $0 != 0x0D }
    if let numbers = FieldNumber(type: type) { return numbers.value(text) == nil ? [] : text }
    return type == "email" || type == "url" ? Array(text.trimmingHTMLSpaces) : text
  }

  /// https://html.spec.whatwg.org/multipage/form-control-infrastructure.html#suffering-from-being-missing
  private static func isMissingValue(_ tree: ElementTree, _ element: UInt32) -> Bool {
    guard tree.hasAttribute(.required, element) else { return false }
    switch tree[element].name {
    case .textarea: return tree.document.nodes[Int(element)].firstChild.isNone
    case .select: return lacksSelection(tree, element)
    case .input: break
    default: return false
    }
    switch inputType(tree, element) {
    case "checkbox": return !tree.hasAttribute(.checked, element)
    case "radio": return !tree.radioGroups.hasChecked(NodeID(raw: element))
    case "file": return true
    case "range", "color", "submit", "image": return false
    default: return value(tree, element).isEmpty
    }
  }

  /// Whether nothing is selected, or only the placeholder label option.
  /// https://html.spec.whatwg.org/multipage/form-elements.html#placeholder-label-option
  private static func lacksSelection(_ tree: ElementTree, _ select: UInt32) -> Bool {
    let isList = tree.hasAttribute(.multiple, select) || tree.hasAttribute(.size, select)
    var element = tree[select].firstChild, first = true
    while element != ElementInfo.none, tree.meter.spend() {
      if tree.isHTML(element, .option) {
        let isPlaceholder = first && !isList && tree[element].parent == select && optionValue(tree, element).isEmpty
        if isChecked(tree, element) { return isPlaceholder }
        first = false
      }
      element = tree.nextInPreOrder(element, within: select)
    }
    return true
  }

  private static func optionValue(_ tree: ElementTree, _ option: UInt32) -> [UInt8] {
    if let value = tree.attribute(.value, option) { return Array(value) }
    let child = tree.document.nodes[Int(option)].firstChild
    guard !child.isNone else { return [] }
    return Array(tree.bytes(tree.document.nodes[child.index].data).trimmingHTMLSpaces)
  }

  // MARK: Ranges

  /// Whether the value of a control is between its limits; nil if the control has no limits. Chromium treats empty values as in range, even
  /// without limits.
  /// https://html.spec.whatwg.org/multipage/input.html#the-min-and-max-attributes
  static func isInRange(_ tree: ElementTree, _ element: UInt32) -> Bool? {
    guard tree[element].name == .input, let numbers = FieldNumber(type: inputType(tree, element)), isCandidate(tree, element) else {
      return nil
    }
    func number(_ name: Name) -> Double? { tree.attribute(name, element).flatMap { numbers.value($0) } }
    // A range control always has a value, which is clamped to its limits.
    if numbers.kind == .range { return true }
    guard let value = number(.value) else { return true }
    let low = number(.min), high = number(.max)
    guard low != nil || high != nil else { return nil }
    if numbers.kind == .time, let low, let high, low > high { return value >= low || value <= high }
    return (low.map { value >= $0 } ?? true) && (high.map { value <= $0 } ?? true)
  }

  /// https://html.spec.whatwg.org/multipage/input.html#attr-input-step
  private static func isOffStep(_ tree: ElementTree, _ element: UInt32) -> Bool {
    guard let numbers = FieldNumber(type: inputType(tree, element)), numbers.kind != .range,
      let value = tree.attribute(.value, element).flatMap({ numbers.value($0) }),
      let base = tree.attribute(.min, element).flatMap({ numbers.value($0) })
    else { return false }
    let given = tree.attribute(.step, element)
    if let given, equalsIgnoringCase(given, "any".utf8) { return false }
    let step =
      given.flatMap { $0.count < 64 ? HTMLMicrosyntax.validFloatingPoint(Array($0)) : nil }.flatMap { $0 > 0 ? $0 : nil }
      ?? numbers.defaultStep
    let steps = (value - base) / step
    return abs(steps - steps.rounded()) > 1e-7 * max(1, abs(steps))
  }

  // MARK: Texts

  private static func isMistyped(_ tree: ElementTree, _ element: UInt32) -> Bool {
    let type = inputType(tree, element)
    guard type == "email" || type == "url" else { return false }
    let value = value(tree, element)
    if value.isEmpty { return false }
    guard type == "email" else { return !isAbsoluteURL(value) }
    let addresses = tree.hasAttribute(.multiple, element) ? value.split(separator: 0x2C, omittingEmptySubsequences: false) : [value[...]]
    return !addresses.allSatisfy { isAddress($0.trimmingHTMLSpaces) }
  }

  /// https://html.spec.whatwg.org/multipage/input.html#valid-e-mail-address
  private static func isAddress(_ text: ArraySlice<UInt8>) -> Bool {
    guard let at = text.firstIndex(of: 0x40), at > text.startIndex else { return false }
    func isAlphanumeric(_ byte: UInt8) -> Bool { isDigit(byte) || (0x61...0x7A).contains(byte | 0x20) }
    let local = text[..<at].allSatisfy { isAlphanumeric($0) || ".!#$%&'*+/=?^_`{|}~-".utf8.contains($0) }
    return local
      && text[(at + 1)...].split(separator: 0x2E, omittingEmptySubsequences: false).allSatisfy { label in
        guard let first = label.first, let last = label.last, label.count <= 63 else { return false }
        return isAlphanumeric(first) && isAlphanumeric(last) && label.allSatisfy { isAlphanumeric($0) || $0 == 0x2D }
      }
  }

  /// Whether the text has a scheme and, for special schemes, a host. https://url.spec.whatwg.org/#absolute-url-string
  private static func isAbsoluteURL(_ text: [UInt8]) -> Bool {
    guard let colon = text.firstIndex(of: 0x3A), let first = text.first, (0x61...0x7A).contains(first | 0x20) else { return false }
    let scheme = text[..<colon].map(asciiLowercased)
    guard scheme.allSatisfy({ isDigit($0) || (0x61...0x7A).contains($0) || $0 == 0x2B || $0 == 0x2D || $0 == 0x2E }) else { return false }
    guard ["http", "https", "ws", "wss", "ftp"].contains(String(decoding: scheme, as: UTF8.self)) else { return true }
    let rest = text[(colon + 1)...].drop { $0 == 0x2F || $0 == 0x5C }
    let host = rest.prefix { $0 != 0x2F && $0 != 0x5C && $0 != 0x3F && $0 != 0x23 }
    return !host.isEmpty && host.first != 0x3A && !host.contains { $0 <= 0x20 || $0 == 0x3C || $0 == 0x3E || $0 == 0x5E || $0 == 0x7C }
  }

  /// https://html.spec.whatwg.org/multipage/input.html#the-pattern-attribute
  private static func isAgainstPattern(_ tree: ElementTree, _ element: UInt32) -> Bool {
    guard let pattern = tree.attribute(.pattern, element) else { return false }
    let type = inputType(tree, element)
    guard typesWithPattern.contains(type) || !textTypes.contains(type) else { return false }
    let text = value(tree, element)
    guard !text.isEmpty, tree.meter.spend(2000 + pattern.count + text.count) else { return false }
    let values =
      type == "email" && tree.hasAttribute(.multiple, element) ? text.split(separator: 0x2C).map { $0.trimmingHTMLSpaces } : [text[...]]
    let expression = String(decoding: pattern, as: UTF8.self)
    return values.prefix(100).contains { RegularExpression.matchesWhole(expression, String(decoding: $0, as: UTF8.self)) == false }
  }

  // MARK: Default buttons

  /// https://html.spec.whatwg.org/multipage/form-elements.html#concept-submit-button
  static func isSubmitButton(_ tree: ElementTree, _ element: UInt32) -> Bool {
    if tree[element].name == .input { return ["submit", "image"].contains(inputType(tree, element)) }
    guard tree[element].name == .button else { return false }
    guard let type = tree.attribute(.type, element) else { return true }
    return !equalsIgnoringCase(type, "reset".utf8) && !equalsIgnoringCase(type, "button".utf8)
  }

  /// Whether the element is the first submit button of its form.
  /// https://html.spec.whatwg.org/multipage/form-control-infrastructure.html#default-button
  static func isDefaultButton(_ tree: ElementTree, _ element: UInt32) -> Bool {
    var form = tree[element].parent
    while form != ElementInfo.none, !tree.isHTML(form, .form) { form = tree[form].parent }
    guard form != ElementInfo.none else { return false }
    if let cached = tree.defaultButtons[form] { return cached == element }
    var button = tree.nextInPreOrder(form, within: form)
    while button != ElementInfo.none, tree.meter.spend(), !(tree[button].namespace == .html && isSubmitButton(tree, button)) {
      button = tree.nextInPreOrder(button, within: form)
    }
    tree.defaultButtons[form] = button
    return button == element
  }
}
