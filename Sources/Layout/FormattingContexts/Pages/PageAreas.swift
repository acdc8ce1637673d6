public import OffprintCoreTypes
internal import OffprintCSS

/// The sizes of the page areas that a document is fragmented into, in CSS px. https://drafts.csswg.org/css-page-3/#page-model
public struct PageAreas: Hashable, Sendable {
  /// The block sizes of the pages with one name.
  public struct Sizes: Hashable, Sendable {
    /// The first page of the document.
    public var first: LayoutUnit
    /// `even` is for pages 2, 4, … (left pages), `odd` for pages 3, 5, … (right pages).
    public var even: LayoutUnit
    public var odd: LayoutUnit

    public init(first: LayoutUnit, even: LayoutUnit, odd: LayoutUnit) { self.first = first; self.even = even; self.odd = odd }

    /// - Parameter index: From 0.
    func size(_ index: Int) -> LayoutUnit { index == 0 ? first : index % 2 == 0 ? odd : even }
  }

  /// Pages without a name.
  public var sizes: Sizes
  /// Pages with names.
  public var named: [ByteString: Sizes]
  /// The difference between the widths of named and unnamed page areas, by name, if not zero.
  public var widening: [ByteString: LayoutUnit]

  public init(_ sizes: Sizes, named: [ByteString: Sizes] = [:], widening: [ByteString: LayoutUnit] = [:]) {
    self.sizes = sizes; self.named = named; self.widening = widening
  }

  /// The block size of page `index`, if it has this name.
  func size(_ index: Int, name: ByteString?) -> LayoutUnit { (name.flatMap { named[$0] } ?? sizes).size(index) }
}

/// A page in the coordinates of the laid-out document, in which pages are adjacent.
public struct PageExtent: Sendable {
  public var start: LayoutUnit
  public var end: LayoutUnit
  /// https://drafts.csswg.org/css-page-3/#using-named-pages
  public var name: ByteString?
  /// Whether it is an empty page before content that must begin on a right or left page. https://drafts.csswg.org/css-page-3/#blank-pseudo
  public var isBlank = false
}

extension LayoutEngine {
  /// The difference between the widths of the pages of a box and of its parent. Only the contents of the box are wider, not its ancestors.
  @inline(__always)
  func pageWidening(of box: BoxID) -> LayoutUnit {
    widensPages && tree[box].style.box.page != nil ? pageWidening(of: tree[box].style.box.page, in: tree[box].parent) : .zero
  }

  private func pageWidening(of name: ByteString?, in parent: BoxID) -> LayoutUnit {
    func width(_ name: ByteString?) -> LayoutUnit { name.flatMap { pageAreas?.widening[$0] } ?? .zero }
    return width(name) - width(PageNames.used(self, parent))
  }
}
