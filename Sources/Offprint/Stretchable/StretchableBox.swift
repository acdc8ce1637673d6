import OffprintCoreTypes
import OffprintImages

extension StretchableBackground {
  /// Which box of a page becomes an image, and how.
  public struct BoxOptions: Hashable, Sendable {
    /// Selects the element; the first match is used. If nil, the first visible element of the body.
    public var selector: String?
    /// The width in CSS px at which caps are detected; if nil, slightly more than the box's own.
    public var width: Int?
    /// The height at which caps are detected; like `width`.
    public var height: Int?
    /// How many px around the box belong to the image, for shadows and outlines.
    public var outset = 0
    /// Device px per CSS px.
    public var scales = [1]

    public init() {}
  }

  /// The smallest image that reproduces a box of a page at any size. The caps are everything outside of the longest run of equal columns,
  /// and of equal rows. The box is then rendered at three other sizes and compared with the stretched image.
  ///
  /// Blocks the thread; nothing is cached.
  ///
  /// - Throws: `selectorInvalid`, `selectorUnmatched`, `usage` for invalid sizes and scales, and the errors of `Renderer.render`.
  public init(boxOf request: RenderRequest, _ options: BoxOptions = BoxOptions(), renderer: Renderer) throws(OffprintError) {
    guard !options.scales.isEmpty, options.scales.allSatisfy({ (1...16).contains($0) }), (0...1000).contains(options.outset),
      (1...4096).contains(options.width ?? 1), (1...4096).contains(options.height ?? 1)
    else { throw OffprintError(.usage, "Scales must be 1 to 16, an outset 0 to 1000 px, and a side 1 to 4096 px.") }
    let box = try StretchableBox(request, options, renderer)
    var images: [StretchableImage] = []
    var comparisons: [Comparison] = []
    var stretches = (across: true, down: true)
    do {
      for scale in Set(options.scales).sorted() {
        let (image, across, down) = try box.smallest(scale)
        images.append(image)
        stretches = (stretches.across && across, stretches.down && down)
        for size in box.sizes(for: image, across, down) { comparisons.append(try box.compare(image, size)) }
      }
    } catch {
      throw OffprintError(stretchable: error)
    }
    self.init(
      images: images, outset: options.outset, comparisons: comparisons, stretchesAcross: stretches.across, stretchesDown: stretches.down)
  }
}

/// A box that can be rendered alone, at any size.
private struct StretchableBox {
  struct Size: Hashable {
    var width: Int
    var height: Int
  }

  private let request: RenderRequest
  private let renderer: Renderer
  private let outset: Int
  /// A selector that matches only this element.
  private let place: String
  /// The size at which caps are detected, and the length of an axis that cannot be stretched.
  private let probe: Size
  private let length: Size

  /// Added to the box's own size for runs of equal columns and rows.
  private static let room = 64

  init(_ request: RenderRequest, _ options: StretchableBackground.BoxOptions, _ renderer: Renderer) throws(OffprintError) {
    var request = request
    (request.selector, request.clip, request.identifier) = (nil, nil, nil)
    (request.background, request.cachePolicy) = (.transparent, .none)
    self.request = request
    self.renderer = renderer
    outset = options.outset
    let selector = options.selector ?? "body > :not(style, script, link, meta, template, title)"
    let path = try Self.path(selector, request, renderer)
    place = ":root" + path.dropFirst().map { " > :nth-child(\($0 + 1))" }.joined()
    let own = try Self.size(of: path, selector, request, renderer)
    probe = Size(
      width: options.width ?? min(4096, own.width + Self.room), height: options.height ?? min(4096, own.height + Self.room))
    length = Size(width: options.width ?? own.width, height: options.height ?? own.height)
  }

  private static func path(_ selector: String, _ request: RenderRequest, _ renderer: Renderer) throws(OffprintError) -> [Int] {
    guard case .elements(let elements) = try renderer.inspect(request, .computed(selector: selector)), let first = elements.first else {
      throw OffprintError(.selectorUnmatched, "No element matches '\(selector)'.")
    }
    return first.path.split(byte: "/").compactMap { Int($0) }
  }

