import COffprintLibXML2
import OffprintCoreTypes
import Glibc

/// The functions of libxml2, which is loaded for the first XML page and never unloaded.
struct LibXML2: @unchecked Sendable {
  typealias Context = xmlParserCtxtPtr
  typealias CreatePushParser =
    @convention(c) (
      UnsafeMutablePointer<xmlSAXHandler>?, UnsafeMutableRawPointer?, UnsafePointer<CChar>?, Int32, UnsafePointer<CChar>?
    ) -> Context?

  let createPushParser: CreatePushParser
  let useOptions: @convention(c) (Context, Int32) -> Int32
  let parseChunk: @convention(c) (Context, UnsafePointer<CChar>?, Int32, Int32) -> Int32
  let stopParser: @convention(c) (Context) -> Void
  let freeParser: @convention(c) (Context) -> Void
  let byteConsumed: @convention(c) (Context) -> Int

  /// Nil if the library is not installed.
  static let shared = LibXML2()

  private init?() {
    let names = ["libxml2.so.2", "libxml2.so.16", "libxml2.so"]
    guard let library = names.lazy.compactMap({ (name: String) in SharedLibraries.open(name) }).first,
      let initialize = dlsym(library, "xmlInitParser"),
      let createPushParser = dlsym(library, "xmlCreatePushParserCtxt"),
      let useOptions = dlsym(library, "xmlCtxtUseOptions"),
      let parseChunk = dlsym(library, "xmlParseChunk"),
      let stopParser = dlsym(library, "xmlStopParser"),
      let freeParser = dlsym(library, "xmlFreeParserCtxt"),
      let byteConsumed = dlsym(library, "xmlByteConsumed")
    else { return nil }
    unsafeBitCast(initialize, to: (@convention(c) () -> Void).self)()
    self.createPushParser = unsafeBitCast(createPushParser, to: CreatePushParser.self)
    self.useOptions = unsafeBitCast(useOptions, to: (@convention(c) (Context, Int32) -> Int32).self)
    self.parseChunk = unsafeBitCast(parseChunk, to: (@convention(c) (Context, UnsafePointer<CChar>?, Int32, Int32) -> Int32).self)
    self.stopParser = unsafeBitCast(stopParser, to: (@convention(c) (Context) -> Void).self)
    self.freeParser = unsafeBitCast(freeParser, to: (@convention(c) (Context) -> Void).self)
    self.byteConsumed = unsafeBitCast(byteConsumed, to: (@convention(c) (Context) -> Int).self)
  }
}

extension XMLDocumentParser {
  /// Opens the library now instead of for the first XML document.
  package static func openLibrary() { _ = LibXML2.shared }
}
