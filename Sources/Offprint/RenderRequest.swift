public import OffprintCoreTypes
import OffprintRenderCache

/// A side of the page or picture.
public enum PageLength: Hashable, Sendable {
  /// As large as the content: shrink to fit for widths, the content's height for heights.
  case auto
  /// CSS px, above zero.
  case px(Double)
}

/// Which parts of the cache a render uses. The two switches are independent.
public struct CachePolicy: Hashable, Sendable {
  /// Render anew even where the picture is known.
  public var ignoresCachedResult: Bool
  /// Keep what was rendered.
  public var storesResult: Bool

  public init(ignoresCachedResult: Bool = false, storesResult: Bool = true) {
    self.ignoresCachedResult = ignoresCachedResult; self.storesResult = storesResult
  }

  /// Read and written.
  public static let standard = CachePolicy()
  /// Rendered anew and stored.
  public static let refresh = CachePolicy(ignoresCachedResult: true)
  /// Neither read nor written.
  public static let none = CachePolicy(ignoresCachedResult: true, storesResult: false)
}

/// One page to draw, and how.
public struct RenderRequest: Hashable, Sendable {
  /// A style sheet added behind the page's own.
  public struct StyleSheet: Hashable, Sendable {
    /// For diagnostics.
    public var name: String
    /// Its text, in UTF-8 or what its `@charset` says.
    public var css: [UInt8]
    public init(name: String, css: [UInt8]) { self.name = name; self.css = css }
  }

  /// Where glyphs stand, and how far one is from the next.
  public enum GlyphPositions: String, Hashable, Sendable, CaseIterable {
    /// At quarters of a pixel, with advances as the font has them, as browsers do today.
    case subpixel
    /// At whole pixels, with whole advances, as browsers on Linux once did on screens of one device pixel per CSS px. At a larger scale it is as
    /// `subpixel`.
    case whole
  }

  /// What `prefers-color-scheme` answers.
  public enum ColorScheme: String, Hashable, Sendable, CaseIterable { case light, dark }
  /// The medium of style sheets.
  public enum Media: String, Hashable, Sendable, CaseIterable { case screen, print }

  /// The sheets of a PDF, in CSS px. What is nil is as `@page` says.
  public struct Sheet: Hashable, Sendable {
    /// 96 px are an inch; above zero.
    public struct Size: Hashable, Sendable {
      /// The sides.
      public var width: Double, height: Double
      public init(width: Double, height: Double) { self.width = width; self.height = height }
    }
    /// What is left free around the contents; 0 or more.
    public struct Margins: Hashable, Sendable {
      /// The sides.
      public var top: Double, right: Double, bottom: Double, left: Double
      public init(top: Double, right: Double, bottom: Double, left: Double) {
        self.top = top; self.right = right; self.bottom = bottom; self.left = left
      }
    }
    /// Of all sheets.
    public var size: Size?
    /// Of all sheets.
    public var margins: Margins?
    public init(size: Size? = nil, margins: Margins? = nil) { self.size = size; self.margins = margins }
  }

  /// A rectangle in CSS px.
  public struct Clip: Hashable, Sendable {
    /// The top left corner, and the size.
    public var x: Double, y: Double, width: Double, height: Double
    public init(x: Double, y: Double, width: Double, height: Double) { self.x = x; self.y = y; self.width = width; self.height = height }
  }

  /// The page: UTF-8 or any encoding it declares. With a template, what stands at the template's `body`.
  public var html: [UInt8]
  /// A name for diagnostics: the file's, say. Of it only counts for the key whether it ends as files of XML do.
  public var sourceName = ""
  /// What relative references are resolved against: a folder ending in `/`, the file itself, or an address of `http:` or `https:`. Nil: relative references fail.
  public var basePath: String?
  /// Folders from which files may be loaded.
  public var allowedFolders: [String] = []
  /// Hosts that resources may come from: names, `*.` and a name, `*`, addresses, networks as `10.0.0.0/8`, each with or without a port. The
  /// configuration's `resourceProvider` is asked, then its network. None: those of the configuration's network.
  public var allowedHosts: [String] = []
  /// The name under which the latest result can be asked for: at most 512 bytes, and not 64 hexadecimal digits, which are keys.
  public var identifier: String?
  /// Groups that the picture is kept in, by which it can be removed from the cache.
  public var tags: [String] = []
  /// What the page is put into.
  public var template: Template?
  /// Values for the template.
  public var attributes: [String: String] = [:]
  /// JSON for the template.
  public var data: [UInt8]?
  /// Sources of the templates that the template may include, by name.
  public var partials: [String: String] = [:]
  /// The page's width.
  public var width = PageLength.px(800)
  /// The picture's height.
  public var height = PageLength.auto
  /// With `height: .auto`, the height of the viewport in CSS px, above 0: it defines `vh` and the other viewport units, media queries and the
  /// containing block of fixed boxes. The image is still as high as its content. With any other height, that height is the viewport's.
  public var viewportHeight = 600.0
  /// With `width: .auto`, the most it may become, in CSS px.
  public var maxWidth: Double?
  /// Device px per CSS px.
  public var scale = 1.0
  /// Painted behind the page; transparent leaves alpha.
  public var background = Color.white
  /// Crops to the first element that matches.
  public var selector: String?
  /// Crops to a rectangle.
  public var clip: Clip?
  /// Behind the page's own.
  public var styleSheets: [StyleSheet] = []
  /// What `prefers-color-scheme` answers.
  public var colorScheme = ColorScheme.light
  /// What other media queries answer, where it is not what they do on a desktop's screen; of a feature named twice the last counts.
  public var mediaFeatures: [MediaFeature] = []
  /// Where glyphs stand.
  public var glyphPositions = GlyphPositions.subpixel
  /// The medium of style sheets: `print` for a PDF, `screen` for all else, unless it is said.
  public var media: Media {
    get { chosenMedia ?? (encoding.format == .pdf ? .print : .screen) }
    set { chosenMedia = newValue }
  }
  package var chosenMedia: Media?
  var hasWholeGlyphPositions: Bool { glyphPositions == .whole && scale <= 1 }
  /// The sheets of a PDF. Where neither this nor a `@page` rule says anything, it has one sheet of the picture's size.
  public var sheet = Sheet()
  /// What kind of file the picture becomes, and how.
  public var encoding = PictureEncoding()
  /// A missing resource is an error.
  public var isStrict = false
  /// How the cache is used.
  public var cachePolicy = CachePolicy.standard
  /// What the render may use.
  public var limits = Limits()
  /// Where the HTML after templates is written, as `<key>.html`.
  public var saveHTMLFolder: String?

  public init(html: [UInt8]) { self.html = html }
  public init(html: String) { self.init(html: Array(html.utf8)) }
}
