import Foundation
import Testing

@Suite("Output names") struct OutputNameTests {
  private func run(_ scratch: Scratch, _ list: String, _ pattern: String) throws -> Program.Outcome {
    try Program.run(
      ["batch", "-", "--input-format", "csv", "--no-cache", "--output", "out", "--name", pattern], input: Data(list.utf8),
      folder: scratch.url)
  }

  private func files(_ scratch: Scratch) -> [String] {
    let all = FileManager.default.enumerator(atPath: scratch.path("out"))?.compactMap { $0 as? String } ?? []
    return all.filter { $0.hasSuffix(".png") }.sorted()
  }

  @Test("Output names consist of fields with folders, digits and braces, and fields cannot lead elsewhere")
  func patterns() throws {
    let scratch = try Scratch()
    let list = "sku,width,html\nA/1,20,x\n..,30,y\nü,,z\n"
    #expect(try run(scratch, list, "{sku}-{width}.png").status == 0)
    #expect(files(scratch) == ["..-30.png", "A_1-20.png", "ü-800.png"])
    try FileManager.default.removeItem(atPath: scratch.path("out"))
    #expect(try run(scratch, list, "of {{{sku}}}/{number:03}").status == 0)
    #expect(files(scratch) == ["of {..}/002.png", "of {A_1}/001.png", "of {ü}/003.png"])
    try FileManager.default.removeItem(atPath: scratch.path("out"))
    try scratch.write("site/sub/p.html", "<p>x")
    try scratch.write("site/q.html", "<p>x")
    let list2 = Data("site/sub/p.html\nsite/q.html\n".utf8)
    let arguments = ["batch", "-", "--no-cache", "--output", "out", "--name", "{folder}/{stem}.png"]
    #expect(try Program.run(arguments, input: list2, folder: scratch.url).status == 0)
    #expect(files(scratch) == ["site/q.png", "site/sub/p.png"])
  }

  @Test(
    "Invalid output names are errors before rendering",
    arguments: [
      ("a/{sku}/x.png", "sku,html\n..,x\n", 65, "contains '.' or '..'"), ("{sku}.png", "sku,html\na,x\na,y\n", 65, "on lines 2 and 3"),
      ("{other}.png", "id,html\na,x\n", 65, "no field 'other'"), ("{sku}.png", "sku,html\n,x\n", 65, "no field 'sku'"),
      ("{sku}.png", "sku,html\n\(String(repeating: "x", count: 300)),x\n", 65, "too long for a file name"),
      ("/tmp/{sku}.png", "sku,html\na,x\n", 64, "outside --output"), ("../{sku}.png", "sku,html\na,x\n", 64, "contains '.' or '..'"),
      ("{sku", "sku,html\na,x\n", 64, "must end with '}'"), ("sku}", "sku,html\na,x\n", 64, "'}'"), ("{}", "sku,html\na,x\n", 64, "--name"),
      ("a//{sku}", "sku,html\na,x\n", 64, "an empty name"), ("a\u{1}{sku}", "sku,html\na,x\n", 64, "control"),
    ])
  func unsafe(pattern: String, list: String, status: Int, says: String) throws {
    let scratch = try Scratch()
    let outcome = try run(scratch, list, pattern)
    #expect(outcome.status == Int32(status) && outcome.errors.contains(says), "\(outcome.errors)")
    #expect(!scratch.exists("out"))
  }
}
