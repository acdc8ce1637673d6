import CSS
import CoreTypes
import DOM
import Images
import Layout
import Painting
import Typography

extension RenderWorker {
  struct Picture {
    var bytes: [UInt8]
    var width: Int
    var height: Int
  }

  /// fragments → display list → bands of pixels → PNG.
  func encode(_ page: LaidOutPage, _ state: inout Page) throws -> Picture {
    let options = try paintOptions(page, state.request, state.deadline)
    var encoder = try PNGEncoder(
      width: options.width, height: options.height, options: .init(compression: .init(state.request.compression)), workspace: workspace)
    try paint(page, options, &state, into: encoder.pixels) { rows in encoder.append(rows: rows) }
    state.clock.begin(.encode)
    let bytes: [UInt8]
    do { bytes = try encoder.finish(deadline: state.deadline) } catch {
      try state.deadline.check()
      throw error
    }
    state.clock.end()
    return Picture(bytes: bytes, width: options.width, height: options.height)
  }

  /// fragments → display list → bands of pixels → RGBA, 8 bits each, colours not multiplied by alpha.
  func pixels(_ page: LaidOutPage, _ state: inout Page) throws -> Picture {
    let options = try paintOptions(page, state.request, state.deadline)
    var bytes: [UInt8] = []
    bytes.reserveCapacity(options.width * options.height * 4)
    try paint(page, options, &state) { rows in
      for pixel in rows { bytes.append(straight: pixel) }
    }
    state.clock.end()
    return Picture(bytes: bytes, width: options.width, height: options.height)
  }

  private func paint(
    _ page: LaidOutPage, _ options: PaintOptions, _ state: inout Page, into picture: UnsafeMutablePointer<UInt32>? = nil,
    _ sink: (UnsafeBufferPointer<UInt32>) throws -> Void
  ) throws {
    state.clock.begin(.paint)
    try painter.paint(
      fragments: page.fragments, tree: page.tree, images: page.images, options: options, deadline: state.deadline,
      into: picture
    ) { rows, _ in try sink(rows) }
    for problem in painter.problems {
      state.log.report(Diagnostic(.init(rawValue: problem.code.rawValue), .degraded, problem.message))
    }
    try state.deadline.check()
  }

  /// Where the picture lies on the page, and how large it is.
  ///
  /// - Throws: `usage` and `limitExceeded` for sizes that no picture can have.
  func paintOptions(_ page: LaidOutPage, _ request: RenderRequest, _ deadline: Deadline) throws -> PaintOptions {
    let area = try pictureArea(page, request, deadline)
    let scale = request.scale
    guard [area.x, area.y, area.width, area.height, scale].allSatisfy({ $0.isFinite && abs($0) < 1e9 }) else {
      throw OffprintError(.usage, "A picture's rectangle and scale are finite numbers.")
    }
    let width = max(1, Int((area.width * scale).rounded(.up))), height = max(1, Int((area.height * scale).rounded(.up)))
    guard width <= request.limits.pictureSide && height <= request.limits.pictureSide else {
      throw OffprintError(
        .limitExceeded,
        "The picture would be \(width)×\(height) px; a side has at most \(request.limits.pictureSide) px (limit 'pictureSide').")
    }
    guard width.multipliedReportingOverflow(by: height).partialValue <= request.limits.picturePixels else {
      throw OffprintError(
        .limitExceeded,
        "The picture would have \(width * height) px, more than the limit 'picturePixels' (\(request.limits.picturePixels)) allows.")
    }
    var options = PaintOptions(
      width: width, height: height, scale: scale, background: request.background.isTransparent ? nil : request.background)
    options.originX = Int((area.x * scale).rounded())
    options.originY = Int((area.y * scale).rounded())
    options.limits = request.limits
    return options
  }

  /// What of the page is drawn, in CSS px.
  func pictureArea(_ page: LaidOutPage, _ request: RenderRequest, _ deadline: Deadline) throws -> RenderRequest.Clip {
    if let selector = request.selector { return try area(of: selector, page, deadline) }
    if let clip = request.clip { return clip }
    let height: Double =
      switch request.height {
      case .px(let height): height
      case .auto: max(1, page.contentSize.height.double.rounded(.up))
      }
    return RenderRequest.Clip(x: 0, y: 0, width: page.viewport.width, height: height)
  }

  /// The border box of the first element that matches, snapped as boxes are painted.
  private func area(of selector: String, _ page: LaidOutPage, _ deadline: Deadline) throws -> RenderRequest.Clip {
    guard let matches = try StyleEngine.querySelector(selector, in: page.styled.document, deadline: deadline) else {
      throw OffprintError(.selectorInvalid, "'\(selector)' is not a CSS selector.")
    }
    guard let node = matches.first else { throw OffprintError(.selectorUnmatched, "No element matches '\(selector)'.") }
    guard let box = BoxReport(page).box(of: node), !box.isEmpty else {
      throw OffprintError(.selectorUnmatched, "The element that matches '\(selector)' has no box: it is hidden or empty.")
    }
    let left = Double(box.minX.rounded), top = Double(box.minY.rounded)
    return RenderRequest.Clip(
      x: left, y: top, width: max(1, Double(box.maxX.rounded) - left), height: max(1, Double(box.maxY.rounded) - top))
  }

  /// The faces that the page's text is drawn with, in order of first use.
  func facesUsed(_ page: LaidOutPage) -> [FaceUsed] {
    var seen: Set<UInt64> = []
    var faces: [FaceUsed] = []
    for text in page.fragments.texts {
      for run in text.glyphs where seen.insert(run.face.identifier).inserted {
        let used = FaceUsed(family: run.face.face.info.family, postScriptName: run.face.face.info.postScriptName)
        if !faces.contains(used) { faces.append(used) }
      }
    }
    return faces
  }
}

extension [UInt8] {
  /// A premultiplied ARGB pixel as red, green, blue and alpha.
  fileprivate mutating func append(straight pixel: UInt32) {
    let alpha = pixel >> 24
    guard alpha != 0 else { return append(contentsOf: [0, 0, 0, 0]) }
    func component(_ shift: UInt32) -> UInt8 { UInt8(Swift.min(255, ((pixel >> shift & 255) * 255 + alpha / 2) / alpha)) }
    append(component(16))
    append(component(8))
    append(component(0))
    append(UInt8(alpha))
  }
}

extension PNGEncoder.Compression {
  fileprivate init(_ compression: RenderRequest.Compression) {
    switch compression {
    case .fast: self = .fast
    case .balanced: self = .balanced
    case .small: self = .small
    }
  }
}
