import Foundation
import Glibc
import Testing

@Suite("Batch runs") struct BatchTests {
  private func states(_ outcome: Program.Outcome) -> [String] { outcome.lines.map { "\($0["id"] ?? "?") \($0["state"] ?? "?")" }.sorted() }

  @Test("A report has the state of each job (rendered, hit, degraded or failed), diagnostics, font faces and timings")
  func report() throws {
    let scratch = try Scratch()
    let list = [
      "{\"id\":\"good\",\"html\":\"<p>x\",\"width\":20}",
      "{\"id\":\"missing\",\"html\":\"<p>x<img src=none.png>\",\"width\":20,\"allow-files\":\".\"}",
      "{\"id\":\"bad\",\"html\":1}",
    ].joined(separator: "\n")
    let arguments = ["batch", "-", "--report", "-", "--keep-going", "--cache", "c", "--output", "out"]
    let first = try Program.run(arguments, input: Data(list.utf8), folder: scratch.url)
    #expect(first.status == 1 && states(first) == ["bad failed", "good rendered", "missing degraded"])
    let second = try Program.run(arguments, input: Data(list.utf8), folder: scratch.url)
    #expect(states(second) == ["bad failed", "good hit", "missing degraded"], "degraded images are not cached")
    let good = try #require(first.lines.first { $0["id"] as? String == "good" })
    #expect((good["faces"] as? [[String: String]])?.first?["family"]?.isEmpty == false)
    #expect((good["timings"] as? [String: Double])?["layout"] != nil && (good["key"] as? String)?.count == 64)
    let missing = try #require(first.lines.first { $0["id"] as? String == "missing" })
    #expect((missing["diagnostics"] as? [[String: Any]])?.contains { $0["code"] as? String == "resourceMissing" } == true)
    #expect(missing["status"] as? String == "rendered")
  }

  @Test("render reports a degraded image")
  func degradedRender() throws {
    let scratch = try Scratch()
    try scratch.write("p.html", "<img src=none.png>")
    let outcome = try Program.run(["render", "p.html", "--no-cache"], folder: scratch.url)
    #expect(outcome.status == 0 && outcome.errors.contains("degraded") && !outcome.errors.contains("rendered"), "\(outcome.errors)")
    let json = try Program.run(["render", "p.html", "--no-cache", "--json"], folder: scratch.url).json as? [String: Any]
    #expect(json?["state"] as? String == "degraded")
  }

