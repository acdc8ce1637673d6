import CSS
import CoreTypes
import Glibc
import Images
import Layout

/// What a stacking context has opened around its contents.
struct OpenEffects {
  var transforms = 0
  var clips = 0
  var hasFilterGroup = false
  var hasGroup = false
  var isTransformed = false
  /// The context of the box's surroundings.
  var outerContext3D: DisplayListBuilder.Context3D?
  /// `clip-path: url()`.
  var clipReference: SVGReference?
}

extension DisplayListBuilder {
  /// Opens transforms, clip paths and groups; nil where nothing of the layer can be seen.
  func openEffects(_ layer: PaintLayer) -> OpenEffects? {
    var open = OpenEffects()
    guard let piece = layer.pieces.first else { return nil }
    let box = tree[layer.box], effects = box.style.effects
    let fragment = fragments[piece.fragment]
    guard openTransform(layer, box, fragment, piece.offset, &open) else { return nil }
    if let path = clipPath(effects.clipPath, fragment, piece.offset) {
      pushClip(path)
      open.clips = 1
    }
    if !effects.backdropFilter.isEmpty { addBackdrop(fragment, piece.offset) }
    var group = Group()
    group.opacity = min(max(effects.opacity, 0), 1)
    group.operation = .blend(effects.mixBlendMode)
    let filters = resolve(effects.filter, box.style, fragment, piece.offset)
    if case .reference(let url) = effects.clipPath, let reference = images.references[url], reference.kind == .clipPath {
      open.clipReference = reference
    }
    let isMasked = hasMask(box.style) || open.clipReference != nil
    // Filters come before masks.
    if !isMasked { group.filters = filters }
    if group.opacity < 1 || !group.isPlain || isMasked || isolates(layer) {
      pushGroup(group)
      open.hasGroup = true
    }
    if isMasked, !filters.isEmpty {
      var inner = Group()
      inner.filters = filters
      pushGroup(inner)
      open.hasFilterGroup = true
    }
    return open
  }

  func closeEffects(_ open: OpenEffects, _ layer: PaintLayer) {
    if open.hasFilterGroup { popGroup() }
    if open.hasGroup {
      if let piece = layer.pieces.first {
        let fragment = fragments[piece.fragment]
        if let clip = open.clipReference { paintClip(clip, fragment, piece.offset) }
        if hasMask(tree[layer.box].style) { paintMask(fragment, piece.offset) }
      }
      popGroup()
    }
    leaveClips(open.clips)
    if open.transforms > 0 { popTransform() }
    if open.isTransformed { openTransforms -= 1 }
    context3D = open.outerContext3D
  }

  /// A group of its own is only needed where something inside is blended with what is below.
  private func isolates(_ layer: PaintLayer) -> Bool {
    layer.isStackingContext
      && layer.children.contains {
        let effects = tree[layers[$0].box].style.effects
        return effects.mixBlendMode != .normal || (!effects.backdropFilter.isEmpty && tree[layer.box].style.effects.isolation == .isolate)
      }
  }

  // MARK: Transforms

  /// False where nothing of the layer can be seen.
  private func openTransform(
    _ layer: PaintLayer, _ box: Box, _ fragment: Fragment, _ offset: LayoutPoint, _ open: inout OpenEffects
  ) -> Bool {
    let outer = context3D, effects = box.style.effects
    open.outerContext3D = outer
    guard isTransformable(box) else {
      context3D = nil
      return true
    }
    let own = matrix(layer, fragment, offset)
    let keeps3D = preserves3D(layer, box)
    guard own != nil || outer != nil && keeps3D else {
      // The beginning of a context, or the end of one.
      context3D = keeps3D ? Context3D(matrix: .identity, flat: .identity) : nil
      return true
    }
    let total = (outer?.matrix ?? .identity) * (own ?? .identity)
    guard !(effects.backfaceVisibility == .hidden && total.showsBack), let flat = flattened(total, fragment, offset),
      let back = (outer?.flat ?? .identity).inverted
    else { return false }
    let step = outer == nil ? flat : back.concatenating(flat)
    context3D = keeps3D ? Context3D(matrix: total, flat: flat) : nil
    if own != nil {
      open.isTransformed = true
      openTransforms += 1
    }
    if !step.isIdentity {
      pushTransform(step)
      open.transforms = 1
    }
    return true
  }

