import OffprintCSS
import OffprintCoreTypes
import OffprintDOM
import OffprintImages
import OffprintLayout
import OffprintTypography

/// Paints SVG trees into the display list, in user space. https://www.w3.org/TR/SVG2/render.html
struct SVGPainter: FragmentPainter {
  let context: PaintContext
  let scene: SVGScene
  /// From the user space around the outermost `svg` element to pixels of the image, for `vector-effect: non-scaling-stroke`.
  var host = AffineTransform.identity
  /// Patterns, masks, clip paths, markers and filters being painted, to detect reference cycles.
  var active: [NodeID] = []
  /// The paints of `context-fill` and `context-stroke`.
  var contextFill: SVGInk = .none
  var contextStroke: SVGInk = .none
  /// From the space of the context paints to the image.
  var contextSpace = AffineTransform.identity
  /// Whether a clip path is being painted. Its shapes are painted black, regardless of their paint.
  var isSilhouette = false

  init(_ context: PaintContext, _ scene: SVGScene) {
    self.context = context
    self.scene = scene
  }

  private static let deepest = 48

  var canDescend: Bool { active.count < Self.deepest }

  /// The painter for the contents of a resource; nil on a reference cycle or if the nesting is too deep.
  func entering(_ node: NodeID) -> SVGPainter? {
    guard canDescend, !active.contains(node) else { return nil }
    var inner = self
    inner.active.append(node)
    return inner
  }

  // MARK: Nodes

  /// Paints the contents of an outermost `svg` element, whose viewport is at `rect` in pixels of the image.
  func paint(_ drawing: SVGNode, at rect: DisplayRect, viewport: SVGViewport) throws {
    guard viewport.width > 0, viewport.height > 0 else { return }
    let place = AffineTransform(
      a: rect.width / viewport.width, b: 0, c: 0, d: rect.height / viewport.height, e: rect.x, f: rect.y)
    var painter = self
    painter.host = recorder.transform.concatenating(place)
    pushTransform(place.concatenating(drawing.transform))
    for child in drawing.children { try painter.paint(child) }
    popTransform()
  }

  func paint(_ node: SVGNode) throws {
    try context.step()
    if isEmpty(node) { return }
    let isMoved = !node.transform.isIdentity
    if isMoved {
      guard abs(node.transform.determinant) > 1e-18 else { return }
      pushTransform(node.transform)
    }
    try withEffects(node.style, bounds: node.bounds, viewport: node.viewport) { painter in
      try painter.paintContents(node)
    }
    if isMoved { popTransform() }
  }

  private func isEmpty(_ node: SVGNode) -> Bool {
    switch node.kind {
    case .group, .viewport: node.children.isEmpty && node.style.effects.filter.isEmpty
    case .shape(let path): path.elements.isEmpty
    case .text(let text): text.items.isEmpty && node.style.effects.filter.isEmpty
    case .image, .foreign: false
    }
  }

  func paintContents(_ node: SVGNode) throws {
    let isVisible = node.style.text.visibility == .visible
    switch node.kind {
    case .group:
      var inner = self
      if node.isUse {
        inner.contextSpace = recorder.transform
        inner.contextFill = ink(node.style.svg.fill, node.style.svg.fillOpacity, node.style, node.bounds, node.viewport)
        inner.contextStroke = ink(node.style.svg.stroke, node.style.svg.strokeOpacity, node.style, node.bounds, node.viewport)
      }
      for child in node.children { try inner.paint(child) }
    case .viewport(let clip):
      if let clip { pushClip(clip) }
      for child in node.children { try paint(child) }
      if clip != nil { popClip() }
    case .shape(let path): if isVisible { try paintShape(node, path) }
    case .text(let text): try paintText(node, text)
    case .image(let image, let rect, let fit):
      guard isVisible else { break }
      if case .vector(let vector) = image.content { paintVector(vector, rect, fit) } else { paintImage(image, rect, fit) }
    case .foreign(let rect): if isVisible { try paintForeign(node, rect) }
    }
  }

  func pushClip(_ rect: DisplayRect) { recorder.pushClip(.rounded(RoundedRect(rect))) }

  /// Paints the laid out contents of a `foreignObject`.
  private func paintForeign(_ node: SVGNode, _ rect: DisplayRect) throws {
    guard let fragment = scene.foreignContent[node.reference.node], node.reference.instance < 0, !isSilhouette else { return }
    let painter = StackingContextPainter(context.atOrigin())
    let clips = SVGScene.clipsOverflow(node.style)
    if clips { pushClip(rect) }
    // The contents are an isolated group: they do not blend with the rest of the drawing.
    pushGroup(Group())
    pushTransform(.translation(rect.x, rect.y).concatenating(.scaling(1 / context.scale, 1 / context.scale)))
    try painter.paintTree(fragment)
    popTransform()
    popGroup()
    if clips { popClip() }
  }

  // MARK: Images

  /// Paints an SVG document referenced by an `image` element. As in Chromium, the document is laid out in the element's box and fitted by
  /// its own `preserveAspectRatio`.
  private func paintVector(_ vector: VectorImage, _ rect: DisplayRect, _ fit: SVGImageFit) {
    guard !isSilhouette else { return }
    var vector = vector
    vector.isStretched = fit.aspect.isNone
    recorder.add(.pattern(Pattern(source: .vector(vector), tile: rect, area: RoundedRect(rect))), rect)
  }

  /// https://www.w3.org/TR/SVG2/embedded.html#ImageElement
  func paintImage(_ image: DecodedImage, _ rect: DisplayRect, _ fit: SVGImageFit) {
    guard !isSilhouette else { return }
    let natural = DisplayRect(
      x: 0, y: 0, width: image.intrinsicWidth ?? rect.width, height: image.intrinsicHeight ?? rect.height)
    guard natural.width > 0, natural.height > 0 else { return }
    var box = natural
    if image.intrinsicWidth == nil || image.intrinsicHeight == nil, let ratio = image.ratio, ratio > 0 {
      box = DisplayRect(x: 0, y: 0, width: ratio, height: 1)
    }
    let tile = fit.aspect.transform(box, to: rect).mapRect(box)
    let source: Pattern.Source =
      switch image.content {
      case .bitmap(let bitmap): .bitmap(bitmap, smooth: fit.isSmooth)
      case .vector(let vector): .vector(vector)
      }
    let visible = tile.intersection(rect)
    guard !visible.isEmpty else { return }
    let pattern = Pattern(source: source, tile: tile, area: RoundedRect(visible))
    recorder.add(.pattern(pattern), visible)
  }
}

extension DisplayListRecorder {
  /// Records a command that changes `bounds`, which need not be whole pixels.
  func add(_ command: DisplayCommand, _ bounds: DisplayRect) {
    let visible = transform.mapBounds(bounds).expanded(by: 1).intersection(clipBounds)
    guard !visible.isEmpty else { return }
    if case .glyphs(let run) = command { add(run, visible) } else { append(command, visible) }
  }
}
