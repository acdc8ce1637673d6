import OffprintCoreTypes
import Glibc
import Offprint
import OffprintConfiguration

/// A list that can be read repeatedly, because it is checked before anything is rendered. Input from a pipe is stored in an unnamed file,
/// not in memory.
final class ListSource: Sendable {
  /// The name in messages.
  let name: String
  /// The path as it was given.
  let path: String
  let format: ListFormat
  /// The column names of a table, and its separator.
  let header: [String]
  let separator: UInt8
  /// A short name that distinguishes it from other lists, for ids.
  let label: String
  private let kept: OpenedList?
  private let range: Range<Int>
  private let identity: FileIdentity

  struct Options {
    var lineLimit: Int
    var format: ListFormat?
    /// Whether rows of data are expected, not jobs.
    var isTable: Bool
    /// New names of columns, by their old names.
    var columnNames: [String: String] = [:]
  }

  /// - Throws: Errors of opening; `outputUnwritable` if there is no space for the input from a pipe; `dataInvalid` for input that is not a
  ///   list.
  init(_ path: String, _ options: Options) throws(OffprintError) {
    self.path = path
    name = Files.displayName(path)
    label = path == "-" ? "stdin" : Files.stem(path)
    let opened = try Files.open(path)
    var file = OpenedList(opened, isOwned: opened != STDIN_FILENO)
    var status = stat()
    let start = lseek(opened, 0, SEEK_CUR)
    let isFile = fstat(opened, &status) == 0 && status.st_mode & S_IFMT == S_IFREG && status.st_size > 0 && start >= 0
    if isFile {
      // Rows appended later are not checked, so they are not rendered.
      range = start..<max(start, status.st_size)
    } else {
      let copy = OpenedList(try Self.unnamedFile(), isOwned: true)
      range = 0..<(try Self.copy(opened, to: copy.descriptor, name))
      file = copy
    }
    identity = FileIdentity(status)
    // Many files can be named, so they are not kept open.
    kept = isFile && path != "-" ? nil : file
    let head = Self.head(file.descriptor, range)
    format = try Self.format(path, head, options)
    (header, separator) = try Self.header(file, range, format, head, name, options)
  }

  /// For NDJSON that is read once, as a stream.
  init(linesOf path: String) throws(OffprintError) {
    self.path = path
    name = Files.displayName(path)
    label = Files.stem(path)
    (format, header, separator, range, identity) = (.ndjson, [], 0, 0..<0, FileIdentity(stat()))
    let opened = try Files.open(path)
    kept = OpenedList(opened, isOwned: opened != STDIN_FILENO)
  }

  /// Reads from the current position of the descriptor.
  func stream(limit: Int) throws(OffprintError) -> RecordReader {
    RecordReader(try opened(), name: name, limit: limit, splitter: splitter)
  }

  /// Reads from the first record after the header.
  ///
  /// - Throws: `dataInvalid` if the file was replaced.
  func records(limit: Int) throws(OffprintError) -> RecordReader {
    var reader = RecordReader(try opened(), name: name, range: range, limit: limit, splitter: splitter)
    if format.hasHeader { _ = try reader.next() }
    return reader
  }

  private func opened() throws(OffprintError) -> OpenedList {
    if let kept { return kept }
    let descriptor = try Files.open(path)
    var status = stat()
    guard fstat(descriptor, &status) == 0, FileIdentity(status) == identity else {
      close(descriptor)
      throw OffprintError(.dataInvalid, "\(name) was replaced while it was being read.")
    }
    return OpenedList(descriptor, isOwned: true)
  }

  private var splitter: any RecordSplitter {
    switch format {
    case .csv, .tsv: TableSplitter(separator: separator)
    case .json: JSONSplitter()
    case .sitemap: SitemapSplitter()
    case .ndjson, .paths, .log, .html: LineSplitter()
    }
  }
}

/// The identity of a file, independent of its path.
private struct FileIdentity: Equatable, Sendable {
  var device: UInt
  var number: UInt
  init(_ status: stat) { (device, number) = (UInt(status.st_dev), UInt(status.st_ino)) }
}

