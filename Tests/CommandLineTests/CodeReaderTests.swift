import Foundation
import Testing

/// Debian's zbar-tools, an independent reader.
private let reader = "/usr/bin/zbarimg"

@Suite("QR codes and barcodes", .enabled(if: FileManager.default.isExecutableFile(atPath: reader)))
struct CodeReaderTests {
  /// The codes that the reader finds in a page, at a scale of 1.
  private func found(_ html: String, _ options: [String] = []) throws -> [String] {
    let folder = try Scratch()
    let image = folder.path("a.png")
    let outcome = try Program.run(["render", "-", "-o", image, "--no-cache", "--strict"] + options, input: Data(html.utf8))
    #expect(outcome.status == 0, "\(outcome.errors)")
    return try read(image)
  }

  private func read(_ image: String) throws -> [String] {
    let process = Process(), pipe = Pipe()
    process.executableURL = URL(fileURLWithPath: reader)
    process.arguments = ["-q", image]
    process.standardOutput = pipe
    process.standardError = FileHandle.nullDevice
    try process.run()
    let output = pipe.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    return String(decoding: output, as: UTF8.self).split(separator: "\n").map(String.init)
  }

  @Test(
    "Codes are read by an independent reader",
    arguments: [
      ("qr:https%3A%2F%2Fexample.org%2F%3Fa%3D1%23b", "QR-Code:https://example.org/?a=1#b"),
      ("qr:HELLO%20123#level=H&module=3", "QR-Code:HELLO 123"),
      ("qr:Gr%C3%BC%C3%9Fe#color=navy&margin=6", "QR-Code:Grüße"), ("barcode:ean13:4006381333931", "EAN-13:4006381333931"),
      ("barcode:ean13:0012345678905", "EAN-13:0012345678905"), ("barcode:code128:OFP-7f3k-0042", "CODE-128:OFP-7f3k-0042"),
      ("barcode:code128:1234567", "CODE-128:1234567"), ("barcode:code128:A1234567890B12", "CODE-128:A1234567890B12"),
      ("barcode:code128:a%09B", "CODE-128:a\tB"),
    ])
  func areRead(_ reference: String, _ expected: String) throws { #expect(try found("<img src='\(reference)'>") == [expected]) }

  @Test("Codes in the built-in ticket and receipt are readable")
  func templates() throws {
    let folder = try Scratch()
    let ticket = folder.path("ticket.png"), receipt = folder.path("receipt.png")
    let set = ["event=Music", "date=Today", "qr=https://example.org/t/42?x=1&y=2"].flatMap { ["--set", $0] }
    #expect(try Program.run(["render", "--template", "ticket", "-o", ticket, "--no-cache"] + set).status == 0)
    #expect(try read(ticket) == ["QR-Code:https://example.org/t/42?x=1&y=2"])
    let data = #"{"store":"Shop","items":[{"name":"Tea","amount":"1.00"}],"total":"1.00","barcode":"2026-00417"}"#
    try folder.write("data.json", data)
    #expect(
      try Program.run(["render", "--template", "receipt", "--data", folder.path("data.json"), "-o", receipt, "--no-cache"]).status == 0)
    #expect(try read(receipt) == ["CODE-128:2026-00417"])
  }
}