  @Test("--resume skips finished jobs whose image exists, and appends to the report even if its last line is incomplete")
  func resume() throws {
    let scratch = try Scratch()
    let list = (1...4).map { "{\"id\":\"\($0)\",\"html\":\($0 == 3 ? "7" : "\"<p>\($0)\"")}" }.joined(separator: "\n")
    try scratch.write("l.ndjson", list)
    let arguments = ["batch", "l.ndjson", "--no-cache", "--output", "out", "--keep-going", "--report", "r.ndjson", "--resume", "--json"]
    func summary() throws -> [String: Any] {
      let outcome = try Program.run(arguments, folder: scratch.url)
      #expect(outcome.status == 1)
      return outcome.json as? [String: Any] ?? [:]
    }
    #expect(try summary()["rendered"] as? Int == 3)
    try FileManager.default.removeItem(atPath: scratch.path("out/2.png"))
    try scratch.write("r.ndjson", try scratch.data("r.ndjson") + Data("{\"id\":\"4\",\"sta".utf8))
    let second = try summary()
    #expect(second["rendered"] as? Int == 1 && second["skipped"] as? Int == 2 && second["failed"] as? Int == 1, "\(second)")
    let lines = String(decoding: try scratch.data("r.ndjson"), as: UTF8.self).split(separator: "\n")
    #expect(lines.count == 4 + 1 + 2 && scratch.exists("out/2.png"))
    #expect(try Program.run(["batch", "l.ndjson", "--resume"], folder: scratch.url).status == 64)
  }

  @Test("--retries retries temporary failures only")
  func retries() throws {
    let list = Data(
      "{\"id\":\"a\",\"html\":\"<img src=none.png>\",\"strict\":true,\"allow-files\":\".\"}\n{\"id\":\"b\",\"html\":\"x\",\"selector\":\"i\"}"
        .utf8)
    let scratch = try Scratch()
    let arguments = ["batch", "-", "--report", "-", "--keep-going", "--no-cache", "--retries", "2"]
    let outcome = try Program.run(arguments, input: list, folder: scratch.url)
    #expect(outcome.lines.first { $0["id"] as? String == "a" }?["attempts"] as? Int == 3, "\(outcome.text)")
    #expect(outcome.lines.contains { $0["id"] as? String == "b" && $0["attempts"] == nil })
  }

  @Test(
    "The shard comes from --shard or from the environment variables of a job array, and incomplete variables are an error",
    arguments: [
      (["--shard", "2/3"], [:], ["2", "5"]),
      (
        [], ["SLURM_ARRAY_TASK_ID": "7", "SLURM_ARRAY_TASK_MIN": "3", "SLURM_ARRAY_TASK_STEP": "2", "SLURM_ARRAY_TASK_COUNT": "3"],
        ["3", "6"]
      ),
      ([], ["AWS_BATCH_JOB_ARRAY_INDEX": "0", "AWS_BATCH_JOB_ARRAY_SIZE": "3"], ["1", "4"]),
      ([], ["JOB_COMPLETION_INDEX": "1", "JOB_COMPLETIONS": "2"], ["2", "4", "6"]), ([], ["OFFPRINT_SHARD": "1/6"], ["1"]),
      (["--shard", "1/2"], ["JOB_COMPLETION_INDEX": "1", "JOB_COMPLETIONS": "2"], ["1", "3", "5"]),
    ] as [([String], [String: String], [String])])
  func shards(options: [String], variables: [String: String], ids: [String]) throws {
    let list = Data((1...6).map { "{\"html\":\"\($0)\"}" }.joined(separator: "\n").utf8)
    let scratch = try Scratch()
    let outcome = try Program.run(
      ["batch", "-", "--report", "-", "--dry-run"] + options, input: list, environment: variables, folder: scratch.url)
    #expect(outcome.lines.map { $0["id"] as? String ?? "" } == ids, "\(outcome.errors)")
    let alone = try Program.run(
      ["warm", "-", "--dry-run"], input: list, environment: ["JOB_COMPLETION_INDEX": "1"], folder: scratch.url)
    #expect(alone.errors.contains("JOB_COMPLETIONS"))
  }

  @Test("--dry-run prints hits and misses without rendering or writing anything")
  func dryRun() throws {
    let scratch = try Scratch()
    let list = Data("{\"id\":\"a\",\"html\":\"x\"}\n{\"id\":\"b\",\"html\":\"y\"}".utf8)
    let arguments = ["batch", "-", "--dry-run", "--output", "out"]
    let cold = try Program.run(arguments, input: list, folder: scratch.url)
    #expect(cold.status == 0 && cold.text.split(separator: "\n").allSatisfy { $0.hasPrefix("miss  ") } && scratch.names.isEmpty)
    #expect(try Program.run(["warm", "-"], input: list.prefix(22), folder: scratch.url).status == 0)
    let warm = try Program.run(arguments, input: list, folder: scratch.url)
    #expect(warm.text.split(separator: "\n").map { $0.prefix(4) } == ["hit ", "miss"], "\(warm.text)")
    #expect(scratch.names == ["cache"])
  }

  @Test("--fail-fast overrides keep-going of offprint.toml, and using both options is an error")
  func failFast() throws {
    let scratch = try Scratch()
    try scratch.write("offprint.toml", "keep-going = true\n")
    let list = Data("{\"html\":1}\n{\"html\":\"x\"}".utf8)
    func count(_ options: [String]) throws -> Int {
      try Program.run(["batch", "-", "--report", "-", "--no-cache", "-j", "1"] + options, input: list, folder: scratch.url).lines.count
    }
    #expect(try count([]) == 2)
    #expect(try count(["--fail-fast"]) == 1)
    #expect(try Program.run(["batch", "-", "--fail-fast", "--keep-going"], input: list).status == 64)
  }
}
