public import OffprintCoreTypes

/// A JPEG that was decoded at a part of its size, because all that is known before layout says that it is drawn small. Where that was wrong,
/// what draws it asks for all of it.
public struct WholePicture: Hashable, Sendable {
  private let bytes: [UInt8]

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  /// The whole picture.
  ///
  /// - Throws: `ImageError`, `timedOut` at the deadline.
  public func bitmap(limits: Limits, deadline: Deadline) throws(ImageError) -> Bitmap {
    var budget = DecodingBudget(limits: limits, deadline: deadline)
    guard case .bitmap(let bitmap) = try ImageDecoder.decode(bytes, within: &budget).content else { throw ImageDecoder.damaged(.jpeg) }
    return bitmap
  }

  /// How often a JPEG may be halved that is drawn at `size`, at most thrice; nil of other pictures, of those that are turned (their whole
  /// would be turned again), and where nothing is known or there is nothing to halve.
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
  /// `keep` of a picture that was decoded at a part of its size; one that there is no room for has no whole either.
  mutating func keep(_ bitmap: Bitmap, wholeOf bytes: [UInt8], _ halvings: Int) -> Bitmap {
    var kept = keep(bitmap)
    if halvings > 0, kept.halvings == halvings { kept.whole = WholePicture(bytes) }
    return kept
  }
}
