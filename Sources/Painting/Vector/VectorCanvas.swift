internal import COffprintCairo
import OffprintCSS
import OffprintCoreTypes
import OffprintImages
import OffprintTypography

/// Draws a display list as vectors into a cairo context. Content without an equivalent in cairo is rasterized at the resolution of the list.
final class VectorCanvas {
  let context: OpaquePointer
  let list: DisplayList
  let format: Painter.DocumentFormat
  let rasterizer: Rasterizer
  let fonts: VectorFonts
  let background: Color?
  let limits: Limits
  let meter: WorkMeter
  private let plan: VectorPlan
  let rasterImages: RasterImages
  /// Full-size images by the storage of the reduced image, which is retained so that its address stays unique.
  var wholes: [ObjectIdentifier: (small: Bitmap, whole: Bitmap)] = [:]
  /// Errors of content that is missing.
  private(set) var problems: [ImageError] = []
  private var transforms: [AffineTransform] = [.identity]
  /// The open groups; nil for those that need no cairo group.
  private var groups: [Group?] = []
  /// From pixels of the list to the page.
  private(set) var page = AffineTransform.identity
  private(set) var area = PixelRect.empty
  /// The estimated amount of data recorded for the current page.
  private var size = PageSize()

  init(
    _ context: OpaquePointer, _ list: DisplayList, _ format: Painter.DocumentFormat, rasterizer: Rasterizer, fonts: VectorFonts,
    rasterImages: RasterImages, background: Color?, limits: Limits, deadline: Deadline
  ) {
    self.context = context; self.list = list; self.format = format; self.rasterizer = rasterizer; self.fonts = fonts
    self.rasterImages = rasterImages
    self.background = background; self.limits = limits
    plan = VectorPlan(list, blends: format == .pdf)
    meter = WorkMeter(deadline: deadline, pathSteps: limits.pathSteps)
  }

  /// From item coordinates to pixels of the list.
  var listTransform: AffineTransform { transforms.last ?? .identity }
  /// From item coordinates to the page.
  var transform: AffineTransform { page.concatenating(listTransform) }

  func note(_ more: [ImageError]) {
    for problem in more where problems.count < 16 && !problems.contains(problem) { problems.append(problem) }
  }

  /// Returns the value, or records the error and returns nil.
  func reporting<Value>(_ make: () throws(ImageError) -> Value) -> Value? {
    do { return try make() } catch {
      note([error])
      return nil
    }
  }

  /// Draws the items that intersect `area`.
  ///
  /// - Throws: `DeadlineExceeded`, `LimitExceeded`.
  func draw(_ area: PixelRect, by page: AffineTransform) throws {
    (self.area, self.page) = (area, page)
    (transforms, groups, size) = ([.identity], [], PageSize())
    var index = 0
    while index < list.items.count {
      let item = list.items[index]
      try meter.spend(1 << 8)
      let after = item.command.opens ? max(item.end, index) + 1 : index + 1
      if !item.bounds.intersects(area), !item.command.closes {
        index = after
        continue
      }
      switch plan.representations[index] {
      case .drawn:
        try perform(item, index)
        try permitWriting()
        index += 1
        continue
      case .raster: try drawRasterized(index..<min(after, list.items.count), item.bounds, isWhole: false)
      case .flattened: try drawRasterized(0..<min(after, list.items.count), item.bounds, isWhole: true)
      }
      try permitWriting()
      index = after
    }
  }

  /// Checks the estimated cost of cairo's final pass, which cannot be interrupted.
  func permitWriting() throws {
    try meter.permit(documentPoints: size.points)
    try meter.permit(seconds: size.seconds(format, pixels: rasterImages.pixels))
  }

  private func perform(_ item: DisplayItem, _ index: Int) throws {
    switch item.command {
    case .fillRect(let rect, let color): fill(color) { $0.add(RoundedRect(rect)) }
    case .fillRoundedRect(let shape, let color): fill(color) { $0.add(shape) }
    case .fillRing(let outer, let inner, let color):
      fill(color) {
        $0.add(outer)
        if !inner.rect.isEmpty { $0.add(inner) }
        $0.evenOdd = true
      }
    case .fillPath(let path, let color): fill(color) { $0 = path }
    case .strokePath(let path, let stroke, let color): self.stroke(path, stroke, color)
    case .pattern(let pattern):
      size.add(1)
      try paint(pattern)
    case .glyphs(let run): try draw(run)
    case .shadow(let shadow): paint(shadow)
    case .backdrop: break
    case .pushClip(let shape): pushClip(shape)
    case .pushTransform(let transform): transforms.append(listTransform.concatenating(transform))
    case .popTransform: if transforms.count > 1 { transforms.removeLast() }
    case .popClip:
      size.closeClip()
      cairo_restore(context)
    case .pushGroup(let group): pushGroup(group, index)
    case .popGroup: popGroup()
    }
  }

