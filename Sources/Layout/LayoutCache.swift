/// Results by box and input: flex, grid and tables ask each child several times, nested ones exponentially often without this.
struct LayoutCache {
  private struct Key: Hashable {
    var box: BoxID
    var input: LayoutInput
  }
  private struct IntrinsicKey: Hashable {
    var box: BoxID
    var percentageBlock: Int32?
    var fixedBlock: Int32?
    var subgridColumns: Int32
    var subgridRows: Int32
  }
  private var results: [Key: LayoutResult] = [:]
  private var intrinsics: [IntrinsicKey: MinMaxSizes] = [:]

  func result(_ box: BoxID, _ input: LayoutInput) -> LayoutResult? { results[Key(box: box, input: input)] }
  mutating func store(_ result: LayoutResult, _ box: BoxID, _ input: LayoutInput) { results[Key(box: box, input: input)] = result }

  func intrinsic(_ box: BoxID, _ input: LayoutInput) -> MinMaxSizes? { intrinsics[key(box, input)] }
  mutating func store(_ sizes: MinMaxSizes, _ box: BoxID, _ input: LayoutInput) { intrinsics[key(box, input)] = sizes }

  private func key(_ box: BoxID, _ input: LayoutInput) -> IntrinsicKey {
    IntrinsicKey(
      box: box, percentageBlock: input.percentageBlock?.raw, fixedBlock: input.fixedBlock?.raw, subgridColumns: input.subgridColumns,
      subgridRows: input.subgridRows)
  }
}
