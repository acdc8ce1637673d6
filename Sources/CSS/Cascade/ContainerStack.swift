import OffprintCoreTypes
import OffprintDOM

/// The query containers among the ancestors of the current element, innermost last.
///
/// https://drafts.csswg.org/css-conditional-5/#container-queries
struct ContainerStack {
  private struct Container {
    var element: UInt32
    var size: ContainerSize
    var style: ComputedStyle
  }
  private var containers: [Container] = []

  /// - Parameters:
  ///   - size: The content size from the previous layout in CSS px; nil in the first pass.
  ///   - allowsSizeContainment: Whether size containment can apply to the element.
  mutating func push(_ element: UInt32, size: (width: Float, height: Float)?, style: ComputedStyle, allowsSizeContainment: Bool = true) {
    var containerSize = ContainerSize(
      type: allowsSizeContainment ? style.box.containerType : .normal, isVertical: style.text.writingMode != .horizontalTb)
    if let size {
      containerSize.width = Double(size.width)
      containerSize.height = Double(size.height)
    } else {
      containerSize.width = Self.contentLength(style.box.width, style, axis: \.horizontal)
      containerSize.height = Self.contentLength(style.box.height, style, axis: \.vertical)
    }
    containers.append(Container(element: element, size: containerSize, style: style))
  }

  mutating func pop(_ element: UInt32) {
    if containers.last?.element == element { containers.removeLast() }
  }

  /// The content-box size in CSS px if the style alone determines it; otherwise nil.
  private static func contentLength(_ size: SizeValue, _ style: ComputedStyle, axis: KeyPath<BorderPadding, Double>) -> Double? {
    guard case .value(.length(let length)) = size else { return nil }
    let borderPadding = style.box.boxSizing == .borderBox ? BorderPadding(style)[keyPath: axis] : 0
    return max(Double(length) - borderPadding, 0)
  }

  private struct BorderPadding {
    var horizontal: Double
    var vertical: Double
    init(_ style: ComputedStyle) {
      let (padding, border) = (style.box.padding, style.border.width)
      horizontal = padding.left.resolve(0.0) + padding.right.resolve(0.0) + Double(border.left) + Double(border.right)
      vertical = padding.top.resolve(0.0) + padding.bottom.resolve(0.0) + Double(border.top) + Double(border.bottom)
    }
  }

  /// Whether a query matches. It is evaluated against the innermost container that has the queried name and containment on the queried axes.
  ///
  /// - Parameter parent: The parent's style. Unnamed style queries are evaluated against it, because every element is a style container.
  func matches(_ query: ContainerQuery, parent: ComputedStyle?, names: NameInterner) -> Bool {
    if query.name.isEmpty, query.axes.isEmpty {
      guard let parent else { return false }
      return query.matches(nil) { Self.customPropertyValue($0, parent, names) }
    }
    let queriedName = ByteString(String(decoding: query.name, as: UTF8.self))
    let container = containers.last { container in
      container.size.hasContainment(in: query.axes) && (query.name.isEmpty || container.style.box.containerNames.contains(queriedName))
    }
    guard let container else { return false }
    return query.matches(container.size) { Self.customPropertyValue($0, container.style, names) }
  }

  /// The sizes in CSS px that `cqw` and `cqh` are relative to; nil without a container, or before its first layout.
  ///
  /// https://drafts.csswg.org/css-conditional-5/#container-lengths
  func containerUnitBasis() -> (width: Double?, height: Double?) {
    (
      containers.last { $0.size.hasContainment(in: .width) }?.size.width,
      containers.last { $0.size.hasContainment(in: .height) }?.size.height
    )
  }

  var isEmpty: Bool { containers.isEmpty }

  private static func customPropertyValue(_ name: ArraySlice<UInt8>, _ style: ComputedStyle, _ names: NameInterner) -> [UInt8]? {
    guard let value = style.record.pointee.custom?.pointee.values[names.table.intern(name)] else { return nil }
    return Array(value.trimmingHTMLSpaces)
  }
}

/// The content size of a query container in CSS px; nil on axes without a size yet.
struct ContainerSize {
  /// Queried axes, physical and flow-relative.
  struct Axes: OptionSet {
    var rawValue: UInt8
    static let width = Axes(rawValue: 1)
    static let height = Axes(rawValue: 2)
    static let inline = Axes(rawValue: 4)
    static let block = Axes(rawValue: 8)
  }

  var type: ContainerType
  var isVertical: Bool
  var width: Double?
  var height: Double?

  func hasContainment(in axes: Axes) -> Bool {
    switch type {
    case .size: true
    case .inlineSize: axes.isSubset(of: [.inline, isVertical ? .height : .width])
    default: axes.isEmpty
    }
  }

  /// https://drafts.csswg.org/css-conditional-5/#container-features
  func feature(_ name: String) -> FeatureValue? {
    switch name {
    case "width": return hasContainment(in: .width) ? width.map { .length($0) } : nil
    case "height": return hasContainment(in: .height) ? height.map { .length($0) } : nil
    case "inline-size": return feature(isVertical ? "height" : "width")
    case "block-size": return feature(isVertical ? "width" : "height")
    default:
      guard type == .size, let width, let height else { return nil }
      switch name {
      case "aspect-ratio": return .ratio(width, height)
      case "orientation": return .keyword(height >= width ? "portrait" : "landscape")
      default: return nil
      }
    }
  }
}
