import OffprintCoreTypes

/// The radio button groups of a document. If several buttons of a group have `checked`, the last one is checked.
///
/// https://html.spec.whatwg.org/multipage/input.html#radio-button-group
public struct RadioGroups: Sendable {
  private struct Group: Hashable {
    /// The document, or the root of a shadow tree.
    var tree: NodeID
    var form: NodeID
    var name: [UInt8]
  }
  private var groups: [NodeID: Int] = [:]
  private var checked: [NodeID] = []

  public init(_ document: Document) {
    var numbers: [Group: Int] = [:]
    var forms = FormOwners(document)
    for tree in [NodeID.document] + document.shadowRoots.map(\.root) {
      var node = document.nextInPreOrder(tree, within: tree)
      while !node.isNone {
        if Self.isRadioButton(node, document) { add(node, in: tree, document, &numbers, &forms) }
        node = document.nextInPreOrder(node, within: tree)
      }
    }
  }

  /// Whether `button` is the checked button of its group.
  public func isChecked(_ button: NodeID) -> Bool { groups[button].map { checked[$0] == button } ?? false }

  /// Whether any button in the group of `button` is checked.
  public func hasChecked(_ button: NodeID) -> Bool { groups[button].map { !checked[$0].isNone } ?? false }

  private static func isRadioButton(_ node: NodeID, _ document: Document) -> Bool {
    document.isHTMLElement(node, .input) && document.attribute(.type, of: node)?.map(\.asciiLowercased) == Array("radio".utf8)
  }

  /// A button without a name forms a group of its own.
  private mutating func add(
    _ button: NodeID, in tree: NodeID, _ document: Document, _ numbers: inout [Group: Int], _ forms: inout FormOwners
  ) {
    let name = document.attribute(.name, of: button).map { Array($0) } ?? []
    let group = Group(tree: tree, form: forms.owner(of: button), name: name)
    let number = name.isEmpty ? checked.count : numbers[group] ?? checked.count
    if number == checked.count { checked.append(.none) }
    if !name.isEmpty { numbers[group] = number }
    groups[button] = number
    if document.hasAttribute(.checked, of: button) { checked[number] = button }
  }
}

/// https://html.spec.whatwg.org/multipage/form-control-infrastructure.html#form-owner
private struct FormOwners {
  let document: Document
  private var nodes: [[UInt8]: NodeID]?

  init(_ document: Document) { self.document = document }

  /// `none` if there is no owner.
  mutating func owner(of control: NodeID) -> NodeID {
    if let id = document.attribute(.form, of: control) {
      let node = named(Array(id))
      return !node.isNone && document.isHTMLElement(node, .form) ? node : .none
    }
    var ancestor = document.parentElement(of: control)
    while !ancestor.isNone, !document.isHTMLElement(ancestor, .form) { ancestor = document.parentElement(of: ancestor) }
    return ancestor
  }

  private mutating func named(_ id: [UInt8]) -> NodeID {
    let elements = nodes ?? elementsByID()
    nodes = elements
    return elements[id] ?? .none
  }

  private func elementsByID() -> [[UInt8]: NodeID] {
    var result: [[UInt8]: NodeID] = [:]
    var node = document.nextInPreOrder(.document)
    while !node.isNone {
      if let id = document.attribute(.id, of: node), result[Array(id)] == nil { result[Array(id)] = node }
      node = document.nextInPreOrder(node)
    }
    return result
  }
}
