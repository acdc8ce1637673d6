import OffprintCSS
import OffprintCoreTypes
import OffprintLayout

/// The pages a document is fragmented into. https://drafts.csswg.org/css-page-3/#page-model
///
/// All unnamed pages have the same width of the page area: `:first`, `:left` and `:right` rules affect sizes and margins, but side margins
/// that differ from the default only move the page area. Named pages have a width of their own.
struct PageSequence: Sendable {
  /// Identifies the rules that apply to a page.
  struct Key: Hashable {
    enum Side: Hashable, CaseIterable {
      case first, left, right, blankLeft, blankRight

      var classes: Set<PageRule.PseudoClass> {
        switch self {
        case .first: [.first, .right]
        case .left: [.left]
        case .right: [.right]
        case .blankLeft: [.left, .blank]
        case .blankRight: [.right, .blank]
        }
      }
    }
    var name: ByteString?
    var side: Side
  }

  /// Lengths in CSS px; arrays of four are in the order top, right, bottom, left.
  struct PageBox: Sendable {
    var width: Double
    var height: Double
    var margins: [Double]
    /// Borders and padding around the page area.
    var edges: [Double]

    /// The size of the page area on one axis, in whole px so that pages begin on pixel boundaries. Margins that leave no space are ignored.
    private func rest(_ side: Double, _ a: Int, _ b: Int) -> Double {
      let rest = (side - margins[a] - edges[a] - margins[b] - edges[b]).rounded(.down)
      return rest >= 1 ? min(rest, PageSequence.maximumSide * 2) : max(1, side.rounded(.down))
    }
    var areaWidth: Double { rest(width, 3, 1) }
    var areaHeight: Double { rest(height, 0, 2) }

    private func start(_ side: Double, _ a: Int, _ b: Int) -> Double {
      (side - margins[a] - edges[a] - margins[b] - edges[b]).rounded(.down) >= 1 ? margins[a] + edges[a] : 0
    }
    /// The position of the page area relative to the page's corner.
    var origin: (left: Double, top: Double) { (start(width, 3, 1), start(height, 0, 2)) }
  }

  private var pageBoxes: [Key: PageBox] = [:]
  /// The page names used in rules, in order.
  private let names: [ByteString]
  private let unnamed: PageBox
  /// The extents of the pages in the fragmented layout.
  var extents: [PageExtent] = []

  /// 0.4 in, Chromium's default margin for printing.
  private static let standardMargin = 38.4
  private static let a4 = (width: 210 * 96 / 25.4, height: 297 * 96 / 25.4)
  static let maximumSide = 19_200.0

  /// Nil if neither the request nor the style sheets specify pages.
  init?(_ styled: StyledDocument, _ request: RenderRequest.PageSetup, _ styler: PageStyler) {
    let rules = styled.pageRules, all: Set<PageRule.PseudoClass> = [.first, .left, .right, .blank]
    guard request != RenderRequest.PageSetup() || styler.isNeeded || rules.contains(where: { !PageStyle([$0], all, name: $0.name).isEmpty })
    else { return nil }
    unnamed = Self.pageBox(rules, Key(name: nil, side: .right), request, styler)
    var names: [ByteString] = []
    for case let name? in rules.map(\.name) where !names.contains(name) { names.append(name) }
    self.names = names
    for name in [nil] + names.map(Optional.some) {
      for side in Key.Side.allCases {
        pageBoxes[Key(name: name, side: side)] = Self.pageBox(rules, Key(name: name, side: side), request, styler)
      }
    }
  }

  private static func pageBox(_ rules: [PageRule], _ key: Key, _ request: RenderRequest.PageSetup, _ styler: PageStyler) -> PageBox {
    let style = PageStyle(rules, key.side.classes, name: key.name)
    let size = request.size.map { ($0.width, $0.height) } ?? Self.size(style.size)
    let sides = [size.1, size.0, size.1, size.0]
    let margins = request.margins.map { [$0.top, $0.right, $0.bottom, $0.left] } ?? zip(style.margins, sides).map { length($0, of: $1) }
    var edges = [0.0, 0, 0, 0]
    if styler.isNeeded {
      let frame = styler.style(key.side.classes, name: key.name).frame
      let border = frame.border.width, padding = frame.box.padding, basis = LayoutUnit(size.0)
      edges = [
        Double(border.top) + padding.top.resolve(basis).double, Double(border.right) + padding.right.resolve(basis).double,
        Double(border.bottom) + padding.bottom.resolve(basis).double, Double(border.left) + padding.left.resolve(basis).double,
      ]
    }
    return PageBox(width: min(max(size.0, 1), maximumSide), height: min(max(size.1, 1), maximumSide), margins: margins, edges: edges)
  }

  private static func size(_ size: PageRule.Size?) -> (Double, Double) {
    switch size {
    case .px(let width, let height): (Double(width), Double(height))
    case .orientation(.landscape): (a4.height, a4.width)
    case nil, .auto, .orientation(.portrait): a4
    }
  }

  private static func length(_ margin: PageRule.Margin?, of side: Double) -> Double {
    switch margin {
    case .px(let length): Double(length)
    case .percentage(let part): side * Double(part) / 100
    case nil, .auto: standardMargin
    }
  }

  var viewport: Viewport { Viewport(width: unnamed.areaWidth, height: unnamed.areaHeight) }

  var areas: PageAreas {
    func sizes(_ name: ByteString?) -> PageAreas.Sizes {
      func height(_ side: Key.Side) -> LayoutUnit { LayoutUnit((pageBoxes[Key(name: name, side: side)] ?? unnamed).areaHeight) }
      return PageAreas.Sizes(first: height(.first), even: height(.left), odd: height(.right))
    }
    func widening(_ name: ByteString) -> LayoutUnit {
      LayoutUnit((pageBoxes[Key(name: name, side: .right)] ?? unnamed).areaWidth) - LayoutUnit(unnamed.areaWidth)
    }
    return PageAreas(
      sizes(nil), named: Dictionary(names.map { ($0, sizes($0)) }) { first, _ in first },
      widening: Dictionary(names.map { ($0, widening($0)) }.filter { $0.1 != .zero }) { first, _ in first })
  }

  func key(of number: Int) -> Key {
    let extent = extents.indices.contains(number) ? extents[number] : nil
    let isRight = number % 2 == 0
    let side: Key.Side =
      extent?.isBlank == true ? (isRight ? .blankRight : .blankLeft) : number == 0 ? .first : isRight ? .right : .left
    return Key(name: extent?.name, side: side)
  }

  func pageBox(of number: Int) -> PageBox {
    let key = key(of: number)
    return pageBoxes[key] ?? pageBoxes[Key(name: nil, side: key.side)] ?? unnamed
  }
}

extension RenderRequest.PageSetup.Size {
  /// A size in the syntax of the property `size` of `@page`: `A4`, `A5 landscape`, `210mm 297mm`; nil for anything else.
  public init?(css: String) {
    guard case .px(let width, let height) = PageRule.Size(text: css), width <= 19_200, height <= 19_200 else { return nil }
    self.init(width: Double(width), height: Double(height))
  }
}

extension RenderRequest.PageSetup.Margins {
  /// One to four lengths in the syntax of the property `margin`; nil for anything else.
  public init?(css: String) {
    guard let margins = PageRule.Margin.all(text: css) else { return nil }
    let lengths = margins.compactMap { margin -> Double? in
      if case .px(let length) = margin, (0...19_200).contains(length) { Double(length) } else { nil }
    }
    guard lengths.count == 4 else { return nil }
    self.init(top: lengths[0], right: lengths[1], bottom: lengths[2], left: lengths[3])
  }
}
