import OffprintCSS
import OffprintCoreTypes
import OffprintDOM
import OffprintImages
import OffprintLayout
import OffprintPainting
import OffprintTypography

/// Colors by letter: an image is compared with rows of letters.
enum Letter {
  static let colors: [(Character, Color)] = [
    (".", .white), ("k", .black), ("r", Color(r: 255, g: 0, b: 0)), ("g", Color(r: 0, g: 255, b: 0)), ("b", Color(r: 0, g: 0, b: 255)),
    ("y", Color(r: 255, g: 255, b: 0)), ("h", Color(r: 255, g: 127, b: 127)), ("H", Color(r: 255, g: 128, b: 128)),
  ]
  static func color(_ letter: Character) -> Color { colors.first { $0.0 == letter }?.1 ?? .transparent }
  /// The letter of a pixel; `?` for other colors, a space for transparent pixels.
  static func letter(_ pixel: UInt32) -> Character {
    pixel == 0 ? " " : colors.first { $0.1.premultipliedPixel == pixel }?.0 ?? "?"
  }
}

/// The rendered display list, one letter per pixel.
func rasterized(_ list: DisplayList, background: Color? = .white, bandHeight: Int? = nil, limits: Limits = Limits()) throws -> [String] {
  try pixels(list, background: background, bandHeight: bandHeight, limits: limits).map { String($0.map(Letter.letter)) }
}

func pixels(
  _ list: DisplayList, background: Color? = .white, bandHeight: Int? = nil, limits: Limits = Limits()
) throws -> [[UInt32]] {
  var rows: [[UInt32]] = []
  let width = list.bounds.width
  try Painter().draw(list, background: background, bandHeight: bandHeight, limits: limits, deadline: .never) { band, count in
    for row in 0..<count { rows.append(Array(band[row * width..<(row + 1) * width])) }
  }
  return rows
}

/// A page built in code: boxes with fragments at absolute positions.
struct Page {
  let arena = StyleArena()
  var tree: BoxTree
  var fragments = FragmentTree()
  /// The children of each fragment, which are added to the tree's links when the page is complete.
  private var children: [[FragmentLink]] = []
  let width: Int
  let height: Int

  init(width: Int, height: Int) {
    self.width = width
    self.height = height
    tree = BoxTree(styled: StyledDocument(document: Document(names: NameTable()), arena: arena, styles: []))
    let viewport = tree.append(Box(kind: .blockContainer, style: arena.initialStyle), to: .none)
    fragments.fragments.append(fragment(viewport, width: Double(width), height: Double(height)))
    children.append([])
    fragments.root = FragmentID(0)
  }

  private func fragment(_ box: BoxID, width: Double, height: Double) -> Fragment {
    Fragment(
      kind: .box, box: box, style: tree[box].style, size: LayoutSize(width: LayoutUnit(width), height: LayoutUnit(height)))
  }

  /// Adds a box with a single fragment, positioned in its parent's.
  @discardableResult
  mutating func add(
    _ kind: BoxKind = .blockContainer, in parent: FragmentID = FragmentID(0), x: Double = 0, y: Double = 0, width: Double, height: Double,
    color: Character = " ", border: Double = 0, inFragment: FragmentID? = nil, _ change: (inout Styles) -> Void = { _ in }
  ) -> FragmentID {
    var styles = Styles()
    if color != " " { styles.background.color = .color(Letter.color(color)) }
    if border > 0 {
      styles.border.width = PhysicalSides(all: Float(border))
      styles.border.style = PhysicalSides(all: .solid)
    }
    change(&styles)
    var box = Box(kind: kind, style: style(styles))
    box.isInlineLevel = styles.isInlineLevel
    let id = tree.append(box, to: fragments[parent].box)
    var piece = fragment(id, width: width, height: height)
    piece.border = LayoutEdges(
      top: LayoutUnit(border), right: LayoutUnit(border), bottom: LayoutUnit(border), left: LayoutUnit(border))
    let number = FragmentID(fragments.fragments.count)
    fragments.fragments.append(piece)
    children.append([])
    children[(inFragment ?? parent).index].append(
      FragmentLink(fragment: number, offset: LayoutPoint(x: LayoutUnit(x), y: LayoutUnit(y))))
    return number
  }

  struct Styles {
    var box = BoxStyle()
    var text = TextStyle()
    var border = BorderStyle()
    var background = BackgroundStyle()
    var effects = EffectStyle()
    var isInlineLevel = false
  }

  private func style(_ styles: Styles) -> ComputedStyle {
    arena.modified(arena.initialStyle) { record in
      record.box = arena.allocate(styles.box)
      record.text = arena.allocate(styles.text)
      record.border = arena.allocate(styles.border)
      record.background = arena.allocate(styles.background)
      record.effects = arena.allocate(styles.effects)
    }
  }

  func list(scale: Double = 1, origin: (x: Int, y: Int) = (0, 0), images: ImageStore = ImageStore()) throws -> DisplayList {
    var fragments = fragments
    for (index, links) in children.enumerated() {
      let start = fragments.links.count
      fragments.links.append(contentsOf: links)
      fragments.fragments[index].children = start..<fragments.links.count
    }
    return try DisplayListBuilder.build(
      fragments: fragments, tree: tree, images: images, size: (Int(Double(width) * scale), Int(Double(height) * scale)), scale: scale,
      origin: origin)
  }
}
