import CSS
import CoreTypes
import Images
import Layout
import Typography

// https://drafts.csswg.org/css-images-3/#object-fit and list markers drawn as shapes.
extension DisplayListBuilder {
  func paintReplaced(_ fragment: Fragment, _ offset: LayoutPoint) {
    let box = tree[fragment.box]
    if fragment.kind == .box, box.control == .menu { paintMenuArrow(fragment, offset) }
    guard fragment.kind == .box, box.kind == .replaced, !isTextMask, tree.replaced.indices.contains(Int(box.replaced)),
      fragment.style.text.visibility == .visible
    else { return }
    let content = tree.replaced[Int(box.replaced)]
    switch content.kind {
    case .empty: break
    case .symbol(let symbol): paintSymbol(symbol, fragment, offset)
    case .image(let image): paintImage(image, content, fragment, offset)
    case .control(let control, let isDisabled): paintControl(control, isDisabled: isDisabled, fragment, offset)
    }
  }

  private func paintImage(_ image: DecodedImage, _ content: ReplacedContent, _ fragment: Fragment, _ offset: LayoutPoint) {
    let style = fragment.style
    let geometry = BoxGeometry(self, fragment, offset)
    let area = LayoutRect(origin: offset, size: fragment.size).inset(by: fragment.border + fragment.padding)
    let box = geometry.contentBox
    guard !box.isEmpty else { return }
    let (width, height) = objectSize(content, area, style.box.objectFit)
    guard width > 0, height > 0 else { return }
    let position = style.box.objectPosition
    let left = position.x.resolve(area.size.width.double - width), top = position.y.resolve(area.size.height.double - height)
    let object = LayoutRect(
      x: area.minX + LayoutUnit(rounding: left), y: area.minY + LayoutUnit(rounding: top), width: LayoutUnit(rounding: width),
      height: LayoutUnit(rounding: height))
    let tile = snap(object)
    let shape = geometry.contentShape
    let source: Pattern.Source
    switch image.content {
    case .bitmap(let bitmap):
      guard !bitmap.isEmpty else { return }
      source = .bitmap(bitmap, smooth: isSmooth(style))
    case .vector(let vector): source = .vector(vector)
    }
    let visible = tile.intersection(box)
    guard !visible.isEmpty else { return }
    let isRounded = shape.isRounded
    let coversAll = visible == box
    if isRounded, !coversAll { pushClip(.rounded(shape)) }
    let pattern = Pattern(source: source, tile: DisplayRect(tile), area: isRounded && coversAll ? shape : RoundedRect(visible))
    add(.pattern(pattern), visible)
    if isRounded, !coversAll { popClip() }
  }

  /// The object's size in CSS px.
  private func objectSize(_ content: ReplacedContent, _ area: LayoutRect, _ fit: ObjectFit) -> (Double, Double) {
    let box = (area.size.width.double, area.size.height.double)
    var natural: (Double, Double)?
    let ratio = content.naturalRatio.map { Double($0) }
    if let w = content.naturalWidth, let h = content.naturalHeight { natural = (Double(w), Double(h)) }
    func contained(_ cover: Bool) -> (Double, Double) {
      let r = natural.flatMap { $0.1 > 0 ? $0.0 / $0.1 : nil } ?? ratio
      guard let r, r > 0 else { return box }
      let isWide = box.0 / r > box.1
      return (cover ? isWide : !isWide) ? (box.0, box.0 / r) : (box.1 * r, box.1)
    }
    switch fit {
    case .fill: return box
    case .contain: return contained(false)
    case .cover: return contained(true)
    case .none: return natural ?? contained(false)
    case .scaleDown:
      let small = contained(false)
      guard let natural else { return small }
      return natural.0 <= small.0 && natural.1 <= small.1 ? natural : small
    }
  }

  /// A disc, circle, square or triangle sized by the font, as Chromium draws them.
  private func paintSymbol(_ symbol: MarkerSymbol, _ fragment: Fragment, _ offset: LayoutPoint) {
    let style = fragment.style
    let color = style.text.color
    let ascent = symbolAscent(style)
    switch symbol {
    case .disclosureOpen, .disclosureClosed: return paintDisclosure(symbol, fragment, offset, color)
    case .disc, .circle, .square: break
    }
    let size = (ascent * 2 / 3 + 1) / 2
    let top = 3 * (ascent - ascent * 2 / 3) / 2
    let rect = snap(
      LayoutRect(x: offset.x + LayoutUnit(1), y: offset.y + LayoutUnit(top), width: LayoutUnit(size), height: LayoutUnit(size)))
    let shape = DisplayRect(rect)
    switch symbol {
    case .square: fill(rect, color)
    case .disc: fill(.ellipse(center: shape.center, rx: shape.width / 2, ry: shape.height / 2), color)
    case .circle:
      let inner = shape.insetBy(scale / 2)
      stroke(.ellipse(center: inner.center, rx: inner.width / 2, ry: inner.height / 2), Stroke(width: scale), color)
    default: break
    }
  }

  /// The whole pixels of the font's ascent.
  private func symbolAscent(_ style: ComputedStyle) -> Int {
    guard let fonts else { return Int(max(0, min(1e5, style.font.size * 0.9)).rounded()) }
    return Int(max(0, min(1e5, fonts.metrics(FontDescription(style.font)).ascent)))
  }

  private func paintDisclosure(_ symbol: MarkerSymbol, _ fragment: Fragment, _ offset: LayoutPoint, _ color: Color) {
    let r = DisplayRect(snap(LayoutRect(origin: offset, size: fragment.size)))
    let side = min(r.width, r.height)
    guard side > 0 else { return }
    let box = DisplayRect(x: r.x, y: r.y + (r.height - side) / 2, width: side, height: side)
    let points: [DisplayPoint]
    if case .disclosureOpen = symbol {
      points = [
        DisplayPoint(box.x, box.y + side * 0.07), DisplayPoint(box.maxX, box.y + side * 0.07),
        DisplayPoint(box.x + side / 2, box.y + side * 0.93),
      ]
    } else if fragment.style.text.direction == .rtl {
      points = [
        DisplayPoint(box.maxX - side * 0.07, box.y), DisplayPoint(box.x + side * 0.07, box.y + side / 2),
        DisplayPoint(box.maxX - side * 0.07, box.maxY),
      ]
    } else {
      points = [
        DisplayPoint(box.x + side * 0.07, box.y), DisplayPoint(box.x + side * 0.93, box.y + side / 2),
        DisplayPoint(box.x + side * 0.07, box.maxY),
      ]
    }
    fill(.polygon(points), color)
  }
}
