import OffprintCoreTypes
import OffprintDOM

/// Declarations in order, split by importance.
struct DeclarationBlock: Sendable {
  var normal: [Declaration] = []
  var important: [Declaration] = []
  var declaresContent = false

  mutating func append(_ other: DeclarationBlock) {
    normal += other.normal
    important += other.important
  }
}

/// Declaration blocks by their text: `style` attributes and presentational hints repeat a lot.
struct BlockCache {
  private(set) var blocks: [DeclarationBlock] = []
  private var numbers: [[UInt8]: Int] = [:]

  /// The number of the block for `text`, parsed by `parse` the first time.
  mutating func number(_ text: [UInt8], _ parse: () -> DeclarationBlock) -> Int {
    if let known = numbers[text] { return known }
    blocks.append(parse())
    numbers[text] = blocks.count - 1
    return blocks.count - 1
  }
}
