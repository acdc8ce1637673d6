import OffprintCoreTypes
import OffprintDOM

/// Pseudo-classes that depend on HTML semantics.
///
/// https://html.spec.whatwg.org/multipage/semantics-other.html#pseudo-classes
enum ElementStates {
  static func matches(_ part: SelectorPart, _ tree: ElementTree, _ element: UInt32) -> Bool {
    switch part.kind {
    case .empty: return isEmpty(tree, element)
    case .link: return isLink(tree, element)
    case .visited: return isLinkToItself(tree, element)
    case .defined: return isDefined(tree, element)
    case .target: return tree.document.target == NodeID(raw: element)
    case .dir: return (direction(of: element, tree) == .rtl) == (part.flag == 1)
    case .open:
      return [.details, .dialog].contains(tree[element].name) && tree[element].namespace == .html
        && tree.hasAttribute(.open, element)
    default: return tree[element].namespace == .html && matchesControl(part.kind, tree, element)
    }
  }

  private static func matchesControl(
    _ kind: SelectorPart.Kind, _ tree: ElementTree, _ element: UInt32
  ) -> Bool {
    switch kind {
    case .checked: return isChecked(tree, element)
    case .baseSelect: return tree.baseSelects.contains(element)
    case .disabled: return isDisableable(tree, element) && isDisabled(tree, element)
    case .enabled: return isDisableable(tree, element) && !isDisabled(tree, element)
    case .required: return isRequirable(tree, element) && tree.hasAttribute(.required, element)
    case .optional:
      // In Chromium buttons match too.
      return [.button, .input, .select, .textarea].contains(tree[element].name)
        && !(isRequirable(tree, element) && tree.hasAttribute(.required, element))
    case .readWrite: return isEditable(tree, element)
    case .readOnly: return !isEditable(tree, element)
    case .placeholderShown: return showsPlaceholder(tree, element)
    case .default: return isDefault(tree, element)
    case .indeterminate:
      if tree[element].name == .progress { return !tree.hasAttribute(.value, element) }
      return isInputType(tree, element, ["radio"]) && !tree.radioGroups.hasChecked(NodeID(raw: element))
    case .valid: return isValid(tree, element) == true
    case .invalid: return isValid(tree, element) == false
    case .inRange: return isInRange(tree, element) == true
    case .outOfRange: return isInRange(tree, element) == false
    default: return false
    }
  }

  private static func isEmpty(_ tree: ElementTree, _ element: UInt32) -> Bool {
    var child = tree.document.nodes[Int(element)].firstChild
    while !child.isNone, tree.meter.spend() {
      let node = tree.document.nodes[child.index]
      if node.kind == .element || (node.kind == .text && !node.data.isEmpty) { return false }
      child = node.nextSibling
    }
    return true
  }

  static func isLink(_ tree: ElementTree, _ element: UInt32) -> Bool {
    let info = tree[element]
    guard info.name == .a || info.name == .area else { return false }
    if info.namespace == .html { return tree.hasAttribute(.href, element) }
    return info.namespace == .svg
      && tree.attributes[tree.attributeRange(element)].contains { $0.name == .href }
  }

  /// Whether a link refers to the current page, the only page known to be visited. https://drafts.csswg.org/selectors-4/#visited-pseudo
  private static func isLinkToItself(_ tree: ElementTree, _ element: UInt32) -> Bool {
    guard isLink(tree, element), tree[element].namespace == .html else { return false }
    return tree.document.attribute(.href, of: NodeID(raw: element)).map { $0.trimmingSpaces.isEmpty } ?? false
  }

  private static func isDefined(_ tree: ElementTree, _ element: UInt32) -> Bool {
    guard tree[element].namespace == .html else { return true }
    return !tree.document.names[tree[element].name].contains(0x2D)
  }

  // MARK: Form controls

  static func inputType(_ tree: ElementTree, _ element: UInt32) -> String {
    guard let type = tree.attribute(.type, element), type.count < 20 else { return "text" }
    return String(decoding: type.map(asciiLowercased), as: UTF8.self)
  }

  private static func isInputType(_ tree: ElementTree, _ element: UInt32, _ types: [String]) -> Bool {
    tree[element].name == .input && types.contains(inputType(tree, element))
  }

  static func isChecked(_ tree: ElementTree, _ element: UInt32) -> Bool {
    if isInputType(tree, element, ["checkbox"]) { return tree.hasAttribute(.checked, element) }
    if isInputType(tree, element, ["radio"]) { return tree.radioGroups.isChecked(NodeID(raw: element)) }
    guard tree[element].name == .option else { return false }
    return tree.hasAttribute(.selected, element) || isDisplayedByDefault(tree, element)
  }

