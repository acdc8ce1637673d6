/// The pseudo-elements for a scroll button or marker selector, with their directions and states.
enum ScrollPartVariants {
  typealias Variant = (pseudo: PseudoElement, direction: ScrollPartVariant.Direction, state: ScrollPartVariant.State)

  /// - Parameter hasStates: Whether any rule tests a state, so that markers can differ.
  static func of(_ family: PseudoElement, hasStates: Bool) -> [Variant] {
    switch family {
    case .scrollMarker: [(.scrollMarker, .any, .any)] + (hasStates ? markers : [])
    case .columnScrollMarker: [(.columnScrollMarker, .any, .any)] + (hasStates ? columnMarkers : [])
    default: buttons
    }
  }

  private static let markers: [Variant] = [
    (.earlierScrollMarker, .any, .targetBefore), (.currentScrollMarker, .any, .targetCurrent), (.laterScrollMarker, .any, .targetAfter),
  ]
  /// Nothing is scrolled, so the first column is the current one.
  private static let columnMarkers: [Variant] = [
    (.currentColumnScrollMarker, .any, .targetCurrent), (.laterColumnScrollMarker, .any, .targetAfter),
  ]
  private static let buttons: [Variant] = [
    (.scrollButtonBlockStart, .blockStart, .enabled), (.scrollButtonInlineStart, .inlineStart, .enabled),
    (.scrollButtonInlineEnd, .inlineEnd, .enabled), (.scrollButtonBlockEnd, .blockEnd, .enabled),
    (.disabledButtonBlockStart, .blockStart, .disabled), (.disabledButtonInlineStart, .inlineStart, .disabled),
    (.disabledButtonInlineEnd, .inlineEnd, .disabled), (.disabledButtonBlockEnd, .blockEnd, .disabled),
  ]
}