  // MARK: Shapes

  func setSource(_ color: Color) {
    let c = color.rgba8
    cairo_set_source_rgba(context, Double(c.r) / 255, Double(c.g) / 255, Double(c.b) / 255, Double(c.a) / 255)
  }

  func fill(_ color: Color, _ make: (inout VectorPath) -> Void) {
    var path = VectorPath()
    make(&path)
    setSource(color)
    append(path)
    size.add(path.pointCount)
    cairo_fill(context)
  }

  func noteText(glyphs: Int) { size.add(glyphs) }

  /// Replaces the current path of the context.
  func append(_ path: VectorPath) {
    cairo_new_path(context)
    CairoPath.append(path, transform, to: context)
    cairo_set_fill_rule(context, path.evenOdd ? CAIRO_FILL_RULE_EVEN_ODD : CAIRO_FILL_RULE_WINDING)
  }

  func stroke(_ path: VectorPath, _ stroke: Stroke, _ color: Color) {
    guard stroke.width > 0, stroke.width.isFinite, transform.inverted != nil else { return }
    setSource(color)
    let measure = StrokeMeasure(path, stroke, transform)
    size.add(path.pointCount &+ stroke.dashes.count)
    size.add(measure)
    cairo_save(context)
    cairo_set_tolerance(context, measure.tolerance)
    cairo_new_path(context)
    CairoPath.stroke(path, stroke, transform, in: context)
    cairo_restore(context)
  }

  /// Fills a shadow without blur: the area inside one shape and outside another.
  private func paint(_ shadow: BoxShadow) {
    cairo_save(context)
    defer { cairo_restore(context) }
    var outside = VectorPath()
    if shadow.isInset {
      append(Self.path(shadow.box))
      cairo_clip(context)
      outside.add(RoundedRect(shadow.box.rect.insetBy(-1)))
      outside.add(shadow.shape)
      outside.evenOdd = true
    } else {
      var hole = VectorPath()
      hole.add(RoundedRect(shadow.shape.rect.union(shadow.box.rect).insetBy(-1)))
      hole.add(shadow.box)
      hole.evenOdd = true
      append(hole)
      cairo_clip(context)
      outside.add(shadow.shape)
    }
    fill(shadow.color) { $0 = outside }
  }

  static func path(_ shape: RoundedRect) -> VectorPath {
    var path = VectorPath()
    path.add(shape)
    return path
  }

  // MARK: Clips and groups

  private func pushClip(_ shape: ClipShape) {
    cairo_save(context)
    switch shape {
    case .rect(let rect): clip(Self.path(RoundedRect(rect)))
    case .rounded(let shape): clip(Self.path(shape))
    case .path(let path): clip(path)
    case .stroke: size.open(clip: 0)
    }
  }

  private func clip(_ path: VectorPath) {
    append(path)
    size.open(clip: path.pointCount)
    cairo_clip(context)
  }

  private func pushGroup(_ group: Group, _ index: Int) {
    let isNeeded = group.opacity < 1 || group.operation != .blend(.normal) || plan.isIsolated.contains(index)
    groups.append(isNeeded ? group : nil)
    if isNeeded { cairo_push_group(context) }
  }

  private func popGroup() {
    guard let open = groups.popLast(), let group = open else { return }
    cairo_pop_group_to_source(context)
    if case .blend(let mode) = group.operation { cairo_set_operator(context, mode.cairoOperator) }
    cairo_paint_with_alpha(context, Double(min(max(group.opacity, 0), 1)))
    cairo_set_operator(context, CAIRO_OPERATOR_OVER)
  }
}

extension DisplayRect {
  fileprivate func union(_ other: DisplayRect) -> DisplayRect {
    let left = min(x, other.x), top = min(y, other.y)
    return DisplayRect(x: left, y: top, width: max(maxX, other.maxX) - left, height: max(maxY, other.maxY) - top)
  }
}
