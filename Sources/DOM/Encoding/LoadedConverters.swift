import Glibc
import Synchronization

/// Converters of the C library for all legacy encodings of pages and hyphenation patterns. glibc opens a shared object for each when it is first
/// asked for, which a process in a sandbox cannot.
package enum LoadedConverters {
  private static let converters = Mutex<[UInt]>([])

  /// Opens all, and keeps them open: glibc closes objects that are not used.
  package static func load() {
    converters.withLock { kept in
      guard kept.isEmpty else { return }
      // Hyphenation patterns also use two encodings that pages have by other names.
      for name in TextEncoding.converterNames + ["ISO-8859-1", "ISO-8859-9"] {
        let converter = iconv_open("UTF-8", name)
        if let converter, converter != iconv_t(bitPattern: -1) { kept.append(UInt(bitPattern: converter)) }
      }
    }
  }
}
