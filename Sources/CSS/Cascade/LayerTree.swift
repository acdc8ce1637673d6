/// The cascade layers of a document's author style sheets.
///
/// https://drafts.csswg.org/css-cascade-5/#layering
struct LayerTree: Sendable {
  private struct Layer: Sendable {
    var name: [UInt8]?
    var children: [Int] = []
  }
  private struct Key: Hashable {
    var parent: Int
    var name: [UInt8]
  }
  /// Layer 0 is the implicit outer layer.
  private var layers = [Layer(name: nil)]
  private var numbers: [Key: Int] = [:]
  private static let maximumCount = 4000

  /// The layer `path` within `parent`, created on first use.
  mutating func layer(_ path: [[UInt8]], in parent: Int) -> Int {
    path.reduce(parent) { parent, name in
      let key = Key(parent: parent, name: name)
      if let known = numbers[key] { return known }
      let number = add(name, to: parent)
      numbers[key] = number
      return number
    }
  }

  mutating func anonymousLayer(in parent: Int) -> Int { add(nil, to: parent) }

  private mutating func add(_ name: [UInt8]?, to parent: Int) -> Int {
    guard layers.count < Self.maximumCount else { return parent }
    layers.append(Layer(name: name))
    layers[parent].children.append(layers.count - 1)
    return layers.count - 1
  }

  /// The rank of each layer, in ascending precedence: nested layers before the unlayered rules of their parent.
  func ranks() -> [UInt32] {
    var ranks = [UInt32](repeating: 0, count: layers.count)
    var next: UInt32 = 0
    var stack = [(layer: 0, child: 0)]
    while let top = stack.last {
      if top.child < layers[top.layer].children.count {
        stack[stack.count - 1].child += 1
        stack.append((layers[top.layer].children[top.child], 0))
      } else {
        ranks[top.layer] = next
        next += 1
        stack.removeLast()
      }
    }
    return ranks
  }
}
