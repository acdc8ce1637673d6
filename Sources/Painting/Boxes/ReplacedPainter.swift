import OffprintCSS
import OffprintCoreTypes
import OffprintImages
import OffprintLayout
import OffprintTypography

// https://drafts.csswg.org/css-images-3/#object-fit
struct ReplacedPainter: FragmentPainter {
  let context: PaintContext

  func paintReplaced(_ fragment: Fragment, _ offset: LayoutPoint) {
    let box = tree[fragment.box]
    if fragment.kind == .box, box.control == .textArea { controls.paintResizer(fragment, offset) }
    if fragment.kind == .box, box.control == .menu { controls.paintMenuArrow(fragment, offset) }
    if fragment.payload >= 0, fragment.kind == .box, box.isMath { MathBarPainter(context: context).paint(fragment, offset) }
    guard fragment.kind == .box, box.kind == .replaced, tree.replaced.indices.contains(Int(box.replaced)),
      fragment.style.text.visibility == .visible
    else { return }
    let content = tree.replaced[Int(box.replaced)]
    switch content.kind {
    case .empty: break
    case .brokenImage(let hasFrame, let hasIcon):
      BrokenImagePainter(context: context).paint(fragment, offset, hasFrame: hasFrame, hasIcon: hasIcon)
    case .drawing: paintDrawing(fragment, offset)
    case .symbol(let symbol): MarkerPainter(context: context).paint(symbol, fragment, offset)
    case .image(let image): paintImage(image, content, fragment, offset)
    case .gradient(let image): paintGradient(image, fragment, offset)
    case .control(let control, let isDisabled): controls.paintControl(control, isDisabled: isDisabled, fragment, offset)
    }
    guard content.hasControls else { return }
    var hasPoster = false
    if case .image = content.kind { hasPoster = true }
    VideoControlsPainter(context: context).paint(fragment, offset, hasPoster: hasPoster)
  }

  /// Paints an inline `svg` element. https://www.w3.org/TR/SVG2/render.html#PaintersModel
  private func paintDrawing(_ fragment: Fragment, _ offset: LayoutPoint) {
    guard fragments.drawings.indices.contains(Int(fragment.payload)), let scene = fragments.scene else { return }
    let area = LayoutRect(origin: offset, size: fragment.size).inset(by: fragment.border + fragment.padding)
    let rect = snappedContent(area, of: LayoutRect(origin: offset, size: fragment.size))
    guard rect.width > 0, rect.height > 0 else { return }
    let clip = drawingClip(fragment, offset)
    if let clip { pushClip(clip) }
    // The element is zoomed as a whole, not its contents. https://drafts.csswg.org/css-viewport-1/#zoom-property
    let zoom = Double(fragment.style.zoom)
    let viewport = SVGViewport(width: area.size.width.double / zoom, height: area.size.height.double / zoom)
    context.attempt { try SVGPainter(context, scene).paint(fragments.drawings[Int(fragment.payload)].root, at: rect, viewport: viewport) }
    if clip != nil { popClip() }
  }

  /// The content box, offset so that the corner of the border box is on a whole pixel. Chromium snaps `svg` elements in this way.
  private func snappedContent(_ content: LayoutRect, of border: LayoutRect) -> DisplayRect {
    let snapped = snap(border)
    return DisplayRect(
      x: Double(snapped.left) + (content.minX - border.minX).double * scale,
      y: Double(snapped.top) + (content.minY - border.minY).double * scale,
      width: content.size.width.double * scale, height: content.size.height.double * scale)
  }

  /// The clip of the content, nil if it is `visible` in both axes. The axes may differ.
  /// https://drafts.csswg.org/css-overflow-3/#valdef-overflow-clip
  private func drawingClip(_ fragment: Fragment, _ offset: LayoutPoint) -> ClipShape? {
    let style = fragment.style.box, shape = BoxGeometry(context, fragment, offset).contentShape
    let far = 100_000_000
    var rect = shape.rect.enclosing
    switch (style.overflowX == .visible, style.overflowY == .visible) {
    case (true, true): return nil
    case (false, false): return .rounded(shape)
    case (true, false): (rect.left, rect.right) = (-far, far)
    case (false, true): (rect.top, rect.bottom) = (-far, far)
    }
    return .rect(rect)
  }

