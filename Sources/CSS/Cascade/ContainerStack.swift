import DOM

/// The query containers around the element at hand, innermost last.
///
/// https://drafts.csswg.org/css-conditional-5/#container-queries
struct ContainerStack {
  private struct Container {
    var element: UInt32
    var type: ContainerType
    /// nil where it is not known before layout.
    var size: (width: Double, height: Double?)?
    var style: ComputedStyle
  }
  private var containers: [Container] = []

  mutating func push(_ element: UInt32, size: (width: Float, height: Float)?, style: ComputedStyle) {
    let type = style.box.containerType
    let known = size.map { (width: Double($0.width), height: type == .size ? Double($0.height) : nil) }
    containers.append(Container(element: element, type: type, size: known ?? Self.definiteSize(style), style: style))
  }

  mutating func pop(_ element: UInt32) {
    if containers.last?.element == element { containers.removeLast() }
  }

  /// A content size that the style fixes, before any layout.
  private static func definiteSize(_ style: ComputedStyle) -> (width: Double, height: Double?)? {
    guard case .value(.length(let width)) = style.box.width else { return nil }
    let isBorderBox = style.box.boxSizing == .borderBox
    let contentWidth =
      isBorderBox
      ? Double(width) - edges(style.box.padding.left, style.box.padding.right, style.border.width.left, style.border.width.right)
      : Double(width)
    guard style.box.containerType == .size, case .value(.length(let height)) = style.box.height else { return (max(contentWidth, 0), nil) }
    let contentHeight =
      isBorderBox
      ? Double(height) - edges(style.box.padding.top, style.box.padding.bottom, style.border.width.top, style.border.width.bottom)
      : Double(height)
    return (max(contentWidth, 0), max(contentHeight, 0))
  }

  private static func edges(_ a: LengthPercentage, _ b: LengthPercentage, _ c: Float, _ d: Float) -> Double {
    a.resolve(0.0) + b.resolve(0.0) + Double(c) + Double(d)
  }

  /// Whether a query holds for the innermost container that it can ask: of its name and with containment in its axes.
  ///
  /// - Parameter parent: the style that queries without name and size ask, for every element is a style container.
  func matches(_ query: ContainerQuery, parent: ComputedStyle?, names: NameInterner) -> Bool {
    if query.name.isEmpty, !query.needsWidth {
      guard let parent else { return false }
      return query.matches(width: nil, height: nil) { Self.custom($0, parent, names) }
    }
    let wanted = String(decoding: query.name, as: UTF8.self)
    let container = containers.last { container in
      if query.needsHeight, container.type != .size { return false }
      if query.needsWidth, container.type == .normal { return false }
      return wanted.isEmpty || container.style.box.containerNames.contains(wanted)
    }
    guard let container else { return false }
    return query.matches(width: container.size?.width, height: container.size?.height) { Self.custom($0, container.style, names) }
  }

  private static func custom(_ name: ArraySlice<UInt8>, _ style: ComputedStyle, _ names: NameInterner) -> [UInt8]? {
    guard let value = style.record.pointee.custom?.pointee.values[names.table.intern(name)] else { return nil }
    let trimmed = value.drop(while: isHTMLSpace)
    return trimmed.lastIndex { !isHTMLSpace($0) }.map { Array(trimmed[...$0]) } ?? []
  }
}
