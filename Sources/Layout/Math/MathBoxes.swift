import OffprintCSS
import OffprintCoreTypes
import OffprintDOM

// Box generation for MathML. https://w3c.github.io/mathml-core/#box-model
extension BoxTreeBuilder {
  /// Sets the layout of a box with `display: math`. It only applies to MathML elements.
  func adoptMath(_ box: inout Box) {
    guard box.pseudo == nil, !box.node.isNone, document[box.node].namespace == .mathML else {
      if box.style.box.display == .math { box.kind = .inline }
      return
    }
    box.specialLayout = .math(mathKind(box.node))
  }

  private func mathKind(_ node: NodeID) -> MathKind {
    switch String(decoding: document.names[document[node].name], as: UTF8.self) {
    case "mi", "mn", "mtext", "ms": .token
    case "mo": .operatorToken
    case "mfrac": .fraction
    case "msqrt": .root
    case "mroot": .indexedRoot
    case "msub": .sub
    case "msup": .sup
    case "msubsup": .subSup
    case "munder": .under
    case "mover": .over
    case "munderover": .underOver
    case "mmultiscripts": .multiscripts
    case "mpadded": .padded
    case "mspace": .space
    default: .row
    }
  }

  /// Fixes up the children of a MathML element as its layout requires. An element with other children is laid out as a row.
  func finishMath(_ pending: inout PendingBox, _ kind: MathKind) {
    switch kind {
    case .token, .operatorToken: return finishToken(&pending)
    case .space:
      pending.children = []
      return
    default: break
    }
    keepElements(&pending)
    if kind == .root || kind == .padded {
      if !pending.children.isEmpty { pending.children = [anonymousRow(pending.children, inheriting: pending.box.style)] }
    } else if !isValid(pending.children.filter(\.isInFlow), kind) {
      pending.box.specialLayout = .math(.row)
    }
  }

  /// Token elements with children other than text are laid out as blocks.
  private func finishToken(_ pending: inout PendingBox) {
    if pending.children.isEmpty || !pending.children.allSatisfy({ $0.box.kind == .text }) { pending.box.specialLayout = nil }
    wrapMisparentedTableBoxes(&pending)
    fixBlockContainer(&pending)
  }

  /// Removes text between elements, and makes the other children block-level.
  private func keepElements(_ pending: inout PendingBox) {
    pending.children.removeAll { $0.box.isTextual }
    wrapMisparentedTableBoxes(&pending)
    for index in pending.children.indices {
      if pending.children[index].box.kind == .inline, pending.children[index].isInFlow {
        pending.children[index] = anonymousBlock([pending.children[index]], inheriting: pending.box.style)
      }
      pending.children[index].box.isInlineLevel = false
    }
  }

  private func anonymousRow(_ children: [PendingBox], inheriting style: ComputedStyle) -> PendingBox {
    var box = Box(kind: .blockContainer, style: arena.anonymousStyle(inheriting: style, display: .blockMath))
    box.isAnonymous = true
    box.specialLayout = .math(.row)
    return PendingBox(box, children: children)
  }

  private func isValid(_ children: [PendingBox], _ kind: MathKind) -> Bool {
    switch kind {
    case .fraction, .indexedRoot, .sub, .sup, .under, .over: children.count == 2
    case .subSup, .underOver: children.count == 3
    case .multiscripts: isValidMultiscripts(children)
    default: true
    }
  }

  /// https://w3c.github.io/mathml-core/#prescripts-and-tensor-indices-mmultiscripts
  private func isValidMultiscripts(_ children: [PendingBox]) -> Bool {
    guard let base = children.first, !isPrescripts(base.box) else { return false }
    let scripts = children.dropFirst()
    guard let middle = scripts.firstIndex(where: { isPrescripts($0.box) }) else { return scripts.count.isMultiple(of: 2) }
    let behind = scripts[(middle + 1)...]
    return (middle - 1).isMultiple(of: 2) && behind.count.isMultiple(of: 2) && !behind.contains { isPrescripts($0.box) }
  }

  private func isPrescripts(_ box: Box) -> Bool {
    guard !box.node.isNone, box.pseudo == nil, document[box.node].namespace == .mathML else { return false }
    return document.names[document[box.node].name].elementsEqual("mprescripts".utf8)
  }

  // MARK: Tables

  /// Wraps the contents of an `mtd` element in a row. https://w3c.github.io/mathml-core/#entry-in-table-or-matrix-mtd
  func fillMathCell(_ pending: inout PendingBox) {
    let box = pending.box
    guard !box.node.isNone, box.pseudo == nil, document[box.node].namespace == .mathML else { return }
    keepElements(&pending)
    if !pending.children.isEmpty { pending.children = [anonymousRow(pending.children, inheriting: box.style)] }
  }

  func mathColumnSpan(_ node: NodeID) -> UInt16? {
    guard let bytes = MathAttributes.value("columnspan", of: node, document), let value = HTMLMicrosyntax.nonNegativeInteger(bytes) else {
      return nil
    }
    return UInt16(min(max(value, 1), 1000))
  }
}