  /// The used value of `transform-style`. https://drafts.csswg.org/css-transforms-2/#grouping-property-values
  private func preserves3D(_ layer: PaintLayer, _ box: Box) -> Bool {
    let effects = box.style.effects
    return effects.transformStyle == .preserve3d && effects.opacity >= 1 && effects.filter.isEmpty && effects.clipPath == .none
      && effects.mixBlendMode == .normal && effects.isolation == .auto && effects.clip == nil && !hasMask(box.style)
      && box.style.box.overflowX == .visible && box.style.box.overflowY == .visible && box.style.box.contain.isDisjoint(with: [.paint])
  }

  /// The matrix of `transform` and its relatives about their origin, in device pixels; nil for none.
  /// https://drafts.csswg.org/css-transforms-2/#ctm
  private func matrix(_ layer: PaintLayer, _ fragment: Fragment, _ offset: LayoutPoint) -> Matrix4? {
    let effects = tree[layer.box].style.effects
    let perspective = layer.outer.flatMap { outer in perspectiveMatrix(outer.fragment, outer.offset) }
    guard effects.hasTransform || perspective != nil && effects.hasTransform else { return nil }
    let geometry = BoxGeometry(self, fragment, offset)
    let reference = effects.transformBox == .contentBox ? DisplayRect(geometry.contentBox) : DisplayRect(geometry.borderBox)
    let size =
      effects.transformBox == .contentBox
      ? (reference.width, reference.height) : (fragment.size.width.double * scale, fragment.size.height.double * scale)
    let originX = reference.x + effects.transformOrigin.x.resolve(size.0 / scale) * scale
    let originY = reference.y + effects.transformOrigin.y.resolve(size.1 / scale) * scale
    let originZ = length(effects.transformOriginZ)
    var matrix = Matrix4.identity
    for function in [effects.translate, effects.rotate, effects.scale].compactMap({ $0 }) + effects.transform {
      matrix = matrix * Matrix4(function, width: size.0 / scale, height: size.1 / scale, scale: scale)
    }
    matrix = .translation(originX, originY, originZ) * matrix * .translation(-originX, -originY, -originZ)
    return perspective.map { $0 * matrix } ?? matrix
  }

  /// https://drafts.csswg.org/css-transforms-2/#perspective-property
  private func perspectiveMatrix(_ id: FragmentID, _ offset: LayoutPoint) -> Matrix4? {
    let fragment = fragments[id], effects = tree[fragment.box].style.effects
    guard let perspective = effects.perspective, isTransformable(tree[fragment.box]) else { return nil }
    let px = x(offset.x) + effects.perspectiveOrigin.x.resolve(fragment.size.width.double) * scale
    let py = y(offset.y) + effects.perspectiveOrigin.y.resolve(fragment.size.height.double) * scale
    return .translation(px, py, 0) * .perspective(length(max(perspective, 1))) * .translation(-px, -py, 0)
  }

  /// Onto the page; where perspective bends it, as at the box's middle.
  private func flattened(_ matrix: Matrix4, _ fragment: Fragment, _ offset: LayoutPoint) -> AffineTransform? {
    let size = fragment.size
    let center = DisplayPoint(x(offset.x) + size.width.double * scale / 2, y(offset.y) + size.height.double * scale / 2)
    guard let flat = matrix.affine(around: center), flat.isFinite, abs(flat.determinant) > 1e-12 else { return nil }
    return flat
  }

  // MARK: Filters

