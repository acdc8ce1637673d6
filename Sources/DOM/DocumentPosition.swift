public import OffprintCoreTypes

extension Document {
  /// The line and column, from 1, of a byte in a source, such as a node's `sourceOffset`. Line ends are those of HTML.
  public static func position(ofOffset offset: Int, in source: [UInt8], named name: String = "") -> SourcePosition {
    let end = min(max(offset, 0), source.count)
    var line = 1
    var lineStart = 0
    for index in 0..<end {
      let isReturn = source[index] == 0x0D && !(index + 1 < source.count && source[index + 1] == 0x0A)
      guard source[index] == 0x0A || isReturn else { continue }
      line += 1
      lineStart = index + 1
    }
    return SourcePosition(source: name, line: line, column: end - lineStart + 1)
  }

  /// The position of a node's start in the source it was parsed from.
  public func position(of node: NodeID, in source: [UInt8], named name: String = "") -> SourcePosition {
    Self.position(ofOffset: Int(nodes[node.index].sourceOffset), in: source, named: name)
  }
}
