extension Duration {
  package var seconds: Double { Double(components.seconds) + Double(components.attoseconds) / 1e18 }
  package var milliseconds: Double { Double(components.seconds) * 1000 + Double(components.attoseconds) / 1e15 }

  /// Rounded toward zero; clamped to the range of `Int`.
  package var wholeMilliseconds: Int {
    let (seconds, attoseconds) = components
    let (product, overflows) = Int(seconds).multipliedReportingOverflow(by: 1000)
    return overflows ? (seconds < 0 ? .min : .max) : product.addingReportingOverflow(Int(attoseconds / 1_000_000_000_000_000)).partialValue
  }
}
