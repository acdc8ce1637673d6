public import OffprintCoreTypes

/// Renders an SVG document. Must be used by one thread.
public protocol VectorDrawing: AnyObject, Sendable {
  /// Renders the document to fill an image of this size.
  ///
  /// - Parameter isStretched: Whether to ignore the document's `preserveAspectRatio`.
  func bitmap(width: Int, height: Int, isStretched: Bool, limits: Limits, deadline: Deadline) throws(ImageError) -> Bitmap
  /// A renderer for a box of this size in CSS px, for documents whose layout depends on it.
  func filling(width: Double, height: Double) -> (any VectorDrawing)?
}

extension VectorDrawing {
  public func filling(width: Double, height: Double) -> (any VectorDrawing)? { nil }
}

/// An SVG document, rendered at whatever size is needed. It loads only `data:` URLs.
public struct VectorImage: Hashable, Sendable {
  public var bytes: [UInt8]
  /// Nil until the document is styled; nothing is painted before.
  public var drawing: (any VectorDrawing)?
  /// The fragment of its URL, which selects a part of the document.
  public var fragment = ""
  /// Whether the document fills its box regardless of its `preserveAspectRatio`.
  public var isStretched = false

  public init(_ bytes: [UInt8]) { self.bytes = bytes }

  public static func == (a: VectorImage, b: VectorImage) -> Bool {
    a.bytes == b.bytes && a.fragment == b.fragment && a.isStretched == b.isStretched
  }
  public func hash(into hasher: inout Hasher) {
    hasher.combine(bytes)
    hasher.combine(fragment)
    hasher.combine(isStretched)
  }

  /// The document laid out for a box of this size in CSS px.
  public func filling(width: Double, height: Double) -> VectorImage {
    guard let drawing = drawing?.filling(width: width, height: height) else { return self }
    var result = VectorImage(bytes + Array(" \(width)×\(height)".utf8))
    result.drawing = drawing
    return result
  }

  /// The document with its internal entities expanded.
  public static func expanded(_ bytes: [UInt8]) -> [UInt8] { SVGEntities.expanded(bytes) ?? bytes }

  /// Renders the document to fill an image of this size.
  ///
  /// - Throws: `ImageError`, `limitExceeded` if the document might need more time or memory than an image may use.
  public func bitmap(
    width: Int, height: Int, limits: Limits = Limits(), deadline: Deadline = .never
  ) throws(ImageError) -> Bitmap {
    guard let drawing else { throw ImageDecoder.damaged(.svg) }
    return try drawing.bitmap(width: width, height: height, isStretched: isStretched, limits: limits, deadline: deadline)
  }
}