  /// https://drafts.fxtf.org/filter-effects/#ShorthandEquivalents, lengths as they are on the picture.
  func resolve(_ filters: [FilterFunction], _ style: ComputedStyle, _ fragment: Fragment, _ offset: LayoutPoint) -> [DisplayFilter] {
    let factor = scale * transform.meanScale
    return filters.prefix(32).compactMap { filter in
      switch filter {
      case .blur(let radius): radius > 0 ? .blur(Double(radius) * factor) : nil
      case .brightness(let amount): .transfer(slope: max(0, amount), intercept: 0)
      case .contrast(let amount): .transfer(slope: max(0, amount), intercept: 0.5 - 0.5 * max(0, amount))
      case .invert(let amount):
        { (a: Float) in .transfer(slope: 1 - 2 * a, intercept: a) }(min(max(amount, 0), 1))
      case .opacity(let amount): .opacity(min(max(amount, 0), 1))
      case .grayscale(let amount): .matrix(FilterMatrix.grayscale(1 - min(max(amount, 0), 1)))
      case .sepia(let amount): .matrix(FilterMatrix.sepia(1 - min(max(amount, 0), 1)))
      case .saturate(let amount): .matrix(FilterMatrix.saturate(max(0, amount)))
      case .hueRotate(let angle): .matrix(FilterMatrix.hueRotate(angle))
      case .dropShadow(let shadow):
        .dropShadow(
          x: Double(shadow.x) * factor, y: Double(shadow.y) * factor, sigma: Double(max(0, shadow.blur)) * factor,
          shadow.color.resolve(style.text.color))
      case .reference(let url): images.references[url].flatMap { filterReference($0, factor, fragment, offset) }
      }
    }
  }

  private func filterReference(_ reference: SVGReference, _ factor: Double, _ fragment: Fragment, _ offset: LayoutPoint) -> DisplayFilter? {
    guard reference.kind == .filter, factor > 0 else { return nil }
    let box = BoxGeometry(self, fragment, offset).borderBox
    let origin = transform.map(DisplayPoint(Double(box.left), Double(box.top)))
    return .reference(
      SVGFilter(
        reference: reference, origin: origin, scale: factor, width: Double(box.width) / scale, height: Double(box.height) / scale))
  }

  private func addBackdrop(_ fragment: Fragment, _ offset: LayoutPoint) {
    let style = tree[fragment.box].style
    let filters = resolve(style.effects.backdropFilter, style, fragment, offset)
    guard !filters.isEmpty else { return }
    let shape = BoxGeometry(self, fragment, offset).borderShape
    noteBackdrop(reach: filters.reduce(0) { $0 + $1.reach })
    add(.backdrop(shape, filters), shape.rect.enclosing)
  }

  /// https://drafts.csswg.org/css-masking-1/#mask-layers
  private func paintMask(_ fragment: Fragment, _ offset: LayoutPoint) {
    let style = tree[fragment.box].style
    let geometry = BoxGeometry(self, fragment, offset)
    var outer = Group()
    let layers = style.effects.mask
    outer.operation = .mask(luminance: false)
    pushGroup(outer)
    for (index, layer) in layers.enumerated().reversed() {
      var group = Group()
      let isBottom = index == layers.count - 1
      if !isBottom {
        group.operation =
          switch layer.composite {
          case .add: .blend(.normal)
          case .subtract: .outside
          case .intersect: .inside
          case .exclude: .xor
          }
      }
      let needsGroup = group.operation != .blend(.normal)
      if needsGroup { pushGroup(group) }
      paintMaskLayer(layer, style, geometry, fragment)
      if needsGroup { popGroup() }
    }
    popGroup()
  }