extension ListSource {
  private static func head(_ descriptor: Int32, _ range: Range<Int>) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: min(range.count, 1 << 16))
    let count = pread(descriptor, &bytes, bytes.count, range.lowerBound)
    return Files.withoutMark(Array(bytes.prefix(max(0, count))))
  }

  private static func format(_ path: String, _ head: [UInt8], _ options: Options) throws(OffprintError) -> ListFormat {
    let name = Files.displayName(path)
    if head.starts(with: [0xFF, 0xFE]) || head.starts(with: [0xFE, 0xFF]) {
      throw OffprintError(.dataInvalid, "\(name) is UTF-16; save it as UTF-8 (spreadsheets: 'CSV UTF-8').")
    }
    let format = options.format ?? ListFormat(name: path, head: head) ?? ListFormat(head: head, isTable: options.isTable)
    if format != .html, let kind = PageInput.kind(head) {
      throw OffprintError(.dataInvalid, "\(name) is not a list but \(kind); \(conversion(path)).")
    }
    if format == .html && (path == "-" || options.isTable) {
      throw OffprintError(.dataInvalid, "\(name) is a page, not a list; use 'offprint render' for one page.")
    }
    return format
  }

  /// Suggests how to convert a file of another kind to a list.
  private static func conversion(_ path: String) -> String {
    let stem = Files.stem(path)
    switch path.split(byte: ".").last?.lowercased() {
    case "xlsx": return "convert it: xlsx2csv '\(path)' > '\(stem).csv' (Debian and PyPI: xlsx2csv)"
    case "ods", "xls", "xlsm", "numbers": return "convert it: libreoffice --headless --convert-to csv '\(path)'"
    default: return "save spreadsheets as CSV, and unpack archives"
    }
  }

  private static func header(
    _ file: OpenedList, _ range: Range<Int>, _ format: ListFormat, _ head: [UInt8], _ name: String, _ options: Options
  ) throws(OffprintError) -> ([String], UInt8) {
    guard format.hasHeader else { return ([], 0) }
    // The separator determines where a record ends, because quotes are only significant at the beginning of a field.
    let separator = format == .tsv ? 0x09 : TableText.separator(TableText.firstRow(head))
    var reader = RecordReader(file, name: name, range: range, limit: options.lineLimit, splitter: TableSplitter(separator: separator))
    guard let fields = TableText.fields(try reader.next()?.text ?? [], separator: separator) else {
      throw OffprintError(.dataInvalid, "\(name): the header has an unclosed quote.")
    }
    let own = fields.map { $0.trimmingSpaces }
    if let missing = options.columnNames.keys.sorted().first(where: { !own.contains($0) }) {
      let nearest = NearestName.of(missing, in: own).map { "; did you mean '\($0)'?" } ?? "."
      throw OffprintError(.dataInvalid, "\(name) has no column '\(Sentence.fit(missing))', which --map renames\(nearest)")
    }
    let names = own.map { options.columnNames[$0] ?? $0 }
    var seen: Set<ByteString> = []
    if let twice = names.first(where: { !$0.isEmpty && !seen.insert(ByteString($0)).inserted }) {
      throw OffprintError(.dataInvalid, "\(name) has two columns '\(Sentence.fit(twice))'; make the names unique.")
    }
    return (names, separator)
  }

  private static func unnamedFile() throws(OffprintError) -> Int32 {
    let folder = getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp"
    var template = Array("\(folder)/offprint-jobs-XXXXXX".utf8CString)
    let descriptor = mkstemp(&template)
    guard descriptor >= 0 else { throw noRoom(errno) }
    _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
    unlink(&template)
    return descriptor
  }

  /// The maximum size of a list from a pipe, in bytes.
  private static let maximumKept = 1 << 30

  private static func copy(_ source: Int32, to target: Int32, _ name: String) throws(OffprintError) -> Int {
    var chunk = [UInt8](repeating: 0, count: 1 << 16)
    var size = 0
    while true {
      let count = try Files.read(source, &chunk, name)
      if count == 0 { return size }
      let code = FileDescriptorIO.write(Array(chunk[..<count]), to: target)
      if code != 0 { throw noRoom(code) }
      size += count
      guard size <= maximumKept else {
        throw OffprintError(
          .limitExceeded,
          "\(name) has more than \(maximumKept >> 20) MiB, the limit for input that is not a regular file; save it as a file.")
      }
    }
  }

  private static func noRoom(_ code: Int32) -> OffprintError {
    OffprintError(
      .outputUnwritable,
      "The list cannot be stored in a temporary file: \(errorText(code)); set another folder with TMPDIR, or pass a regular file as JOBS.")
  }
}
