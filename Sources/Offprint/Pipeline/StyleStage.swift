import CSS
import CoreTypes
import DOM
import Layout
import Resources
import Typography

extension RenderWorker {
  /// document → styled document. Style sheets and web fonts are loaded here.
  func style(
    _ document: Document, viewport: Viewport, containers: ContainerSizes = ContainerSizes(), _ page: inout Page
  ) throws -> StyledDocument {
    let request = page.request
    var options = StyleEngine.Options(
      media: MediaEnvironment(
        type: request.media == .print ? .print : .screen, width: viewport.width, height: viewport.height, resolution: request.scale,
        isDark: request.colorScheme == .dark))
    options.baseURL = page.base?.description ?? ""
    options.source = page.html
    options.sourceName = request.sourceName
    options.limits = request.limits
    options.deadline = page.deadline
    options.containerSizes = containers.sizes
    options.extraSheets = request.styleSheets.map { StyleSheetSource(bytes: $0.css, baseURL: options.baseURL, name: $0.name) }
    let loader = page.loader, base = page.base
    var problems: [Diagnostic] = []
    var webFonts: [WebFont] = []
    let styled = try StyleEngine.style(
      document, options: options, fontMetrics: FontMetricsAnswer(fonts: fonts),
      loader: { request in
        do throws(ResourceError) {
          let sheet = try loader.load(request.url, relativeTo: request.baseURL.isEmpty ? base : ResourceURL(request.baseURL))
          return StyleSheetSource(bytes: sheet.bytes, baseURL: sheet.url.description, name: request.url)
        } catch {
          problems.append(Diagnostic(error.code, .degraded, error.message))
          return nil
        }
      },
      fontFaces: { rules in
        webFonts = self.loadFonts(rules, loader, base, &problems)
        if !webFonts.isEmpty { self.fonts.use(FontSet(registry: self.registry, webFonts: webFonts)) }
      })
    problems.forEach { page.diagnostics.report($0) }
    page.diagnostics.append(contentsOf: styled.diagnostics)
    return styled
  }

  /// The first source of each rule that is there and readable. https://drafts.csswg.org/css-fonts-4/#font-face-loading
  private func loadFonts(
    _ rules: [FontFaceRule], _ loader: ResourceLoader, _ base: ResourceURL?, _ problems: inout [Diagnostic]
  ) -> [WebFont] {
    var fonts: [WebFont] = []
    for rule in rules {
      for source in rule.sources {
        guard let data = fontData(source, rule, loader, base, &problems) else { continue }
        fonts.append(webFont(rule, data))
        break
      }
    }
    return fonts
  }

  private func fontData(
    _ source: FontFaceRule.Source, _ rule: FontFaceRule, _ loader: ResourceLoader, _ base: ResourceURL?, _ problems: inout [Diagnostic]
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
      let url = ResourceURL(filePath: face.path)
      return try? ResourceLoader(allowedFolders: [String(face.path[..<(face.path.lastIndex(of: "/") ?? face.path.startIndex)])]).load(url)
        .bytes
    }
  }

  private func webFont(_ rule: FontFaceRule, _ data: [UInt8]) -> WebFont {
    var isItalic = false
    var oblique: ClosedRange<Float>?
    switch rule.slope {
    case .normal: break
    case .italic: isItalic = true
    case .oblique(let angle): oblique = angle...angle
    }
    return WebFont(
      family: rule.family, weight: rule.weight, stretch: rule.stretch, isItalic: isItalic, oblique: oblique,
      unicodeRange: rule.unicodeRange,
      overrides: FontFaceOverrides(
        ascent: rule.ascentOverride, descent: rule.descentOverride, lineGap: rule.lineGapOverride, sizeAdjust: rule.sizeAdjust),
      data: data)
  }
}

/// Font-relative lengths, answered by the fonts of the render.
struct FontMetricsAnswer: FontMetricsProvider {
  let fonts: FontContext

  func metrics(for font: CSS.FontStyle) -> FontRelativeMetrics {
    let metrics = fonts.metrics(FontDescription(font))
    return FontRelativeMetrics(
      xHeight: metrics.xHeight, capHeight: metrics.capHeight, zeroAdvance: metrics.zeroAdvance, icAdvance: metrics.icAdvance,
      normalLineHeight: metrics.lineSpacing)
  }
}
