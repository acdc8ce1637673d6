public import OffprintCoreTypes

/// A JPEG that was decoded at a fraction of its size, because it was estimated before layout to be painted small. If the estimate was
/// wrong, painting decodes the whole image.
public struct FullResolutionJPEG: Hashable, Sendable {
  private let bytes: [UInt8]

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  /// The whole image.
  ///
  /// - Throws: `ImageError`, `timedOut` after the deadline.
  public func bitmap(limits: Limits, deadline: Deadline) throws(ImageError) -> Bitmap {
    var budget = DecodingBudget(limits: limits, deadline: deadline)
    guard case .bitmap(let bitmap) = try ImageDecoder.decode(bytes, within: &budget).content else { throw ImageDecoder.damaged(.jpeg) }
    return bitmap
  }

  /// How often a JPEG painted at `size` may be halved, at most three times; nil for other formats, for JPEGs with an orientation (which
  /// would be applied to the whole image again), and if the size is unknown or nothing can be halved.
  static func probe(
    _ bytes: [UInt8], drawnAt size: (width: Double, height: Double)?
  ) throws(ImageError) -> (probe: ImageProbe, halvings: Int)? {
    guard let size, ImageFormat.sniff(bytes) == .jpeg, size.width > 0, size.height > 0 else { return nil }
    let probe = try ImageProbe(bytes)
    guard probe.orientation == 1 else { return nil }
    let ratio = min(Double(probe.pixelWidth) / size.width, Double(probe.pixelHeight) / size.height)
    let halvings = ratio >= 8 ? 3 : ratio >= 4 ? 2 : ratio >= 2 ? 1 : 0
    return halvings > 0 ? (probe, halvings) : nil
  }
}

extension DecodingBudget {
  /// Stores an image that was decoded at a fraction of its size; if there is no room even for that, its whole image is not available
  /// either.
  mutating func keep(_ bitmap: Bitmap, wholeOf bytes: [UInt8], _ halvings: Int) -> Bitmap {
    var kept = keep(bitmap)
    if halvings > 0, kept.halvings == halvings { kept.whole = FullResolutionJPEG(bytes) }
    return kept
  }
}
