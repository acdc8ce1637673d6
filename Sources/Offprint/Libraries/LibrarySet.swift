package import OffprintCoreTypes

/// The C libraries whose code determines the bytes of an image. Their digest is a part of every key, so that machines with different
/// libraries can share a cache.
package struct LibrarySet: Sendable {
  package struct Member: Sendable {
    /// For example `cairo`.
    package var name: String
    /// The name of the file that is opened, such as `libcairo.so.2`.
    package var fileName: String
    package var file: SharedLibraries.File
  }

  package let members: [Member]
  /// SHA-256 of the names and build IDs, in hexadecimal digits.
  package let digest: String

  /// The libraries of this process.
  package static let current = LibrarySet()

  private init() {
    members = Self.names.compactMap { name, files in
      files.lazy.compactMap { fileName in
        SharedLibraries.file(fileName).map { Member(name: name, fileName: fileName, file: $0) }
      }.first
    }
    digest = SHA256.hash(Array(members.map { "\($0.name) \($0.file.buildID)\n" }.joined().utf8)).hexadecimalDigits
  }

  /// Each with the file names of its versions; the first that exists is opened.
  private static let names: [(name: String, files: [String])] = [
    ("glib", ["libglib-2.0.so.0"]), ("freetype", ["libfreetype.so.6"]), ("harfbuzz", ["libharfbuzz.so.0"]),
    ("graphite2", ["libgraphite2.so.3"]), ("fribidi", ["libfribidi.so.0"]), ("pango", ["libpango-1.0.so.0"]), ("thai", ["libthai.so.0"]),
    ("fontconfig", ["libfontconfig.so.1"]), ("cairo", ["libcairo.so.2"]), ("pixman", ["libpixman-1.so.0"]),
    ("deflate", ["libdeflate.so.0"]), ("zlib", ["libz.so.1"]), ("png", ["libpng16.so.16"]), ("jpeg", [SharedLibraries.jpegFileName]),
    ("webp", ["libwebp.so.7"]), ("sharpyuv", ["libsharpyuv.so.0"]), ("avif", ["libavif.so.16", "libavif.so.15"]), ("aom", ["libaom.so.3"]),
    ("qrencode", ["libqrencode.so.4"]),
    ("xml2", ["libxml2.so.2", "libxml2.so.16"]), ("icu", (60...90).reversed().map { "libicuuc.so.\($0)" }),
  ]
}
