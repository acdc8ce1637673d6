internal import Glibc

extension FontCatalog {
  /// Stores a registry for later processes, unless a file or folder was modified so recently that another modification could have the same
  /// time.
  static func write(_ registry: FontRegistry, _ order: FontOrder, _ places: [FontLocation], directory: String) {
    let now = Glibc.time(nil)
    guard places.allSatisfy({ $0.isSettled(at: now) }) else { return }
    var writer = CatalogWriter()
    writer.header[Word.digestHigh] = registry.digest.high
    writer.header[Word.digestLow] = registry.digest.low
    writer.begin(.order)
    writer.body.longText(order.text)
    writer.write(places)
    writer.writeProblemsAndLists(of: registry)
    writer.write(facesOf: registry)
    writer.write(registry.index)
    let bytes = writer.finish()
    guard bytes.count < maximumFileSize / 2 else { return }
    AtomicFile.write(bytes, path(directory, order))
  }
}

private struct CatalogWriter {
  var header: [FontCatalog.Word: UInt64] = [.magic: FontCatalog.magic]
  var body = FaceRecordWriter()

  /// The offset of the next byte in the file.
  private var offset: UInt64 { UInt64(FontCatalog.Word.size + body.bytes.count) }

  mutating func begin(_ section: FontCatalog.Word) { header[section] = offset }

  func finish() -> [UInt8] {
    var writer = FaceRecordWriter()
    for word in FontCatalog.Word.allCases { writer.word(header[word] ?? 0) }
    writer.bytes += body.bytes
    let checksum = writer.bytes.withUnsafeBytes { FontHasher.checksum($0, from: 16) }
    withUnsafeBytes(of: checksum.littleEndian) { writer.bytes.replaceSubrange(8..<16, with: $0) }
    return writer.bytes
  }

  /// Writes the locations grouped by folder, so that the reader opens each folder once.
  mutating func write(_ places: [FontLocation]) {
    var folders: [Substring] = [], members: [Substring: [(name: Substring, key: FileKey?)]] = [:]
    for place in places {
      let (folder, name) = place.parts
      if members[folder] == nil { folders.append(folder) }
      members[folder, default: []].append((name, place.key))
    }
    begin(.places)
    body.number(folders.count)
    for folder in folders {
      let members = members[folder] ?? []
      body.cString(folder)
      body.number(members.count)
      for member in members {
        body.flag(member.key != nil)
        member.key?.write(to: &body)
        body.cString(member.name)
      }
    }
  }

  mutating func writeProblemsAndLists(of registry: FontRegistry) {
    begin(.problems)
    body.number(registry.problems.count)
    for problem in registry.problems { body.text(problem) }
    body.number(registry.hyphenations.count)
    for dictionary in registry.hyphenations {
      body.text(dictionary.language)
      body.text(dictionary.path)
      body.word(dictionary.digest.high)
      body.word(dictionary.digest.low)
    }
    body.number(registry.duplicates.count)
    for duplicate in registry.duplicates {
      body.text(duplicate.path)
      body.text(duplicate.of)
    }
  }

  mutating func write(facesOf registry: FontRegistry) {
    header[.faceCount] = UInt64(registry.faces.count)
    var offsets: [UInt64] = []
    for face in registry.faces {
      offsets.append(offset)
      body.number(face.index)
      body.word(face.contentDigest.high)
      body.word(face.contentDigest.low)
      body.text(face.path)
      face.info.write(to: &body)
    }
    begin(.faces)
    for offset in offsets { body.word(offset) }
    begin(.fallbacks)
    for index in registry.orderedFallbackFaces.order ?? [] { body.number(index) }
  }

  /// Writes a hash table with open addressing, at most half full, that maps names to their families and faces.
  mutating func write(_ index: FamilyIndex) {
    let names = Set(index.families.keys).union(index.faceNames.keys).sorted()
    var count = 16
    while count < 2 * names.count { count *= 2 }
    var slots = [UInt64](repeating: 0, count: count)
    for name in names {
      var slot = Int(truncatingIfNeeded: FontCatalog.hash(name.text.utf8)) & (count - 1)
      while slots[slot] != 0 { slot = (slot + 1) & (count - 1) }
      slots[slot] = offset
      body.text(name.text)
      body.number(index.faceNames[name] ?? -1)
      let family = index.families[name] ?? []
      body.number(family.count)
      for face in family { body.number(face) }
    }
    header[.slotCount] = UInt64(count)
    begin(.slots)
    for slot in slots { body.word(slot) }
  }
}

extension FaceRecordWriter {
  /// Text with a 64-bit length.
  mutating func longText(_ value: String) {
    number(value.utf8.count)
    bytes += value.utf8
  }

  /// Text with a terminating NUL, for functions of the C library.
  mutating func cString(_ value: Substring) {
    text(String(value))
    bytes.append(0)
  }
}
