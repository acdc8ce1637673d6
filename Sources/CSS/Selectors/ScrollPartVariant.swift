import OffprintCoreTypes

/// The scroll buttons or markers to which a selector applies, by direction and state.
///
/// https://drafts.csswg.org/css-overflow-5/#scroll-buttons
struct ScrollPartVariant: Equatable, BitwiseCopyable {
  enum Direction: UInt8 { case any, up, down, left, right, blockStart, inlineStart, inlineEnd, blockEnd }
  enum State: UInt8 { case any, disabled, enabled, targetBefore, targetCurrent, targetAfter }

  var direction = Direction.any
  var state = State.any

  init() {}

  static func direction(_ text: String) -> Direction? {
    switch text {
    case "up": .up
    case "down": .down
    case "left": .left
    case "right": .right
    case "block-start": .blockStart
    case "inline-start": .inlineStart
    case "inline-end": .inlineEnd
    case "block-end": .blockEnd
    default: nil
    }
  }

  /// The state that a pseudo-class on a button or marker refers to.
  static func state(_ text: String, of pseudo: PseudoElement) -> State? {
    switch (pseudo, text) {
    case (.scrollButtonBlockStart, "disabled"): .disabled
    case (.scrollButtonBlockStart, "enabled"): .enabled
    case (.scrollMarker, "target-before"), (.columnScrollMarker, "target-before"): .targetBefore
    case (.scrollMarker, "target-current"), (.columnScrollMarker, "target-current"): .targetCurrent
    case (.scrollMarker, "target-after"), (.columnScrollMarker, "target-after"): .targetAfter
    default: nil
    }
  }

  /// Whether rules with this variant apply to a box with that direction and state, in a scroll container with `style`.
  func admits(_ wanted: Direction, _ state: State, _ style: ComputedStyle) -> Bool {
    guard self.state == .any || self.state == state else { return false }
    return direction == .any || direction == wanted || direction == Self.physical(wanted, style)
  }

  private static func physical(_ direction: Direction, _ style: ComputedStyle) -> Direction {
    let text = style.text, mode = text.writingMode, isForward = text.direction == .ltr
    let isHorizontal = mode == .horizontalTb, isFlipped = mode == .verticalRl || mode == .sidewaysRl
    switch direction {
    case .blockStart: return isHorizontal ? .up : isFlipped ? .right : .left
    case .blockEnd: return isHorizontal ? .down : isFlipped ? .left : .right
    case .inlineStart where isHorizontal: return isForward ? .left : .right
    case .inlineEnd where isHorizontal: return isForward ? .right : .left
    case .inlineStart: return isForward == (mode != .sidewaysLr) ? .up : .down
    case .inlineEnd: return isForward == (mode != .sidewaysLr) ? .down : .up
    default: return direction
    }
  }
}
