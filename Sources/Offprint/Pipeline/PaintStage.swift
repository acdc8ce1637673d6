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
  func paint(_ page: LaidOutPage, _ state: inout Page) throws -> Picture {
    let request = state.request
    let area = try pictureArea(page, request, state.deadline)
    let scale = request.scale
    guard [area.x, area.y, area.width, area.height, scale].allSatisfy({ $0.isFinite && abs($0) < 1e9 }) else {
      throw OffprintError(.usage, "A picture's rectangle and scale are finite numbers.")
    }
    let x = Int((area.x * scale).rounded()), y = Int((area.y * scale).rounded())
    let width = max(1, Int((area.width * scale).rounded(.up))), height = max(1, Int((area.height * scale).rounded(.up)))
    guard width <= request.limits.pictureSide && height <= request.limits.pictureSide else {
      throw OffprintError(
        .limitExceeded,
        "The picture would be \(width)×\(height) px; a side has at most \(request.limits.pictureSide) px (limit 'pictureSide').")
    }
    guard width * height <= request.limits.picturePixels else {
      throw OffprintError(
        .limitExceeded,
        "The picture would have \(width * height) px, more than the limit 'picturePixels' (\(request.limits.picturePixels)) allows.")
    }
    var encoder = try PNGEncoder(width: width, height: height)
    var options = PaintOptions(
      width: width, height: height, scale: scale, background: request.background.isTransparent ? nil : request.background)
    options.originX = x
    options.originY = y
    try painter.paint(
      fragments: page.fragments, tree: page.tree, images: page.images, fonts: fonts, options: options, deadline: state.deadline
    ) { rows, _ in encoder.append(rows: rows) }
    for problem in painter.problems {
      state.diagnostics.report(Diagnostic(.init(rawValue: problem.code.rawValue), .degraded, "A picture is not drawn: \(problem.message)"))
    }
    state.clock.mark("paint")
    let bytes = try encoder.finish()
    state.clock.mark("encode")
    return Picture(bytes: bytes, width: width, height: height)
  }

  /// What of the page is drawn, in CSS px.
  private func pictureArea(_ page: LaidOutPage, _ request: RenderRequest, _ deadline: Deadline) throws -> RenderRequest.Clip {
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

  // MARK: Inspecting

  func inspect(_ prepared: PreparedRequest, _ aspect: Inspection.Aspect) throws(OffprintError) -> Inspection {
    do {
      var page = self.page(prepared)
      if aspect == .dom { return .text(try parse(&page).html5libDump()) }
      let laidOut = try layOut(&page)
      switch aspect {
      case .dom, .boxes:
        return .boxes(
          width: laidOut.viewport.width, height: laidOut.contentSize.height.double, json: BoxReport(laidOut).json)
      case .displayList:
        let area = try pictureArea(laidOut, page.request, page.deadline), scale = page.request.scale
        let options = PaintOptions(
          width: Int((area.width * scale).rounded(.up)), height: Int((area.height * scale).rounded(.up)), scale: scale,
          background: page.request.background)
        let list = try painter.displayList(
          fragments: laidOut.fragments, tree: laidOut.tree, images: laidOut.images, fonts: fonts, options: options, deadline: page.deadline)
        return .text(list.description)
      case .diagnostics: return .diagnostics(page.diagnostics.entries)
      case .computed(let selector): return .elements(try computedElements(selector, laidOut.styled, page.deadline))
      case .timings:
        _ = try paint(laidOut, &page)
        return .text(page.clock.stages.map { "\($0.name)\t\(($0.milliseconds * 1000).rounded() / 1000)" }.joined(separator: "\n"))
      }
    } catch {
      throw OffprintError(error, seconds: prepared.request.limits.seconds)
    }
  }
}
