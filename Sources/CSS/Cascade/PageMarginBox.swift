/// A margin box of a page. https://drafts.csswg.org/css-page-3/#margin-boxes
public enum PageMarginBox: String, Hashable, Sendable, CaseIterable {
  case topLeftCorner = "top-left-corner"
  case topLeft = "top-left"
  case topCenter = "top-center"
  case topRight = "top-right"
  case topRightCorner = "top-right-corner"
  case rightTop = "right-top"
  case rightMiddle = "right-middle"
  case rightBottom = "right-bottom"
  case bottomRightCorner = "bottom-right-corner"
  case bottomRight = "bottom-right"
  case bottomCenter = "bottom-center"
  case bottomLeft = "bottom-left"
  case bottomLeftCorner = "bottom-left-corner"
  case leftBottom = "left-bottom"
  case leftMiddle = "left-middle"
  case leftTop = "left-top"

  /// https://drafts.csswg.org/css-page-3/#margin-text-alignment
  var textAlign: TextAlign {
    switch self {
    case .topLeftCorner, .bottomLeftCorner, .topRight, .bottomRight: .right
    case .topRightCorner, .bottomRightCorner, .topLeft, .bottomLeft: .left
    default: .center
    }
  }

  /// The default vertical alignment of the contents.
  var verticalAlign: VerticalAlign {
    switch self {
    case .leftTop, .rightTop: .top
    case .leftBottom, .rightBottom: .bottom
    default: .middle
    }
  }

  public enum Edge: Hashable, Sendable, CaseIterable { case top, right, bottom, left }

  /// The edge of the box and its index among the three boxes there, from the left or from the top; nil for corners.
  public var place: (edge: Edge, index: Int)? {
    switch self {
    case .topLeft: (.top, 0)
    case .topCenter: (.top, 1)
    case .topRight: (.top, 2)
    case .bottomLeft: (.bottom, 0)
    case .bottomCenter: (.bottom, 1)
    case .bottomRight: (.bottom, 2)
    case .leftTop: (.left, 0)
    case .leftMiddle: (.left, 1)
    case .leftBottom: (.left, 2)
    case .rightTop: (.right, 0)
    case .rightMiddle: (.right, 1)
    case .rightBottom: (.right, 2)
    default: nil
    }
  }
}
