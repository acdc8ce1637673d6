import OffprintCoreTypes
import OffprintDOM
import OffprintImages
import OffprintResources
import OffprintTypography

/// Everything with code that a page may need, opened before a sandbox that lets nothing be made executable.
package enum LoadedLibraries {
  /// - Returns: the libraries that are required and missing, and the packages to install.
  package static func load() -> String? {
    let missing = SharedLibraries.missing()
    LoadedConverters.load()
    DictionaryBreakLibrary.open()
    XMLDocumentParser.openLibrary()
    AVIFLibrary.open()
    QRLibrary.openLibrary()
    _ = LibrarySet.current
    return missing
  }
}
