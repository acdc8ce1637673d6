import Foundation
import Testing

@Suite("Merged PDFs") struct MergeTests {
  private static let jobs = """
    {"id":"first","html":"<h1>One</h1><a href='https://example.org/(x)'>link</a><p style='break-before:page'>Two"}
    {"id":"bü","html":"<p>Three <b>bold</b>"}
    {"id":"last","html":"<h1>One</h1>"}

    """

  private func run(_ scratch: Scratch, _ jobs: String, _ options: [String] = []) throws -> Program.Outcome {
    try Program.run(
      ["batch", "-", "--merge", "all.pdf", "--no-cache", "--page-size", "A5"] + options, input: Data(jobs.utf8), folder: scratch.url)
  }

  private func count(_ text: String, _ file: Data) -> Int {
    String(decoding: file, as: Unicode.ASCII.self).components(separatedBy: text).count - 1
  }

  @Test("A merged PDF has the pages in list order, links and an outline, and the same bytes whichever job finishes first")
  func order() throws {
    let scratch = try Scratch()
    #expect(try run(scratch, Self.jobs, ["-j", "3"]).status == 0)
    let file = try Data(contentsOf: scratch.url.appendingPathComponent("all.pdf"))
    #expect(count("/Count 4 ", file) == 1 && count("/Type /Page ", file) == 4 && count("/Type /Pages ", file) == 1)
    #expect(count("/URI (https://example.org/\\(x\\))", file) == 1)
    #expect(count("/Title <FEFF006200FC>", file) == 1)
    #expect(try run(scratch, Self.jobs, ["-j", "1"]).status == 0)
    #expect(try Data(contentsOf: scratch.url.appendingPathComponent("all.pdf")) == file)
  }

  @Test("The cross-reference table of a merged PDF describes its objects")
  func table() throws {
    let scratch = try Scratch()
    #expect(try run(scratch, Self.jobs).status == 0)
    let file = Array(try Data(contentsOf: scratch.url.appendingPathComponent("all.pdf")))
    let lines = String(decoding: file, as: Unicode.ASCII.self).components(separatedBy: "\n")
    let start = try #require(lines.lastIndex(of: "startxref").flatMap { Int(lines[$0 + 1]) })
    let rows = String(decoding: file[start...], as: Unicode.ASCII.self).components(separatedBy: "\n").dropFirst(3)
    var number = 0
    for row in rows.prefix(while: { $0 != "trailer" }) {
      number += 1
      let offset = try #require(Int(row.prefix(10)))
      #expect(file[offset...].starts(with: Array("\(number) 0 obj\n".utf8)))
    }
    #expect(number > 10)
  }

  @Test("Objects shared by several jobs are written once")
  func sharing() throws {
    let scratch = try Scratch()
    let same = #"{"id":"1","html":"<p>Text"}"# + "\n"
    #expect(try run(scratch, same).status == 0)
    let one = try Data(contentsOf: scratch.url.appendingPathComponent("all.pdf")).count
    let many = (1...20).map { #"{"id":"\#($0)","html":"<p>Text"}"# }.joined(separator: "\n")
    #expect(try run(scratch, many).status == 0)
    #expect(try Data(contentsOf: scratch.url.appendingPathComponent("all.pdf")).count < one * 3)
  }

  @Test("A failed job leaves the old file, and with --keep-going the others are merged")
  func failures() throws {
    let scratch = try Scratch()
    try scratch.write("all.pdf", "before")
    let jobs = #"{"id":"a","html":"x"}"# + "\n" + #"{"id":"b","input":"missing.html"}"# + "\n" + #"{"id":"c","html":"y"}"#
    #expect(try run(scratch, jobs).status == 1)
    #expect(try Data(contentsOf: scratch.url.appendingPathComponent("all.pdf")) == Data("before".utf8))
    #expect(try run(scratch, jobs, ["--keep-going"]).status == 1)
    #expect(count("/Type /Page ", try Data(contentsOf: scratch.url.appendingPathComponent("all.pdf"))) == 2)
  }

  @Test(
    "Options that cannot be combined with --merge are refused",
    arguments: [
      (#"{"html":"x","format":"png"}"#, [], 1, "--merge writes a PDF"),
      (#"{"html":"x","output":"a.pdf"}"#, [], 1, "all jobs are written to one file"),
      (#"{"html":"x"}"#, ["--format", "png"], 64, "not png"), (#"{"html":"x"}"#, ["--name", "{id}"], 64, "excludes --name"),
      (#"{"html":"x"}"#, ["--resume", "--report", "r"], 64, "exclude each other"),
    ])
  func refusals(job: String, options: [String], status: Int, says: String) throws {
    let scratch = try Scratch()
    let outcome = try run(scratch, job, options)
    #expect(outcome.status == Int32(status) && outcome.errors.contains(says), "\(outcome.errors)")
    #expect(!scratch.exists("all.pdf"))
  }
}
