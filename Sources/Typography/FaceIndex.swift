internal import Glibc

/// What is known of font files from before, by device, inode, size and times of change: none has to be opened to know its faces.
///
/// One file, written to a temporary name and renamed, with a digest of itself: what is damaged or of another version counts as none.
struct FaceIndex {
  struct Key: Hashable {
    var device: UInt64
    var inode: UInt64
    var size: UInt64
    var modified: UInt64
    var changed: UInt64

    init(_ status: stat) {
      func time(_ time: timespec) -> UInt64 { UInt64(truncatingIfNeeded: time.tv_sec &* 1_000_000_000 &+ time.tv_nsec) }
      device = UInt64(truncatingIfNeeded: status.st_dev)
      inode = UInt64(truncatingIfNeeded: status.st_ino)
      size = UInt64(truncatingIfNeeded: status.st_size)
      modified = time(status.st_mtim)
      changed = time(status.st_ctim)
    }

    fileprivate init(_ reader: inout FaceIndexReader) {
      (device, inode, size, modified, changed) = (reader.word(), reader.word(), reader.word(), reader.word(), reader.word())
    }

    fileprivate func write(to writer: inout FaceIndexWriter) { for word in [device, inode, size, modified, changed] { writer.word(word) } }
  }

  /// A font file, or another whose digest alone is known.
  struct File {
    var digest: FontDigest
    /// By their numbers in the file.
    var faces: [(index: Int, info: FaceInfo)]
  }

  private let path: String?
  private var known: [Key: Range<Int>] = [:]
  private var bytes: [UInt8] = []
  private var used: [(key: Key, record: [UInt8])] = []
  private var isChanged = false
  private static let magic: UInt64 = 0x4f46_5046_4f4e_5434
  private static let largestFile = 64 << 20

  init(directory: String?) {
    path = directory.map { $0 + "/fonts.index" }
    load()
  }

  private mutating func load() {
    guard let path else { return }
    let file = open(path, O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { return }
    defer { close(file) }
    var status = stat()
    guard fstat(file, &status) == 0, status.st_size > 24, status.st_size <= Self.largestFile else { return }
    let size = Int(status.st_size)
    let read = [UInt8](unsafeUninitializedCapacity: size) { buffer, count in count = max(0, Glibc.read(file, buffer.baseAddress, size)) }
    guard read.count == size else { return }
    var reader = FaceIndexReader(bytes: read, range: 0..<size)
    guard reader.word() == Self.magic, reader.word() == Self.checksum(read[24...]) else { return }
    let count = Int(clamping: reader.word())
    known.reserveCapacity(min(count, 65_536))
    for _ in 0..<count where !reader.hasFailed {
      let key = Key(&reader), length = Int(clamping: reader.word())
      guard let record = reader.take(length) else { return known.removeAll() }
      known[key] = record
    }
    bytes = read
  }

  private static func checksum(_ bytes: ArraySlice<UInt8>) -> UInt64 {
    var hasher = FontHasher()
    bytes.withUnsafeBufferPointer { hasher.update($0) }
    let digest = hasher.finish()
    return digest.high ^ digest.low
  }

  /// What is known of a file; `read` finds it out.
  mutating func file(_ status: stat, read: () -> File?) -> File? {
    let key = Key(status)
    if let range = known[key], let file = File(bytes, range) {
      used.append((key, Array(bytes[range])))
      return file
    }
    guard let file = read() else { return nil }
    // What changed a moment ago may change again within the clock's step.
    if path != nil, status.st_ctim.tv_sec + 2 < Glibc.time(nil) {
      var writer = FaceIndexWriter()
      file.write(to: &writer)
      used.append((key, writer.bytes))
      isChanged = true
    }
    return file
  }

  /// Keeps what was asked for, and what else was known as long as there is room. An index that cannot be written is no error.
  func save() {
    guard let path, isChanged else { return }
    var writer = FaceIndexWriter(), total = 0, records = used
    let asked = Set(used.map(\.key))
    let others = known.filter { !asked.contains($0.key) }.sorted { ($0.key.inode, $0.key.modified) < ($1.key.inode, $1.key.modified) }
    for (key, range) in others.prefix(max(0, 8192 - records.count)) { records.append((key, Array(bytes[range]))) }
    writer.word(UInt64(records.count))
    for (key, record) in records {
      key.write(to: &writer)
      writer.word(UInt64(record.count))
      writer.bytes += record
      total += record.count
    }
    guard total < Self.largestFile / 2 else { return }
    var head = FaceIndexWriter()
    head.word(Self.magic)
    // The number of records is not covered: it is checked as it is read.
    head.word(Self.checksum(writer.bytes[8...]))
    write(head.bytes + writer.bytes, path)
  }

  private func write(_ bytes: [UInt8], _ path: String) {
    let temporary = "\(path).\(getpid()).tmp"
    // Its folder is nobody else's to make.
    if let slash = path.lastIndex(of: "/") { mkdir(String(path[..<slash]), 0o700) }
    guard let file = fopen(temporary, "wb") else { return }
    let written = fwrite(bytes, 1, bytes.count, file)
    guard fclose(file) == 0, written == bytes.count, rename(temporary, path) == 0 else {
      unlink(temporary)
      return
    }
  }
}

struct FaceIndexWriter {
  var bytes: [UInt8] = []

