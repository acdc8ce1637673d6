public import OffprintCoreTypes

/// What draws a document of SVG. Used by one thread.
public protocol VectorDrawing: AnyObject, Sendable {
  /// The document filling a picture of this size.
  ///
  /// - Parameter isStretched: whatever the document's `preserveAspectRatio` says.
  func bitmap(width: Int, height: Int, isStretched: Bool, limits: Limits, deadline: Deadline) throws(ImageError) -> Bitmap
  /// What draws it in a box of this size in CSS px, where the box decides how it is laid out.
  func filling(width: Double, height: Double) -> (any VectorDrawing)?
}

extension VectorDrawing {
  public func filling(width: Double, height: Double) -> (any VectorDrawing)? { nil }
}

/// An SVG document, drawn at whatever size it is needed. Nothing it refers to is loaded, except `data:` URLs.
public struct VectorImage: Hashable, Sendable {
  public var bytes: [UInt8]
  /// Nil until the document is styled: then nothing is drawn.
  public var drawing: (any VectorDrawing)?
  /// The part of the document that its address names.
  public var fragment = ""
  /// The document fills its box whatever its own `preserveAspectRatio` says.
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

  /// The document with the entities it declares written out.
  public static func expanded(_ bytes: [UInt8]) -> [UInt8] { SVGEntities.expanded(bytes) ?? bytes }

  /// The document filling a picture of this size.
  ///
  /// - Throws: `ImageError`, `limitExceeded` where the document might take more time or memory than a picture may.
  public func bitmap(
    width: Int, height: Int, limits: Limits = Limits(), deadline: Deadline = .never
  ) throws(ImageError) -> Bitmap {
    guard let drawing else { throw ImageDecoder.damaged(.svg) }
    return try drawing.bitmap(width: width, height: height, isStretched: isStretched, limits: limits, deadline: deadline)
  }
}