  /// Whether a drop-down control without a selected option displays this option: the first that is not disabled.
  private static func isDisplayedByDefault(_ tree: ElementTree, _ option: UInt32) -> Bool {
    var select = tree[option].parent
    while select != ElementInfo.none, !tree.isHTML(select, .select) { select = tree[select].parent }
    guard select != ElementInfo.none, !tree.hasAttribute(.multiple, select), !tree.hasAttribute(.size, select) else { return false }
    if let cached = tree.displayedOptions[select] { return cached == option }
    let displayed = firstOption(of: select, tree)
    tree.displayedOptions[select] = displayed
    return displayed == option
  }

  /// The first option that is not disabled; none if an option is selected.
  private static func firstOption(of select: UInt32, _ tree: ElementTree) -> UInt32 {
    var first = ElementInfo.none
    var element = tree[select].firstChild
    while element != ElementInfo.none {
      if tree.isHTML(element, .option) {
        if tree.hasAttribute(.selected, element) { return ElementInfo.none }
        if first == ElementInfo.none, !isDisabled(tree, element) { first = element }
      }
      element = tree.nextInPreOrder(element, within: select)
    }
    return first
  }

  private static func isDisableable(_ tree: ElementTree, _ element: UInt32) -> Bool {
    [.button, .input, .select, .textarea, .optgroup, .option, .fieldset].contains(
      tree[element].name)
  }

  /// https://html.spec.whatwg.org/multipage/semantics-other.html#concept-element-disabled
  static func isDisabled(_ tree: ElementTree, _ element: UInt32) -> Bool {
    if tree.hasAttribute(.disabled, element) { return true }
    let name = tree[element].name
    if name == .option {
      let parent = tree[element].parent
      return parent != ElementInfo.none && tree.isHTML(parent, .optgroup)
        && tree.hasAttribute(.disabled, parent)
    }
    if name == .optgroup { return false }
    var child = element
    var parent = tree[element].parent
    while parent != ElementInfo.none {
      if tree.isHTML(parent, .fieldset), tree.hasAttribute(.disabled, parent),
        !tree.isHTML(child, .legend) || child != firstLegend(tree, parent)
      {
        return true
      }
      child = parent
      parent = tree[parent].parent
    }
    return false
  }

  private static func firstLegend(_ tree: ElementTree, _ fieldset: UInt32) -> UInt32 {
    var child = tree[fieldset].firstChild
    while child != ElementInfo.none, !tree.isHTML(child, .legend) { child = tree[child].next }
    return child
  }

  private static func isRequirable(_ tree: ElementTree, _ element: UInt32) -> Bool {
    let name = tree[element].name
    if name == .select || name == .textarea { return true }
    return name == .input
      && !["hidden", "range", "color", "submit", "image", "reset", "button"].contains(
        inputType(tree, element))
  }

  static let dateTypes = ["date", "month", "week", "time", "datetime-local"]

  /// Unknown types are text fields.
  static func isTextField(_ tree: ElementTree, _ element: UInt32) -> Bool {
    guard tree[element].name == .input else { return false }
    return ![
      "hidden", "range", "color", "checkbox", "radio", "file", "submit", "image", "reset", "button",
    ].contains(
      inputType(tree, element))
  }

  /// A text field that is not a date or time.
  static func isPlainTextField(_ tree: ElementTree, _ element: UInt32) -> Bool {
    isTextField(tree, element) && !dateTypes.contains(inputType(tree, element))
  }

  private static func isEditable(_ tree: ElementTree, _ element: UInt32) -> Bool {
    if isTextField(tree, element) || tree[element].name == .textarea {
      return !tree.hasAttribute(.readonly, element) && !isDisabled(tree, element)
    }
    var ancestor = element
    while ancestor != ElementInfo.none {
      if let value = tree.attribute(.contenteditable, ancestor) {
        return !equalsIgnoringCase(value, "false".utf8)
      }
      ancestor = tree[ancestor].parent
    }
    return false
  }

  static func showsPlaceholder(_ tree: ElementTree, _ element: UInt32) -> Bool {
    guard tree.hasAttribute(.placeholder, element) else { return false }
    if tree[element].name == .textarea {
      return tree.document.nodes[Int(element)].firstChild.isNone
    }
    guard isPlainTextField(tree, element) else { return false }
    return tree.attribute(.value, element)?.isEmpty ?? true
  }

  private static func isDefault(_ tree: ElementTree, _ element: UInt32) -> Bool {
    if isInputType(tree, element, ["checkbox", "radio"]) {
      return tree.hasAttribute(.checked, element)
    }
    if tree[element].name == .option { return tree.hasAttribute(.selected, element) }
    return isSubmitButton(tree, element) && isDefaultButton(tree, element)
  }

  // MARK: Language and direction

  /// The content language of an element; nil if no ancestor specifies one. https://html.spec.whatwg.org/multipage/dom.html#language
  static func language(of element: UInt32, _ tree: ElementTree) -> Slice<
    UnsafeBufferPointer<UInt8>
  >? {
    var ancestor = element
    while ancestor != ElementInfo.none {
      if let language = ownLanguage(of: ancestor, tree) { return language }
      ancestor = tree.parentOrHost(ancestor)
    }
    return nil
  }

