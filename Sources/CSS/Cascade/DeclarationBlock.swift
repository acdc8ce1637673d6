import OffprintCoreTypes
import OffprintDOM

/// Declarations in order, separated by importance.
struct DeclarationBlock: Sendable {
  var normal: [Declaration] = []
  var important: [Declaration] = []
  var declaresContent = false

  mutating func append(_ other: DeclarationBlock) {
    normal += other.normal
    important += other.important
  }
}

/// Caches declaration blocks by their source text, because many elements have the same `style` attribute or presentational hints.
struct BlockCache {
  private(set) var blocks: [DeclarationBlock] = []
  private var numbers: [[UInt8]: Int] = [:]

  /// The index of the block for `text`, which `parse` parses on first use.
  mutating func number(_ text: [UInt8], _ parse: () -> DeclarationBlock) -> Int {
    if let known = numbers[text] { return known }
    blocks.append(parse())
    numbers[text] = blocks.count - 1
    return blocks.count - 1
  }
}
