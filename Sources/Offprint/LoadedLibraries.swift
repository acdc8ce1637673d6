import CoreTypes
import DOM
import Images
import Typography

/// Everything with code that a page may need, opened before a sandbox that lets nothing be made executable.
package enum LoadedLibraries {
  /// - Returns: the file name of a library that is required and missing.
  package static func load() -> String? {
    let missing = SharedLibraries.openAll()
    LoadedConverters.load()
    DictionaryBreakLibrary.open()
    XMLDocumentParser.openLibrary()
    AVIFLibrary.open()
    return missing
  }
}