  static func ownLanguage(of element: UInt32, _ tree: ElementTree) -> Slice<
    UnsafeBufferPointer<UInt8>
  >? {
    var language: Slice<UnsafeBufferPointer<UInt8>>? = element == tree.root ? tree.pragmaLanguage : nil
    for attribute in tree.attributes[tree.attributeRange(element)] where attribute.name == .lang {
      if attribute.namespace == .xml { return tree.bytes(attribute.value) }
      if attribute.namespace == .none { language = tree.bytes(attribute.value) }
    }
    return language
  }

  /// Whether the language equals `wanted` or starts with it followed by a hyphen, as in CSS 2. Chromium does not implement the extended
  /// filtering of RFC 4647 either.
  /// https://www.w3.org/TR/CSS22/selector.html#lang
  static func matchesLanguage(_ wanted: [UInt8], _ tree: ElementTree, _ element: UInt32) -> Bool {
    guard let language = language(of: element, tree), tree.meter.spend(language.count >> 2) else { return false }
    guard language.lazy.map(asciiLowercased).starts(with: wanted) else { return false }
    return language.count == wanted.count || language.dropFirst(wanted.count).first == UInt8(ascii: "-")
  }

  /// https://html.spec.whatwg.org/multipage/dom.html#the-directionality
  static func direction(of element: UInt32, _ tree: ElementTree) -> Direction {
    var ancestor = element
    while ancestor != ElementInfo.none {
      if let own = ownDirection(of: ancestor, tree) { return own }
      ancestor = tree.parentOrHost(ancestor)
    }
    return .ltr
  }

  private static func ownDirection(of element: UInt32, _ tree: ElementTree) -> Direction? {
    guard tree[element].namespace == .html else { return nil }
    let value = tree.attribute(.dir, element)
    if let value {
      if equalsIgnoringCase(value, "rtl".utf8) { return .rtl }
      if equalsIgnoringCase(value, "ltr".utf8) { return .ltr }
      if equalsIgnoringCase(value, "auto".utf8) {
        return automaticDirection(of: element, tree) ?? .ltr
      }
    }
    return tree[element].name == .bdi ? automaticDirection(of: element, tree) ?? .ltr : nil
  }

  /// The direction of the first strong character in the element's text; nil if absent.
  static func automaticDirection(of element: UInt32, _ tree: ElementTree) -> Direction? {
    if let cached = tree.automaticDirections[element] { return cached }
    let direction = findDirection(of: element, tree)
    tree.automaticDirections[element] = .some(direction)
    return direction
  }

  private static func findDirection(of element: UInt32, _ tree: ElementTree) -> Direction? {
    if tree[element].name == .input {
      return tree.attribute(.value, element).flatMap { firstStrong($0, tree.meter) }
    }
    let nodes = tree.document.nodes
    let root = NodeID(raw: element)
    var node = nodes[root.index].firstChild
    while !node.isNone, tree.meter.spend() {
      var skipsChildren = false
      if nodes[node.index].kind == .text {
        if let direction = firstStrong(tree.bytes(nodes[node.index].data), tree.meter) { return direction }
      } else if nodes[node.index].kind == .element {
        let name = nodes[node.index].name
        skipsChildren =
          [.bdi, .script, .style, .textarea].contains(name) || tree.hasAttribute(.dir, node.raw)
      }
      node = next(node, nodes, within: root, skipsChildren)
    }
    return nil
  }

  private static func next(
    _ node: NodeID, _ nodes: [Node], within root: NodeID, _ skipsChildren: Bool
  ) -> NodeID {
    if !skipsChildren, !nodes[node.index].firstChild.isNone { return nodes[node.index].firstChild }
    var current = node
    while current != root, !current.isNone {
      if !nodes[current.index].nextSibling.isNone { return nodes[current.index].nextSibling }
      current = nodes[current.index].parent
    }
    return .none
  }

  private static func firstStrong(_ bytes: Slice<UnsafeBufferPointer<UInt8>>, _ meter: WorkMeter) -> Direction? {
    guard meter.spend(bytes.count >> 2) else { return nil }
    for scalar in String(decoding: bytes, as: UTF8.self).unicodeScalars {
      switch scalar.value {
      case 0x0590...0x08FF, 0xFB1D...0xFDFF, 0xFE70...0xFEFF, 0x10800...0x10FFF, 0x1E800...0x1EFFF:
        if scalar.properties.isAlphabetic || scalar.value == 0x200F { return .rtl }
      case 0x200F: return .rtl
      case 0x200E: return .ltr
      default: if scalar.properties.isAlphabetic { return .ltr }
      }
    }
    return nil
  }
}
