import Glibc
import Synchronization

/// iconv converters for all legacy encodings of pages and hyphenation patterns. glibc loads a shared object for each when it is first used,
/// which a sandboxed process cannot.
package enum LoadedConverters {
  private static let converters = Mutex<[UInt]>([])

  /// Opens all converters and keeps them open, because glibc unloads unused objects.
  package static func load() {
    converters.withLock { kept in
      guard kept.isEmpty else { return }
      // Hyphenation patterns also use two encodings under names that pages do not use.
      for name in TextEncoding.converterNames + ["ISO-8859-1", "ISO-8859-9"] {
        let converter = iconv_open("UTF-8", name)
        if let converter, converter != iconv_t(bitPattern: -1) { kept.append(UInt(bitPattern: converter)) }
      }
    }
  }
}
