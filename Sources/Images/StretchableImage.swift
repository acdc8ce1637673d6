public import OffprintCoreTypes

/// An image whose corners keep their size while its middle is stretched: a nine-slice.
///
/// The plain one has a few pixels of a single color, one of which is very slightly translucent, so that checks for opacity find that the
/// image is not opaque.
public struct StretchableImage: Equatable, Sendable {
  /// How many px of each side are not stretched.
  public struct CapInsets: Hashable, Sendable {
    public var top: Int
    public var right: Int
    public var bottom: Int
    public var left: Int
    public init(top: Int, right: Int, bottom: Int, left: Int) {
      self.top = top; self.right = right; self.bottom = bottom; self.left = left
    }
    public init(all inset: Int) { self.init(top: inset, right: inset, bottom: inset, left: inset) }

    func scaled(by factor: Int) -> CapInsets {
      CapInsets(top: top * factor, right: right * factor, bottom: bottom * factor, left: left * factor)
    }
  }

  /// The pixel with the different alpha.
  public enum Pixel: Hashable, Sendable {
    case topLeft, top, topRight, left, center, right, bottomLeft, bottom, bottomRight
    case at(x: Int, y: Int)
    case none

    private static let names: [(String, Pixel)] = [
      ("top-left", .topLeft), ("top", .top), ("top-right", .topRight), ("left", .left), ("center", .center), ("right", .right),
      ("bottom-left", .bottomLeft), ("bottom", .bottom), ("bottom-right", .bottomRight), ("none", .none),
    ]

    /// A position by its name (`top-right`, `center`, `none`, …), or `X,Y`.
    public init?(_ name: String) {
      if let named = Self.names.first(where: { $0.0 == name })?.1 { self = named; return }
      let parts = name.split(byte: ",", omittingEmptySubsequences: false).map { Int($0) }
      guard parts.count == 2, let x = parts[0], let y = parts[1], x >= 0, y >= 0 else { return nil }
      self = .at(x: x, y: y)
    }

    /// The names that `init` accepts.
    public static var allNames: [String] { names.map(\.0) }

    func position(_ width: Int, _ height: Int) -> (x: Int, y: Int)? {
      let (middleX, middleY, right, bottom) = (width / 2, height / 2, width - 1, height - 1)
      switch self {
      case .topLeft: return (0, 0)
      case .top: return (middleX, 0)
      case .topRight: return (right, 0)
      case .left: return (0, middleY)
      case .center: return (middleX, middleY)
      case .right: return (right, middleY)
      case .bottomLeft: return (0, bottom)
      case .bottom: return (middleX, bottom)
      case .bottomRight: return (right, bottom)
      case .at(let x, let y): return (x, y)
      case .none: return nil
      }
    }
  }

  /// Why an image is invalid.
  public enum Invalid: String, Error, Hashable, Sendable, CaseIterable {
    /// A size below 1 px or above 4096 px, or a scale outside of 1 to 16.
    case size
    /// Cap insets that are negative or leave nothing to stretch.
    case capInsets
    /// A pixel outside of the image.
    case pixel
    /// An alpha outside of 0 to 1.
    case alpha
  }

  /// The pixels, `scale` per px.
  public let bitmap: Bitmap
  /// In px at scale 1.
  public let capInsets: CapInsets
  public let scale: Int

  /// An image of existing pixels. Its size need not be a multiple of the scale.
  public init(bitmap: Bitmap, capInsets: CapInsets, scale: Int = 1) throws(Invalid) {
    guard 1...16 ~= scale, 1...65_535 ~= bitmap.width, 1...65_535 ~= bitmap.height else { throw .size }
    guard [capInsets.top, capInsets.right, capInsets.bottom, capInsets.left].allSatisfy({ 0...65_535 ~= $0 }),
      (capInsets.left + capInsets.right) * scale < bitmap.width, (capInsets.top + capInsets.bottom) * scale < bitmap.height
    else { throw .capInsets }
    self.bitmap = bitmap
    self.capInsets = capInsets
    self.scale = scale
  }

  /// An image of one color, except for one pixel whose alpha is multiplied by `alpha`.
  public init(
    color: Color, width: Int = 5, height: Int = 5, capInsets: CapInsets = CapInsets(all: 2), alpha: Double = 0.99,
    pixel: Pixel = .topRight, scale: Int = 1
  ) throws(Invalid) {
    guard 1...4096 ~= width, 1...4096 ~= height, 1...16 ~= scale else { throw .size }
    guard 0...1 ~= alpha else { throw .alpha }
    guard var bitmap = Bitmap(width: width * scale, height: height * scale, filledWith: color.premultipliedPixel) else { throw .size }
    if let position = pixel.position(width, height) {
      guard position.x < width, position.y < height else { throw .pixel }
      var special = color
      special.alpha *= Float(alpha)
      for y in 0..<scale {
        for x in 0..<scale { bitmap[position.x * scale + x, position.y * scale + y] = special.premultipliedPixel }
      }
    }
    try self.init(bitmap: bitmap, capInsets: capInsets, scale: scale)
  }

