/// Maps a flow-relative property to a physical one.
///
/// https://drafts.csswg.org/css-logical-1/#logical-property-groups
struct LogicalMapping: Sendable {
  enum Kind: Sendable {
    case blockStart, blockEnd, inlineStart, inlineEnd
    case blockAxis, inlineAxis
    case startStart, startEnd, endStart, endEnd
  }
  let kind: Kind
  /// Sides: top, right, bottom, left. Axes: horizontal, vertical. Corners: top left, top right, bottom right, bottom left.
  let targets: [PropertyID]

  func target(_ mode: WritingMode, _ direction: Direction) -> PropertyID {
    let index =
      switch kind {
      case .blockStart, .blockEnd, .inlineStart, .inlineEnd: Self.side(kind, mode, direction)
      case .blockAxis: mode == .horizontalTb ? 1 : 0
      case .inlineAxis: mode == .horizontalTb ? 0 : 1
      case .startStart: Self.corner(Self.side(.blockStart, mode, direction), Self.side(.inlineStart, mode, direction))
      case .startEnd: Self.corner(Self.side(.blockStart, mode, direction), Self.side(.inlineEnd, mode, direction))
      case .endStart: Self.corner(Self.side(.blockEnd, mode, direction), Self.side(.inlineStart, mode, direction))
      case .endEnd: Self.corner(Self.side(.blockEnd, mode, direction), Self.side(.inlineEnd, mode, direction))
      }
    return targets[index < targets.count ? index : 0]
  }

  /// The physical side: 0 top, 1 right, 2 bottom, 3 left. https://drafts.csswg.org/css-writing-modes-4/#logical-to-physical
  private static func side(_ kind: Kind, _ mode: WritingMode, _ direction: Direction) -> Int {
    let isRTL = direction == .rtl
    let inlineStart =
      switch mode {
      case .horizontalTb: isRTL ? 1 : 3
      case .verticalRl, .verticalLr, .sidewaysRl: isRTL ? 2 : 0
      case .sidewaysLr: isRTL ? 0 : 2
      }
    let blockStart =
      switch mode {
      case .horizontalTb: 0
      case .verticalRl, .sidewaysRl: 1
      case .verticalLr, .sidewaysLr: 3
      }
    return switch kind {
    case .inlineStart: inlineStart
    case .inlineEnd: (inlineStart + 2) % 4
    case .blockEnd: (blockStart + 2) % 4
    default: blockStart
    }
  }

  private static func corner(_ a: Int, _ b: Int) -> Int {
    let isTop = a == 0 || b == 0
    let isLeft = a == 3 || b == 3
    return isTop ? (isLeft ? 0 : 1) : (isLeft ? 3 : 2)
  }
}