  private func paintImage(_ image: DecodedImage, _ content: ReplacedContent, _ fragment: Fragment, _ offset: LayoutPoint) {
    let style = fragment.style
    let geometry = BoxGeometry(context, fragment, offset)
    let area = LayoutRect(origin: offset, size: fragment.size).inset(by: fragment.border + fragment.padding)
    let box = geometry.contentBox
    guard !box.isEmpty else { return }
    let isFrame = isFrame(image, fragment)
    let (width, height) = objectSize(content, area, isFrame ? .none : style.box.objectFit)
    guard width > 0, height > 0 else { return }
    let position = style.box.objectPosition
    let left = isFrame ? 0 : position.x.resolve(area.size.width.double - width)
    let top = isFrame ? 0 : position.y.resolve(area.size.height.double - height)
    let object = LayoutRect(
      x: area.minX + LayoutUnit(rounding: left), y: area.minY + LayoutUnit(rounding: top), width: LayoutUnit(rounding: width),
      height: LayoutUnit(rounding: height))
    let shown = snap(object)
    let tile = whole(object, content.visiblePart)
    let shape = geometry.contentShape
    let source: Pattern.Source
    switch image.content {
    case .bitmap(let bitmap):
      guard !bitmap.isEmpty else { return }
      source = .bitmap(bitmap, smooth: style.isSmooth)
    case .vector(let vector):
      let part = content.visiblePart ?? DisplayRect(x: 0, y: 0, width: 1, height: 1)
      source = .vector(vector.filling(width: width / part.width, height: height / part.height))
    }
    // The user agent style sheet sets `overflow: clip`, which authors can override.
    // https://drafts.csswg.org/css-overflow-4/#overflow-control
    let clips = style.box.overflowX != .visible || style.box.overflowY != .visible
    let visible = clips ? shown.intersection(box) : shown
    guard !visible.isEmpty else { return }
    let isRounded = shape.isRounded && clips
    let coversAll = visible == box
    if isRounded, !coversAll { pushClip(.rounded(shape)) }
    let pattern = Pattern(source: source, tile: tile, area: isRounded && coversAll ? shape : RoundedRect(visible))
    add(.pattern(pattern), visible)
    if isRounded, !coversAll { popClip() }
  }

  /// The rectangle of the whole image, of which `part` (in 0...1) is shown at `object`.
  private func whole(_ object: LayoutRect, _ part: DisplayRect?) -> DisplayRect {
    guard let part else { return DisplayRect(snap(object)) }
    let (width, height) = (object.size.width.double * scale / part.width, object.size.height.double * scale / part.height)
    return DisplayRect(x: x(object.minX) - part.x * width, y: y(object.minY) - part.y * height, width: width, height: height)
  }

  /// Whether the image is an SVG document with a size, embedded by `object` or `embed`. It is shown as in a frame: at its own size, at the
  /// top left corner.
  private func isFrame(_ image: DecodedImage, _ fragment: Fragment) -> Bool {
    let node = tree[fragment.box].node
    guard case .vector(let vector) = image.content, vector.fragment.isEmpty, image.intrinsicWidth != nil, image.intrinsicHeight != nil,
      !node.isNone
    else { return false }
    let document = tree.styled.document
    return document.isHTMLElement(node, .object) || document.isHTMLElement(node, .embed)
  }

  /// Paints `content` with a gradient, which has no natural size and fills the box.
  private func paintGradient(_ image: ImageValue, _ fragment: Fragment, _ offset: LayoutPoint) {
    let geometry = BoxGeometry(context, fragment, offset), box = geometry.contentBox
    guard case .gradient(let gradient) = image, !box.isEmpty else { return }
    let tile = DisplayRect(box), area = geometry.contentShape
    let resolved = context.resolve(gradient, width: tile.width, height: tile.height, fragment.style)
    if resolved.stops.count == 1, let only = resolved.stops.first { return fill(area, only.color) }
    add(.pattern(Pattern(source: .gradient(resolved), tile: tile, area: area)), box)
  }

  /// The size of the object in CSS px.
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

  private var controls: ControlPainter { ControlPainter(context: context) }
}
