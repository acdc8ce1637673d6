import OffprintCSS
import OffprintCoreTypes
import OffprintDOM
import OffprintLayout
import OffprintResources
import OffprintTypography

extension LayoutPass {
  /// Computes the styles of a document. Loads style sheets and web fonts that the previous pass did not load.
  mutating func style(
    _ document: Document, source: [UInt8], viewport: Viewport, feedback: LayoutFeedback, advancing previous: StyledDocument? = nil
  ) throws -> StyledDocument {
    let resources = resources, fonts = fonts, registry = registry
    let options = options(source, viewport, feedback)
    if resources.sheets?.media != options.media { resources.sheetProblems = [] }
    var fontProblems: [Diagnostic] = []
    let styled = try StyleEngine.style(
      document, options: options, fontMetrics: LoadedFontMetrics(fonts: fonts), sheets: &resources.sheets,
      advancing: previous, loader: { resources.styleSheet($0) },
      fontFaces: { rules in
        let page = resources.fonts(rules, registry)
        fonts.use(page.set)
        fontProblems = page.problems
      })
    for problem in resources.sheetProblems + fontProblems { log.report(problem) }
    log.append(contentsOf: styled.diagnostics)
    return styled
  }

  private func options(_ source: [UInt8], _ viewport: Viewport, _ feedback: LayoutFeedback) -> StyleEngine.Options {
    var options = StyleEngine.Options(
      media: MediaEnvironment(
        type: request.media == .print ? .print : .screen, width: viewport.width, height: viewport.height, resolution: request.scale,
        isDark: request.colorScheme == .dark))
    for feature in request.mediaFeatures { options.media.chosen[feature.name] = feature.value }
    options.baseURL = resources.base?.description ?? ""
    options.source = source
    options.sourceName = request.sourceName
    options.limits = request.limits
    options.deadline = deadline
    options.containerSizes = feedback.containers.sizes
    options.time = request.time
    options.timelinePositions = feedback.timelines.positions
    options.reportsAllProperties = reportsAllProperties
    options.extraSheets = request.styleSheets.map { StyleSheetSource(bytes: $0.css, baseURL: options.baseURL, name: $0.name) }
    return options
  }
}

extension PageResources {
  func styleSheet(_ request: StyleSheetRequest) -> StyleSheetSource? {
    do throws(ResourceError) {
      let sheet = try loader.load(request.url, relativeTo: request.baseURL.isEmpty ? base : ResourceURL(request.baseURL))
      try checkType(sheet)
      return StyleSheetSource(bytes: sheet.bytes, baseURL: sheet.url.description, name: request.url)
    } catch {
      let problem = Diagnostic(error.code, .degraded, error.message)
      if !sheetProblems.contains(problem) { sheetProblems.append(problem) }
      return nil
    }
  }

  /// Rejects a resource whose `Content-Type` is not that of a style sheet. https://html.spec.whatwg.org/#link-type-stylesheet
  private func checkType(_ sheet: LoadedResource) throws(ResourceError) {
    guard sheet.url.scheme == "http" || sheet.url.scheme == "https", let type = sheet.mimeType?.lowercased() else { return }
    let name = type.prefix { $0 != ";" && $0 != " " }
    guard name != "text/css" else { return }
    let url = sheet.url.description
    throw ResourceError(
      .resourceWrongType, url: url, "\"\(url.prefix(200))\" is not a style sheet: its media type is '\(name.prefix(60))'.")
  }

  /// The fonts for these rules: for each rule, the first source that exists and can be parsed.
  /// https://drafts.csswg.org/css-fonts-4/#font-face-loading
  func fonts(_ rules: [FontFaceRule], _ registry: FontRegistry) -> PageFonts {
    if let fonts, fonts.rules == rules { return fonts }
    let loaded = loadFonts(rules, registry)
    fonts = loaded
    return loaded
  }

  func loadFonts(_ rules: [FontFaceRule], _ registry: FontRegistry) -> PageFonts {
    var candidates = rules.map(FontCandidate.init)
    for index in candidates.indices { advance(&candidates[index], registry) }
    var set: FontSet
    repeat {
      let used = candidates.indices.filter { candidates[$0].data != nil }
      set = FontSet(registry: registry, webFonts: used.compactMap { candidates[$0].font }, files: fontFiles)
      let rejections = set.rejections.filter { used.indices.contains($0.index) }
      let rejected = rejections.map { used[$0.index] }
      for (index, rejection) in zip(rejected, rejections) {
        candidates[index].reject(rejection.reason)
        advance(&candidates[index], registry)
      }
      if rejected.allSatisfy({ candidates[$0].data == nil }) || deadline.hasPassed { break }
    } while true
    return PageFonts(rules: rules, set: set, problems: candidates.flatMap(\.reportedProblems))
  }

