import CSS
import CoreTypes
import Layout

/// The sheets of paper that a page goes onto. https://drafts.csswg.org/css-page-3/#page-model
///
/// All have one size, and one width of their contents: what `@page :first`, `:left` and `:right` say counts for margins. Other margins at
/// the sides than those of most pages move what is between them.
struct PageSheets: Sendable {
  /// CSS px.
  let width: Double
  let height: Double
  /// Top, right, bottom, left.
  private let first: [Double]
  private let left: [Double]
  private let right: [Double]
  /// Where sheets begin and end in what was laid out.
  var extents: [(start: LayoutUnit, end: LayoutUnit)] = []

  /// 0.4 in, as browsers have it.
  private static let standardMargin = 38.4
  private static let a4 = (width: 210 * 96 / 25.4, height: 297 * 96 / 25.4)
  private static let most = 19_200.0

  /// Nil where nothing is said of sheets.
  init?(_ rules: [PageRule], _ request: RenderRequest.Sheet) {
    let general = PageStyle(rules, [])
    guard request != RenderRequest.Sheet() || rules.contains(where: { PageStyle([$0], [.first, .left, .right, .blank]).isEmpty == false })
    else { return nil }
    let size = request.size.map { ($0.width, $0.height) } ?? Self.size(general.size)
    (width, height) = (min(max(size.0, 1), Self.most), min(max(size.1, 1), Self.most))
    func margins(_ classes: Set<PageRule.PseudoClass>) -> [Double] {
      if let margins = request.margins { return [margins.top, margins.right, margins.bottom, margins.left] }
      let style = PageStyle(rules, classes)
      return zip(style.margins, [size.1, size.0, size.1, size.0]).map { Self.length($0, of: $1) }
    }
    (first, left, right) = (margins([.first, .right]), margins([.left]), margins([.right]))
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

  /// What is left of a side: whole px, so that pages lie on pixels. Margins that leave nothing are none.
  private static func rest(_ side: Double, _ a: Double, _ b: Double) -> Double {
    let rest = (side - a - b).rounded(.down)
    return rest >= 1 ? min(rest, most * 2) : max(1, side.rounded(.down))
  }

  private func areaHeight(_ margins: [Double]) -> Double { Self.rest(height, margins[0], margins[2]) }
  private var areaWidth: Double { Self.rest(width, right[3], right[1]) }

  var viewport: Viewport { Viewport(width: areaWidth, height: areaHeight(right)) }

  var areas: PageAreas {
    PageAreas(first: LayoutUnit(areaHeight(first)), even: LayoutUnit(areaHeight(left)), odd: LayoutUnit(areaHeight(right)))
  }

  /// Where the contents of a sheet begin, from its corner.
  func origin(of number: Int) -> (left: Double, top: Double) {
    let margins = number == 0 ? first : number % 2 == 0 ? right : left
    func start(_ side: Double, _ a: Double, _ b: Double) -> Double { (side - a - b).rounded(.down) >= 1 ? a : 0 }
    return (start(width, margins[3], margins[1]), start(height, margins[0], margins[2]))
  }
}

extension RenderRequest.Sheet.Size {
  /// A size as in the property `size` of `@page`: `A4`, `A5 landscape`, `210mm 297mm`; nil for anything else.
  public init?(css: String) {
    guard case .px(let width, let height) = PageRule.Size(text: css), width <= 19_200, height <= 19_200 else { return nil }
    self.init(width: Double(width), height: Double(height))
  }
}

extension RenderRequest.Sheet.Margins {
  /// One to four lengths as in the property `margin`; nil for anything else.
  public init?(css: String) {
    guard let margins = PageRule.Margin.all(text: css) else { return nil }
    let lengths = margins.compactMap { margin -> Double? in
      if case .px(let length) = margin, (0...19_200).contains(length) { Double(length) } else { nil }
    }
    guard lengths.count == 4 else { return nil }
    self.init(top: lengths[0], right: lengths[1], bottom: lengths[2], left: lengths[3])
  }
}
