/// The files of a page's web fonts, each opened once however many rules and passes use it.
public final class WebFontFiles {
  struct Problem: Error { var reason: String }

  private var cached: [Key: (bytes: [UInt8], result: Result<FontFace, Problem>)] = [:]
  /// The remaining bytes that files may decompress to: a WOFF 2 file of a few hundred bytes can decompress to 32 MiB.
  private var left: Int
  private let limit: Int

  /// - Parameter unpackedBytes: The limit for all files together.
  public init(unpackedBytes: Int = 128 << 20) { (left, limit) = (unpackedBytes, unpackedBytes) }

  /// Parses an OpenType file or a WOFF file.
  func face(_ bytes: [UInt8]) -> Result<FontFace, Problem> {
    let key = Key(bytes)
    if let found = cached[key] { return found.result }
    let result = load(bytes)
    cached[key] = (bytes, result)
    return result
  }

  private func load(_ bytes: [UInt8]) -> Result<FontFace, Problem> {
    let isPacked = WOFF.isWOFF(bytes) || WOFF.isWOFF2(bytes)
    if isPacked, WOFF.declaredSize(bytes) > left { return .failure(tooMuch) }
    guard let sfnt = isPacked ? WOFF.decode(bytes) : bytes else {
      return .failure(Problem(reason: "it cannot be decompressed, or is too large"))
    }
    guard sfnt.count <= left else { return .failure(tooMuch) }
    guard let data = FontData(bytes: sfnt) else { return .failure(Problem(reason: "there is not enough memory")) }
    let result = open(data)
    if case .success = result { left -= sfnt.count }
    return result
  }

  private var tooMuch: Problem {
    Problem(reason: "the decompressed fonts of the page have more than \(limit) bytes (limit loadedBytes)")
  }

  private func open(_ data: FontData) -> Result<FontFace, Problem> {
    data.withBytes { buffer in
      let reader = SFNTReader(bytes: buffer)
      guard let offset = reader.faceOffsets().first else { return .failure(Problem(reason: "it is not a font")) }
      if let problem = FontSanity.problem(reader, faceAt: offset) { return .failure(Problem(reason: problem)) }
      guard let info = reader.faceInfo(at: offset) else { return .failure(Problem(reason: "its table 'head' is damaged")) }
      var hasher = FontHasher()
      hasher.update(buffer)
      return .success(FontFace(data: data, index: 0, info: info, path: "", digest: hasher.finish()))
    }
  }

  /// The address of an array's elements: rules with the same file share an array, which is retained here while its address is in use.
  private struct Key: Hashable {
    var place: UnsafeRawPointer?
    var count: Int

    init(_ bytes: [UInt8]) {
      place = bytes.withUnsafeBytes { $0.baseAddress }
      count = bytes.count
    }
  }
}
