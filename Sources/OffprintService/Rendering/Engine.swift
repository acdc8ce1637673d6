import Offprint
import RenderCache

/// What answers are made with, until SIGHUP makes it anew: renderer, templates, tokens and keys.
struct Engine: Sendable {
  var renderer: any PictureRenderer
  var templates: TemplateShelf
  var access: AccessControl
  var fonts: [FontLibrary.Face]
  /// Rises with each reload: what was remembered of the one before does not hold.
  var generation = 0

  init(renderer: any PictureRenderer, templates: TemplateShelf, access: AccessControl, fonts: [FontLibrary.Face]) {
    self.renderer = renderer; self.templates = templates; self.access = access; self.fonts = fonts
  }

  init(_ settings: ServiceSettings, observer: RenderObserver?) throws(OffprintError) {
    access = try AccessControl(settings)
    templates = try TemplateShelf(folders: settings.templateFolders)
    var configuration = settings.rendererConfiguration
    configuration.observer = observer
    fonts = try FontLibrary(configuration).faces
    renderer = try Renderer(configuration)
  }
}
