import OffprintCoreTypes
internal import Glibc

extension LibrarySet.Member {
  /// The version the library reports, which requires opening it; otherwise the part after `.so.` in its file name.
  package var version: String { reported ?? numbers ?? "unknown" }

  private var reported: String? {
    guard let library = SharedLibraries.open(fileName) else { return nil }
    switch name {
    case "glib": return ["major", "minor", "micro"].compactMap { number(library, "glib_\($0)_version") }.joined(separator: ".")
    case "cairo", "pango", "pixman": return text(library, "\(name)_version_string")
    case "harfbuzz": return text(library, "hb_version_string")
    case "zlib": return text(library, "zlibVersion")
    case "avif": return text(library, "avifVersion")
    case "aom": return text(library, "aom_codec_version_str").map { String($0.drop { $0 == "v" }) }
    default: return nil
    }
  }

  /// Calls a function that returns a string.
  private func text(_ library: UnsafeMutableRawPointer, _ function: String) -> String? {
    guard let symbol = dlsym(library, function) else { return nil }
    return unsafeBitCast(symbol, to: (@convention(c) () -> UnsafePointer<CChar>?).self)().map { String(cString: $0) }
  }

  /// Reads an integer variable.
  private func number(_ library: UnsafeMutableRawPointer, _ variable: String) -> String? {
    dlsym(library, variable).map { "\($0.load(as: UInt32.self))" }
  }

  private var numbers: String? {
    guard let path = realpath(file.path, nil) else { return nil }
    defer { free(path) }
    let words = String(cString: path).split(byte: "/").last?.split(byte: ".") ?? []
    guard let mark = words.firstIndex(of: "so"), mark + 1 < words.count else { return nil }
    return words[(mark + 1)...].joined(separator: ".")
  }
}
