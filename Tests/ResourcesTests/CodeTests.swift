import OffprintCoreTypes
import OffprintResources
import Testing

@Suite("QR codes and barcodes as resources")
struct CodeTests {
  private func load(_ reference: String) throws(ResourceError) -> String {
    String(decoding: try ResourceLoader().load(reference, relativeTo: nil).bytes, as: UTF8.self)
  }

  @Test("A barcode has one pixel per module, and quiet zones")
  func sizes() throws {
    #expect(try load("barcode:ean13:4006381333931").contains(#"width="226.0" height="80.0" viewBox="0 0 113 1""#))
    // Start, two characters, check and stop: 11 × 4 + 13.
    #expect(try load("barcode:code128:AB#margin=0&module=1&height=10").contains(#"width="57.0" height="10.0" viewBox="0 0 57 1""#))
    #expect(try load("barcode:code128:123456#margin=0&module=1").contains("viewBox=\"0 0 68 1\""), "three pairs of digits")
  }

  @Test("A missing check digit is added, and a specified one must be correct")
  func checkDigit() throws {
    #expect(try load("barcode:ean13:400638133393") == load("barcode:ean13:4006381333931"))
    #expect(throws: ResourceError.self) { try load("barcode:ean13:4006381333932") }
  }

  @Test(
    "An invalid code is an error that gives the reason",
    arguments: [
      ("barcode:ean8:1234", "an unknown barcode type"), ("barcode:code128:", "requires 1 to 200"), ("barcode:code128:%C3%A9", "ASCII"),
      ("qr:x#level=Z", "level=Z"),
      ("qr:x#height=3", "height=3"), ("qr:x#color=a%22b", "out of range"), ("qr:x#margin", "without a value"), ("qr:", "empty"),
      ("barcode:x", "an unknown barcode type"),
    ])
  func problems(_ reference: String, _ expected: String) {
    let error = #expect(throws: ResourceError.self) { try load(reference) }
    #expect(error?.message.contains(expected) == true, "\(error?.message ?? "")")
  }
}
