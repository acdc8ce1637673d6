import OffprintCoreTypes
import OffprintDOM
import OffprintImages
import OffprintResources
import OffprintTypography

/// Loads all code a page may need, before a sandbox prevents mapping executable memory.
package enum LoadedLibraries {
  /// - Returns: The required libraries that are missing, and the packages to install.
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