  mutating func word(_ value: UInt64) { withUnsafeBytes(of: value.littleEndian) { bytes.append(contentsOf: $0) } }
  mutating func number(_ value: Int) { word(UInt64(bitPattern: Int64(value))) }
  mutating func float(_ value: Float) { word(UInt64(value.bitPattern)) }
  mutating func double(_ value: Double) { word(value.bitPattern) }
  mutating func flag(_ value: Bool) { bytes.append(value ? 1 : 0) }
  mutating func text(_ value: String) {
    var value = value
    value.withUTF8 { utf8 in
      let count = UInt16(clamping: utf8.count)
      withUnsafeBytes(of: count.littleEndian) { bytes.append(contentsOf: $0) }
      bytes.append(contentsOf: utf8.prefix(Int(count)))
    }
  }
}

struct FaceIndexReader {
  let bytes: [UInt8]
  private(set) var range: Range<Int>
  private(set) var hasFailed = false

  init(bytes: [UInt8], range: Range<Int>) {
    self.bytes = bytes
    self.range = range.clamped(to: 0..<bytes.count)
  }

  mutating func take(_ count: Int) -> Range<Int>? {
    guard count >= 0, count <= range.count else {
      hasFailed = true
      return nil
    }
    let taken = range.lowerBound..<range.lowerBound + count
    range = taken.upperBound..<range.upperBound
    return taken
  }

  mutating func word() -> UInt64 {
    guard let place = take(8) else { return 0 }
    return bytes.withUnsafeBytes { UInt64(littleEndian: $0.loadUnaligned(fromByteOffset: place.lowerBound, as: UInt64.self)) }
  }
  mutating func number() -> Int { Int(truncatingIfNeeded: Int64(bitPattern: word())) }
  mutating func float() -> Float { Float(bitPattern: UInt32(truncatingIfNeeded: word())) }
  mutating func double() -> Double { Double(bitPattern: word()) }
  mutating func flag() -> Bool { take(1).map { bytes[$0.lowerBound] != 0 } ?? false }
  mutating func text() -> String {
    guard let place = take(2) else { return "" }
    let count = Int(bytes[place.lowerBound]) | Int(bytes[place.lowerBound + 1]) << 8
    return take(count).map { String(decoding: bytes[$0], as: UTF8.self) } ?? ""
  }
  mutating func list<Item>(_ item: (inout FaceIndexReader) -> Item) -> [Item] {
    let count = number()
    guard count >= 0, count <= range.count else {
      hasFailed = true
      return []
    }
    return (0..<count).map { _ in item(&self) }
  }
}

extension FaceIndex.File {
  fileprivate init?(_ bytes: [UInt8], _ range: Range<Int>) {
    var reader = FaceIndexReader(bytes: bytes, range: range)
    digest = FontDigest(high: reader.word(), low: reader.word())
    faces = reader.list { ($0.number(), FaceInfo(&$0)) }
    if reader.hasFailed { return nil }
  }

  fileprivate func write(to writer: inout FaceIndexWriter) {
    writer.word(digest.high)
    writer.word(digest.low)
    writer.number(faces.count)
    for face in faces {
      writer.number(face.index)
      face.info.write(to: &writer)
    }
  }
}

extension FaceInfo {
  init(_ reader: inout FaceIndexReader) {
    family = reader.text()
    legacyFamily = reader.text()
    styleName = reader.text()
    fullName = reader.text()
    postScriptName = reader.text()
    localizedFamilies = reader.list { $0.text() }
    localizedFullNames = reader.list { $0.text() }
    (weight, stretch, revision) = (reader.float(), reader.float(), reader.float())
    (isItalic, isOblique, isMonospaced, hasColor) = (reader.flag(), reader.flag(), reader.flag(), reader.flag())
    (hasColorPaints, isScalable, isMathematical) = (reader.flag(), reader.flag(), reader.flag())
    (unitsPerEm, glyphCount) = (max(reader.number(), 16), reader.number())
    axes = reader.list {
      FontAxis(
        tag: FontTag(raw: UInt32(truncatingIfNeeded: $0.word())), minimum: $0.float(), defaultValue: $0.float(), maximum: $0.float())
    }
    metrics = FaceMetrics(&reader)
  }

  func write(to writer: inout FaceIndexWriter) {
    for text in [family, legacyFamily, styleName, fullName, postScriptName] { writer.text(text) }
    for list in [localizedFamilies, localizedFullNames] {
      writer.number(list.count)
      for text in list { writer.text(text) }
    }
    for value in [weight, stretch, revision] { writer.float(value) }
    for value in [isItalic, isOblique, isMonospaced, hasColor, hasColorPaints, isScalable, isMathematical] { writer.flag(value) }
    writer.number(unitsPerEm)
    writer.number(glyphCount)
    writer.number(axes.count)
    for axis in axes {
      writer.word(UInt64(axis.tag.raw))
      for value in [axis.minimum, axis.defaultValue, axis.maximum] { writer.float(value) }
    }
    metrics.write(to: &writer)
  }
}

extension FaceMetrics {
  fileprivate init(_ reader: inout FaceIndexReader) {
    ascender = reader.double()
    descender = reader.double()
    lineGap = reader.double()
    typoAscender = reader.double()
    typoDescender = reader.double()
    xHeight = reader.double()
    capHeight = reader.double()
    underlinePosition = reader.double()
    underlineThickness = reader.double()
    strikeoutPosition = reader.double()
    strikeoutThickness = reader.double()
    averageAdvance = reader.double()
    boxWidth = reader.double()
    hasVerticalAdvances = reader.flag()
  }

  fileprivate func write(to writer: inout FaceIndexWriter) {
    for value in [
      ascender, descender, lineGap, typoAscender, typoDescender, xHeight, capHeight, underlinePosition, underlineThickness,
      strikeoutPosition, strikeoutThickness, averageAdvance, boxWidth,
    ] { writer.double(value) }
    writer.flag(hasVerticalAdvances)
  }
}
