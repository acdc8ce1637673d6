import Offprint
import OffprintCoreTypes

/// A page that is sent with the files that it uses: https://gotenberg.dev calls its page `index.html`, and this does, too.
struct UploadedPage {
  var html: [UInt8]
  var files: [Uploads.File]
  /// Fields without a file: those of a job.
  var fields: [(name: String, value: String)]
  private static let maximumNameBytes = 512

  /// - Throws: `dataInvalid` if no page, or more than one, is among the files.
  init(_ body: MultipartBody) throws(OffprintError) {
    files = []
    fields = []
    for part in body.parts {
      guard let name = part.fileName else {
        fields.append((part.name, String(decoding: part.bytes, as: UTF8.self)))
        continue
      }
      guard !name.isEmpty, name.utf8.count <= Self.maximumNameBytes, !name.hasPrefix("/"), !name.split(byte: "/").contains("..") else {
        throw OffprintError(.dataInvalid, "The file name '\(name.prefix(100))' is not a relative path without '..'.")
      }
      guard !files.contains(where: { $0.name.hasSameBytes(as: name) }) else {
        throw OffprintError(.dataInvalid, "There are two files named '\(name.prefix(100))'.")
      }
      // Clients that do not know the type of a file send this one.
      let type = part.type?.lowercased() == "application/octet-stream" ? nil : part.type
      files.append(Uploads.File(name: name, bytes: part.bytes, type: type))
    }
    let pages = files.filter { $0.name.lowercased().hasSuffix(".html") || $0.name.lowercased().hasSuffix(".htm") }
    let index = files.firstIndex { $0.name == "index.html" } ?? (pages.count == 1 ? files.firstIndex { $0.name == pages[0].name } : nil)
    guard let index else {
      throw OffprintError(.dataInvalid, "The page is missing: name one of the files index.html.")
    }
    html = files.remove(at: index).bytes
  }
}
