import OffprintCSS
public import OffprintCoreTypes
public import OffprintDOM
public import OffprintImages
public import OffprintLayout

/// Renders SVG documents as images.
extension Painter {
  /// - Parameters:
  ///   - view: The view that the URL's fragment identifier selects, if any.
  ///   - natural: The natural size of the document in CSS px, if it has one.
  ///   - width: Width of the bitmap in pixels.
  ///   - height: Height of the bitmap in pixels.
  /// - Throws: `DeadlineExceeded`, `LimitExceeded`, `ImageError`.
  public func bitmap(
    of scene: SVGScene, root: NodeID, view: SVGView?, natural: (width: Double, height: Double)?, width: Int, height: Int,
    limits: Limits, deadline: Deadline
  ) throws -> Bitmap {
    guard width > 0, height > 0, width <= 32_767, height <= 32_767, width * height <= limits.decodedPixels,
      var bitmap = Bitmap(width: width, height: height)
    else { throw ImageError(.imageTooLarge, "The SVG image cannot be rendered at \(width) × \(height) pixels.") }
    scene.beginDrawing()
    let list = try self.list(of: scene, root: root, view: view, natural: natural, width: width, height: height, limits, deadline)
    note(missing: list.missingCharacters)
    var first = 0
    try draw(list, background: nil, limits: limits, deadline: deadline) { rows, count in
      guard let source = rows.baseAddress else { return }
      bitmap.withUnsafeMutablePixels { pixels in
        guard let base = pixels.baseAddress, (first + count) * width <= pixels.count else { return }
        (base + first * width).update(from: source, count: count * width)
      }
      first += count
    }
    return bitmap
  }

  private func list(
    of scene: SVGScene, root: NodeID, view: SVGView?, natural: (width: Double, height: Double)?, width: Int, height: Int,
    _ limits: Limits, _ deadline: Deadline
  ) throws -> DisplayList {
    var viewport = SVGViewport(width: Double(width), height: Double(height))
    if let natural, natural.width > 0, natural.height > 0 {
      // A document without `viewBox` is stretched; one with `viewBox` is laid out in the given box.
      viewport =
        view?.viewBox ?? scene.viewBox(root) == nil
        ? SVGViewport(width: natural.width, height: natural.height)
        : SVGViewport(width: natural.width, height: natural.width * Double(height) / Double(width))
    }
    let recorder = DisplayListRecorder(bounds: PixelRect(x: 0, y: 0, width: width, height: height))
    recorder.glyphs = glyphs
    let node = try scene.root(root, viewport, view: view)
    let (tree, fragments) = try foreignContent(scene, node, viewport, limits, deadline)
    let context = PaintContext(
      fragments: fragments, tree: tree, images: scene.images, scale: Double(width) / viewport.width, origin: (0, 0), glyphs: glyphs,
      deadline: deadline, recorder: recorder)
    let style = scene.styled.style(of: root)
    recorder.fill(recorder.list.bounds, style.background.color.resolve(style.text.color))
    let painter = SVGPainter(context, scene)
    let rect = DisplayRect(x: 0, y: 0, width: viewport.width, height: viewport.height)
    recorder.pushTransform(AffineTransform(a: Double(width) / viewport.width, b: 0, c: 0, d: Double(height) / viewport.height, e: 0, f: 0))
    try painter.withEffects(style, bounds: node.bounds.map { node.transform.mapRect($0) }, viewport: viewport) { painter in
      try painter.paint(node, at: rect, viewport: viewport)
    }
    recorder.popTransform()
    try context.checkFailure()
    var list = recorder.list
    list.missingCharacters = recorder.missing.codepoints
    return list
  }

  /// Lays out the HTML in `foreignObject` elements.
  private func foreignContent(
    _ scene: SVGScene, _ node: SVGNode, _ viewport: SVGViewport, _ limits: Limits, _ deadline: Deadline
  ) throws -> (BoxTree, FragmentTree) {
    guard scene.hasForeignContent else { return (BoxTree(styled: scene.styled), FragmentTree()) }
    var images = scene.images
    images.byNode.merge(scene.elementImages) { $1 }
    let tree = try BoxTreeBuilder.build(scene.styled, images: images, limits: limits, deadline: deadline)
    let size = LayoutSize(width: LayoutUnit(rounding: viewport.width), height: LayoutUnit(rounding: viewport.height))
    let engine = LayoutEngine(tree: tree, fonts: scene.fonts, viewport: size, deadline: deadline, limits: limits)
    try engine.layoutForeignContent(of: node, scene)
    return (engine.tree, engine.fragments)
  }
}