  /// Continues to the next source that can be loaded.
  private func advance(_ candidate: inout FontCandidate, _ registry: FontRegistry) {
    while candidate.data == nil, !deadline.hasPassed, let source = candidate.remaining.popFirst() {
      candidate.data = fontData(source, candidate.rule, registry, &candidate.problems)
    }
  }

  private func fontData(
    _ source: FontFaceRule.Source, _ rule: FontFaceRule, _ registry: FontRegistry, _ problems: inout [Diagnostic]
  ) -> [UInt8]? {
    switch source {
    case .url(let url, let format):
      if ["embedded-opentype", "svg"].contains(format.lowercased()) { return nil }
      do throws(ResourceError) {
        return try loader.load(url, relativeTo: rule.baseURL.isEmpty ? base : ResourceURL(rule.baseURL)).bytes
      } catch {
        problems.append(Diagnostic(error.code, .degraded, error.message))
        return nil
      }
    case .local(let name):
      guard let face = registry.faces(named: name).first, !face.path.isEmpty else { return nil }
      if let cached = localFonts[face.path] { return cached }
      let folder = String(face.path[..<(face.path.lastIndex(ofByte: "/") ?? face.path.startIndex)])
      let bytes = try? ResourceLoader(allowedFolders: [folder]).load(ResourceURL(filePath: face.path)).bytes
      localFonts[face.path] = bytes
      return bytes
    }
  }
}

/// An `@font-face` rule while its font is loaded.
private struct FontCandidate {
  let rule: FontFaceRule
  /// The sources not tried yet.
  var remaining: ArraySlice<FontFaceRule.Source>
  /// The data of the current source; nil if none is left.
  var data: [UInt8]?
  var problems: [Diagnostic] = []

  init(_ rule: FontFaceRule) {
    self.rule = rule
    remaining = rule.sources[...]
  }

  var font: WebFont? { data.map { WebFont(rule, $0) } }

  mutating func reject(_ reason: String) {
    data = nil
    // The current source precedes the untried ones.
    let source = rule.sources.indices.contains(remaining.startIndex - 1) ? rule.sources[remaining.startIndex - 1] : nil
    let name =
      switch source {
      case .url(let url, _)?: " (\"\(url.prefix(200))\")"
      case .local(let name)?: " (local \"\(name.prefix(200))\")"
      case nil: ""
      }
    problems.append(
      Diagnostic("fontUnreadable", .degraded, "The font '\(rule.family.prefix(200))'\(name) of the page cannot be used: \(reason)."))
  }

  /// The problems to report. They are only notes if a later source was usable.
  var reportedProblems: [Diagnostic] {
    data == nil ? problems : problems.map { Diagnostic($0.code, .note, $0.message) }
  }
}

extension WebFont {
  fileprivate init(_ rule: FontFaceRule, _ data: [UInt8]) {
    var isItalic = false
    var oblique: ClosedRange<Float>?
    switch rule.slope {
    case .normal: break
    case .italic: isItalic = true
    case .oblique(let angle): oblique = angle...angle
    }
    self.init(
      family: rule.family, weight: rule.weight, stretch: rule.stretch, isItalic: isItalic, oblique: oblique,
      unicodeRange: rule.unicodeRange,
      overrides: FontFaceOverrides(
        ascent: rule.ascentOverride, descent: rule.descentOverride, lineGap: rule.lineGapOverride, sizeAdjust: rule.sizeAdjust),
      data: data)
  }
}

/// Resolves font-relative lengths with the fonts of the render.
struct LoadedFontMetrics: FontMetricsProvider {
  let fonts: FontContext

  func metrics(for font: OffprintCSS.FontStyle) -> FontRelativeMetrics {
    let metrics = fonts.metrics(FontDescription(font))
    return FontRelativeMetrics(
      xHeight: metrics.xHeight, capHeight: metrics.capHeight, zeroAdvance: metrics.zeroAdvance, icAdvance: metrics.icAdvance,
      normalLineHeight: metrics.lineSpacing)
  }

  func uprightAdvance(of character: FontRelativeMetrics.Character, for font: OffprintCSS.FontStyle) -> Float? {
    let bytes = character == .zero ? [0x30] : [0xE6, 0xB0, 0xB4] as [UInt8], handle = fonts.font(FontDescription(font))
    let run = bytes.withUnsafeBufferPointer { fonts.shape($0, range: 0..<bytes.count, font: handle, isUpright: true) }
    guard let glyph = run.glyphs.first, glyph.glyph != 0 else { return nil }
    return glyph.advance
  }

  func mathScriptScales(for font: OffprintCSS.FontStyle) -> (script: Float, scriptScript: Float)? {
    fonts.mathScriptScales(fonts.font(FontDescription(font)))
  }
}
