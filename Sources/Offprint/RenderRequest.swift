public import OffprintCoreTypes
import OffprintRenderCache

/// The length of a side of the page or image.
public enum PageLength: Hashable, Sendable {
  /// As large as the contents: shrink-to-fit for widths, the contents' height for heights.
  case auto
  /// CSS px, above zero.
  case px(Double)
}

/// How a render uses the cache. The two switches are independent.
public struct CachePolicy: Hashable, Sendable {
  /// Render even if the image is in the cache.
  public var ignoresCachedResult: Bool
  /// Store the rendered image.
  public var storesResult: Bool

  public init(ignoresCachedResult: Bool = false, storesResult: Bool = true) {
    self.ignoresCachedResult = ignoresCachedResult; self.storesResult = storesResult
  }

  /// Read and written.
  public static let standard = CachePolicy()
  /// Rendered again and stored.
  public static let refresh = CachePolicy(ignoresCachedResult: true)
  /// Neither read nor written.
  public static let none = CachePolicy(ignoresCachedResult: true, storesResult: false)
}

/// A page to render, with its options.
public struct RenderRequest: Hashable, Sendable {
  /// A style sheet added after the page's own.
  public struct StyleSheet: Hashable, Sendable {
    /// For diagnostics.
    public var name: String
    /// Its text, in UTF-8 or the encoding that its `@charset` declares.
    public var css: [UInt8]
    public init(name: String, css: [UInt8]) { self.name = name; self.css = css }
  }

  /// How glyphs are positioned.
  public enum GlyphPositions: String, Hashable, Sendable, CaseIterable {
    /// At quarters of a pixel, with unrounded advances, as Chromium does today.
    case subpixel
    /// At whole pixels, with rounded advances, as browsers on Linux once did on screens with one device pixel per CSS px. At larger scales
    /// the same as `subpixel`.
    case whole
  }

  /// The value of `prefers-color-scheme`.
  public enum ColorScheme: String, Hashable, Sendable, CaseIterable { case light, dark }
  /// The media type for style sheets.
  public enum Media: String, Hashable, Sendable, CaseIterable { case screen, print }

  /// The pages of a PDF, in CSS px. Nil values are taken from `@page`.
  public struct PageSetup: Hashable, Sendable {
    /// In CSS px, 96 per inch; above zero.
    public struct Size: Hashable, Sendable {
      /// The sides.
      public var width: Double, height: Double
      public init(width: Double, height: Double) { self.width = width; self.height = height }
    }
    /// The margins around the page area; 0 or more.
    public struct Margins: Hashable, Sendable {
      /// The sides.
      public var top: Double, right: Double, bottom: Double, left: Double
      public init(top: Double, right: Double, bottom: Double, left: Double) {
        self.top = top; self.right = right; self.bottom = bottom; self.left = left
      }
    }
    /// For all pages.
    public var size: Size?
    /// For all pages.
    public var margins: Margins?
    public init(size: Size? = nil, margins: Margins? = nil) { self.size = size; self.margins = margins }
  }

  /// A rectangle in CSS px.
  public struct Clip: Hashable, Sendable {
    /// The top left corner, and the size.
    public var x: Double, y: Double, width: Double, height: Double
    public init(x: Double, y: Double, width: Double, height: Double) { self.x = x; self.y = y; self.width = width; self.height = height }
  }

  /// The page, in UTF-8 or any encoding it declares. With a template, the value of the template's `body`.
  public var html: [UInt8]
  /// A name for diagnostics, for example the file's name. Only whether it has an extension of XML files affects the key.
  public var sourceName = ""
  /// The base of relative references: a folder ending in `/`, the file itself, or an `http:` or `https:` URL. If nil, relative references
  /// fail.
  public var basePath: String?
  /// Folders from which files may be loaded.
  public var allowedFolders: [String] = []
  /// Hosts from which resources may be loaded: names, `*.` and a name, `*`, IP addresses, networks such as `10.0.0.0/8`, each with an
  /// optional port. The configuration's `resourceProvider` is used first, then its network. If empty, the hosts of the configuration's
  /// network are allowed.
  public var allowedHosts: [String] = []
  /// The identifier by which the latest image can be retrieved: at most 512 bytes, and not 64 hexadecimal digits, which are keys.
  public var identifier: String?
  /// Tags, by which the image can be removed from the cache.
  public var tags: [String] = []
  /// The template the page is inserted into.
  public var template: Template?
  /// Values for the template.
  public var attributes: [String: String] = [:]
  /// Data for the template, as JSON.
  public var data: [UInt8]?
  /// Sources of the partials that the template may include, by name.
  public var partials: [String: String] = [:]
  /// The page's width.
  public var width = PageLength.px(800)
  /// The image's height.
  public var height = PageLength.auto
  /// With `height: .auto`, the height of the viewport in CSS px, above 0. It affects `vh` and other viewport units, media queries and the
  /// containing block of fixed boxes, while the image is as high as its contents. With any other height, that height is the viewport's.
  public var viewportHeight = 600.0
  /// With `width: .auto`, the maximum width in CSS px.
  public var maxWidth: Double?
  /// Device px per CSS px.
  public var scale = 1.0
  /// Painted behind the page. A transparent color gives the image an alpha channel.
  public var background = Color.white
  /// Crops to the first matching element.
  public var selector: String?
  /// Crops to a rectangle.
  public var clip: Clip?
  /// Style sheets added after the page's own.
  public var styleSheets: [StyleSheet] = []
  /// The value of `prefers-color-scheme`.
  public var colorScheme = ColorScheme.light
  /// Values of other media features, overriding those of a desktop screen. Of repeated features, the last one applies.
  public var mediaFeatures: [MediaFeature] = []
  /// The time on the page's timeline that is rendered. Animations, transitions and animated images are advanced to it.
  public var time = AnimationTime.start
  /// How glyphs are positioned.
  public var glyphPositions = GlyphPositions.subpixel
  /// The media type for style sheets: `print` for a PDF and `screen` for all else, unless set.
  public var media: Media {
    get { chosenMedia ?? (encoding.format == .pdf ? .print : .screen) }
    set { chosenMedia = newValue }
  }
  package var chosenMedia: Media?
  var hasWholeGlyphPositions: Bool { glyphPositions == .whole && scale <= 1 }
  /// The pages of a PDF. If neither this nor an `@page` rule specifies pages, it has one page of the image's size.
  public var pageSetup = PageSetup()
  /// The format of the image, and how it is encoded.
  public var encoding = ImageEncoding()
  /// Whether a missing resource is an error.
  public var isStrict = false
  /// Diagnostics that fail the render with an error of the same code. They are part of the cache key, so that no stored image hides them.
  public var fatalDiagnostics: Set<FatalDiagnostic> = []
  /// How the cache is used.
  public var cachePolicy = CachePolicy.standard
  /// Resource limits of the render.
  public var limits = Limits()
  /// The folder to which the expanded HTML is written, as `<key>.html`.
  public var saveHTMLFolder: String?

  public init(html: [UInt8]) { self.html = html }
  public init(html: String) { self.init(html: Array(html.utf8)) }
}