  private func paintMaskLayer(_ layer: BackgroundLayer, _ style: ComputedStyle, _ geometry: BoxGeometry, _ fragment: Fragment) {
    if case .url(let url) = layer.image, let reference = images.references[url] {
      let mode: SVGReference.MaskMode =
        switch layer.maskMode {
        case .matchSource: .matchSource
        case .alpha: .alpha
        case .luminance: .luminance
        }
      if reference.kind == .mask { paintCoverage(reference, mode, geometry) }
      return
    }
    guard layer.maskMode == .luminance else { return paint(layer, style, geometry, fragment) }
    var group = Group()
    group.filters = [.luminanceToAlpha]
    pushGroup(group)
    paint(layer, style, geometry, fragment)
    popGroup()
  }

  private func paintClip(_ reference: SVGReference, _ fragment: Fragment, _ offset: LayoutPoint) {
    var group = Group()
    group.operation = .mask(luminance: false)
    pushGroup(group)
    paintCoverage(reference, .matchSource, BoxGeometry(self, fragment, offset))
    popGroup()
  }

  /// What a mask or clip path lets through, over all that can be seen around the box.
  private func paintCoverage(_ reference: SVGReference, _ mode: SVGReference.MaskMode, _ geometry: BoxGeometry) {
    let box = geometry.borderBox
    guard let inverse = transform.inverted else { return }
    let area = inverse.mapBounds(clipBounds).intersection(box.expanded(by: clampedPixel(2000 * min(scale, 4))))
    guard !area.isEmpty, area.width <= 16_384, area.height <= 16_384 else { return }
    let view = SVGReference.Area(
      x: Double(area.left - box.left) / scale, y: Double(area.top - box.top) / scale, width: Double(area.width) / scale,
      height: Double(area.height) / scale)
    let image = reference.coverage(box: (Double(box.width) / scale, Double(box.height) / scale), view: view, mode: mode)
    add(.pattern(Pattern(source: .vector(image), tile: DisplayRect(area), area: RoundedRect(area))), area)
  }
}

/// https://drafts.fxtf.org/filter-effects/#feColorMatrixElement
enum FilterMatrix {
  static func saturate(_ s: Float) -> [Float] {
    [
      0.213 + 0.787 * s, 0.715 - 0.715 * s, 0.072 - 0.072 * s, 0, 0.213 - 0.213 * s, 0.715 + 0.285 * s, 0.072 - 0.072 * s, 0,
      0.213 - 0.213 * s, 0.715 - 0.715 * s, 0.072 + 0.928 * s, 0,
    ]
  }
  static func grayscale(_ a: Float) -> [Float] {
    [
      0.2126 + 0.7874 * a, 0.7152 - 0.7152 * a, 0.0722 - 0.0722 * a, 0, 0.2126 - 0.2126 * a, 0.7152 + 0.2848 * a, 0.0722 - 0.0722 * a, 0,
      0.2126 - 0.2126 * a, 0.7152 - 0.7152 * a, 0.0722 + 0.9278 * a, 0,
    ]
  }
  static func sepia(_ a: Float) -> [Float] {
    [
      0.393 + 0.607 * a, 0.769 - 0.769 * a, 0.189 - 0.189 * a, 0, 0.349 - 0.349 * a, 0.686 + 0.314 * a, 0.168 - 0.168 * a, 0,
      0.272 - 0.272 * a, 0.534 - 0.534 * a, 0.131 + 0.869 * a, 0,
    ]
  }
  static func hueRotate(_ degrees: Float) -> [Float] {
    let c = cosf(degrees * .pi / 180), s = sinf(degrees * .pi / 180)
    return [
      0.213 + c * 0.787 - s * 0.213, 0.715 - c * 0.715 - s * 0.715, 0.072 - c * 0.072 + s * 0.928, 0,
      0.213 - c * 0.213 + s * 0.143, 0.715 + c * 0.285 + s * 0.140, 0.072 - c * 0.072 - s * 0.283, 0,
      0.213 - c * 0.213 - s * 0.787, 0.715 - c * 0.715 + s * 0.715, 0.072 + c * 0.928 + s * 0.072, 0,
    ]
  }
}