  /// The cap insets in pixels of `bitmap`.
  var pixelInsets: CapInsets { capInsets.scaled(by: scale) }
}

extension StretchableImage {
  /// The image stretched to a size in pixels. Caps that do not fit shrink in proportion, like CSS border images.
  public func stretched(toWidth width: Int, height: Int, limits: Limits = Limits()) throws(ImageError) -> Bitmap {
    guard width > 0, height > 0 else { throw ImageError(.imageTooLarge, "An image of \(width) × \(height) pixels cannot be rendered.") }
    var result = try DecodingTask(limits: limits, deadline: .never).allocate(width, height)
    let insets = pixelInsets
    let columns = Self.sources(bitmap.width, insets.left, insets.right, width)
    let rows = Self.sources(bitmap.height, insets.top, insets.bottom, height)
    let sourceWidth = bitmap.width
    result.withUnsafeMutablePixels { out in
      bitmap.withUnsafePixels { source in
        for y in 0..<height {
          let row = rows[y] * sourceWidth
          for x in 0..<width { out[y * width + x] = source[row + columns[x]] }
        }
      }
    }
    return result
  }

  /// The source position for each of `target` positions along one axis.
  private static func sources(_ length: Int, _ start: Int, _ end: Int, _ target: Int) -> [Int] {
    let caps = start + end
    let fits = caps <= target
    let newStart = fits ? start : target * start / max(1, caps)
    let newEnd = fits ? end : target - newStart
    let middle = length - caps, newMiddle = target - newStart - newEnd
    return (0..<target).map { place in
      if place < newStart { return fits ? place : place * start / newStart }
      let fromEnd = target - place
      if fromEnd <= newEnd { return length - (fits ? fromEnd : (fromEnd * end + newEnd - 1) / newEnd) }
      return start + (place - newStart) * middle / newMiddle
    }
  }

  /// The smallest image that gives `bitmap` when stretched to its size: one px is kept of the longest run of equal columns, and of equal
  /// rows.
  public init(smallestOf bitmap: Bitmap, scale: Int = 1) throws(Invalid) {
    guard 1...16 ~= scale, !bitmap.isEmpty else { throw .size }
    let (width, height) = (bitmap.width, bitmap.height)
    let columns = bitmap.withUnsafePixels { pixels in
      Self.longestRun(width) { a, b in (0..<height).allSatisfy { pixels[$0 * width + a] == pixels[$0 * width + b] } }
    }
    let rows = bitmap.withUnsafePixels { pixels in
      Self.longestRun(height) { a, b in (0..<width).allSatisfy { pixels[a * width + $0] == pixels[b * width + $0] } }
    }
    let across = Self.Caps(columns, width, scale), down = Self.Caps(rows, height, scale)
    let keptColumns = across.kept(width, scale), keptRows = down.kept(height, scale)
    var pixels: [UInt32] = []
    pixels.reserveCapacity(keptColumns.count * keptRows.count)
    for y in keptRows { for x in keptColumns { pixels.append(bitmap[x, y]) } }
    guard let small = Bitmap(width: keptColumns.count, height: keptRows.count, pixels: pixels) else { throw .size }
    let insets = CapInsets(top: down.start / scale, right: across.end / scale, bottom: down.end / scale, left: across.start / scale)
    try self.init(bitmap: small, capInsets: insets, scale: scale)
  }

  /// The first of the longest runs of equal neighbors.
  private static func longestRun(_ count: Int, _ equal: (Int, Int) -> Bool) -> Range<Int> {
    var best = 0..<1, start = 0
    for i in 1..<max(1, count) {
      if !equal(i - 1, i) { start = i }
      if i + 1 - start > best.count { best = start..<(i + 1) }
    }
    return best
  }

  /// The pixels before and after the stretched part along one axis, in whole px of the scale.
  private struct Caps {
    var start: Int
    var end: Int
    /// Whether everything between the caps is equal.
    var isUniform: Bool

    init(_ run: Range<Int>, _ count: Int, _ scale: Int) {
      start = (run.lowerBound + scale - 1) / scale * scale
      end = (count - run.upperBound + scale - 1) / scale * scale
      isUniform = start + end < count
      guard !isUniform else { return }
      // The run contains no whole px, so nothing is dropped, and a px in the middle is stretched as it is.
      start = min(run.lowerBound, count - 1) / scale * scale
      end = max(0, (count - start - scale) / scale * scale)
    }

    /// The positions that are kept.
    func kept(_ count: Int, _ scale: Int) -> [Int] {
      let middle = start..<max(start, count - end)
      let keptOfMiddle = isUniform ? middle.prefix(scale) : middle[...]
      return Array(0..<start) + Array(keptOfMiddle) + Array((count - end)..<count)
    }
  }
}