  private static func size(
    of path: [Int], _ selector: String, _ request: RenderRequest, _ renderer: Renderer
  ) throws(OffprintError) -> Size {
    guard case .boxes(let layout) = try renderer.inspect(request, .boxes), let box = layout.boxes.first(where: { $0.path == path }) else {
      throw OffprintError(.selectorUnmatched, "The element that matches '\(selector)' has no box: it is hidden.")
    }
    guard box.width <= 4096, box.height <= 4096 else {
      throw OffprintError(.usage, "The box is larger than 4096 px; set the size at which it is measured (\(OptionName.size.text)).")
    }
    // An element without contents has no height, but its background can be rendered at other sizes.
    return Size(width: max(1, Int(box.width.rounded(.up))), height: max(1, Int(box.height.rounded(.up))))
  }

  /// Renders the box alone at a size: taken out of flow, with everything else hidden.
  func draw(_ size: Size, _ scale: Int) throws(OffprintError) -> Bitmap {
    var request = request
    request.width = .px(Double(size.width + 2 * outset))
    request.height = .px(Double(size.height + 2 * outset))
    request.scale = Double(scale)
    let css = """
      html, body { background: none !important; }
      * { visibility: hidden !important; }
      \(place), \(place) * { visibility: visible !important; }
      \(place) {
        position: fixed !important; left: \(outset)px !important; top: \(outset)px !important; right: auto !important; bottom: auto !important;
        margin: 0 !important; box-sizing: border-box !important; float: none !important; transform: none !important;
        width: \(size.width)px !important; height: \(size.height)px !important;
        min-width: 0 !important; min-height: 0 !important; max-width: none !important; max-height: none !important;
      }
      """
    request.styleSheets.append(.init(name: "box", css: Array(css.utf8)))
    let image = try renderer.renderAndWait(request)
    do {
      guard case .bitmap(let bitmap) = try ImageDecoder.decode(image.image, limits: request.limits).content else {
        throw OffprintError(.renderFailed, "The box could not be rendered.")
      }
      return bitmap
    } catch {
      throw OffprintError(stretchable: error)
    }
  }

  /// The image, and whether it stretches horizontally and vertically.
  ///
  /// - Throws: Errors of the render and of the image.
  func smallest(_ scale: Int) throws -> (StretchableImage, across: Bool, down: Bool) {
    let first = try StretchableImage(smallestOf: try draw(probe, scale), scale: scale)
    let across = first.bitmap.width < (probe.width + 2 * outset) * scale
    let down = first.bitmap.height < (probe.height + 2 * outset) * scale
    if across && down { return (first, true, true) }
    // An axis without equal columns or rows keeps the box's own length.
    let size = Size(width: across ? probe.width : length.width, height: down ? probe.height : length.height)
    return (try StretchableImage(smallestOf: try draw(size, scale), scale: scale), across, down)
  }

  /// Three sizes of the box: slightly larger than its caps, and two larger than the size at which caps were detected.
  func sizes(for image: StretchableImage, _ across: Bool, _ down: Bool) -> [Size] {
    func minimum(_ caps: Int) -> Int { max(1, caps - 2 * outset + 3) }
    let insets = image.capInsets
    let sizes = [
      Size(width: minimum(insets.left + insets.right), height: minimum(insets.top + insets.bottom)),
      Size(width: probe.width + 37, height: probe.height + 23), Size(width: 2 * probe.width + 11, height: 2 * probe.height + 5),
    ]
    return sizes.map { Size(width: across ? $0.width : length.width, height: down ? $0.height : length.height) }
  }

  func compare(_ image: StretchableImage, _ size: Size) throws -> StretchableBackground.Comparison {
    let drawn = try draw(size, image.scale)
    let stretched = try image.stretched(toWidth: drawn.width, height: drawn.height, limits: request.limits)
    return .init(
      width: size.width + 2 * outset, height: size.height + 2 * outset, scale: image.scale,
      largestError: BitmapComparison(stretched, drawn).maximumDifference)
  }
}
