import OffprintCoreTypes
import OffprintDOM
import Glibc
import Testing

@Suite struct HostileInputTests {
  @Test("Elements beyond the depth limit become siblings, which is reported")
  func depth() throws {
    var options = HTMLParserOptions()
    options.limits.depth = 5
    var log = DiagnosticLog()
    let source = "<div><div><div>1<div>2<div>3</div></div></div></div></div>4"
    let document = try HTMLParser.parse(Array(source.utf8), options: options, diagnostics: &log)
    let tree = document.html5libDump()
    #expect(tree.hasSuffix("\"1\"\n|         <div>\n|           \"2\"\n|         <div>\n|           \"3\"\n|     \"4\""))
    #expect(log.entries.map(\.code) == [.depthFlattened])
  }

  @Test(
    "Tens of thousands of nested elements are parsed in linear time and stay within the depth limit",
    arguments: ["<div>", "<b>", "<svg>", "<table><td>"])
  func deepNesting(unit: String) throws {
    let document = try parse(String(repeating: unit, count: 40_000)) { $0.limits.nodes = 1_000_000 }
    var node = document.documentElement
    var deepest = 0
    while !node.isNone {
      var depth = 0
      var parent = document[node].parent
      while !parent.isNone { (depth, parent) = (depth + 1, document[parent].parent) }
      deepest = max(deepest, depth)
      let last = document.lastElementChild(of: node)
      node = last
    }
    #expect(deepest <= Limits().depth)
  }

  /// Whether eight times the input takes about eight times as long, not sixty-four times. In processor time of this thread.
  private func growsLinearly(_ make: (Int) -> String, from size: Int) throws -> Bool {
    func now() -> Double {
      var time = timespec()
      clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
      return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }
    func minimum(_ size: Int) throws -> Double {
      let source = make(size)
      var best = Double.infinity
      for _ in 0..<3 {
        let start = now()
        _ = try parse(source) { $0.limits.nodes = 4_000_000 }
        best = min(best, now() - start)
      }
      return best
    }
    return try minimum(size * 8) < minimum(size) * 28 + 0.01
  }

  @Test(
    "Known worst cases are parsed in linear time",
    arguments: [
      "<b>", "<a>", "<b><p></b>", "<a><b><div></a>", "<font size=1><p>", "<nobr>", "<p a=\"x", "<table>", "<table>x<b>y", "<tr><td>",
      "</p>",
      "<select><option>", "<!--", "<!-->", "&amp", "&", "&notit;", "<", "<svg><g>", "<svg><![CDATA[", "<template>", "<script><!--",
      "<title></",
      "<li>", "<dd><div>", "<ruby><rt>", "<button>", "<form><p>", "\r", "<h1>", "</b></i></a></div>", "\0", "<body a=1>", "<frameset>",
    ])
  func traps(unit: String) throws {
    #expect(try growsLinearly({ String(repeating: unit, count: $0) }, from: 1500))
  }

  @Test("Very many attributes, on one or on many elements, are parsed in linear time")
  func attributes() throws {
    #expect(try growsLinearly({ size in "<p " + (0..<size).map { "a\($0)=1 " }.joined() + ">" }, from: 1500))
    #expect(try growsLinearly({ size in (0..<size).map { "<body a\($0)=1>" }.joined() }, from: 1500))
    #expect(try growsLinearly({ size in (0..<size).map { "<b id=x\($0)>" }.joined() + "</b>" }, from: 1500))
  }

  @Test("Too many nodes and too long input are errors that name the limit")
  func limits() throws {
    #expect(throws: LimitExceeded(limit: "nodes", allowed: 100)) {
      try parse(String(repeating: "<p>", count: 200)) { $0.limits.nodes = 100 }
    }
    #expect(throws: LimitExceeded(limit: "inputBytes", allowed: 3)) { try parse("abcd") { $0.limits.inputBytes = 3 } }
  }

  @Test("Truncated and damaged sources are parsed to consistently linked trees")
  func damagedSources() throws {
    let source = Array(
      """
      <!DOCTYPE html PUBLIC "a" 'b'><html a=1><head><title>&amp;x</title><script><!--<script></script>--></script><body b='&lt;c' d>\
      <table><caption>x<tr><td>&notin;</table><select><option>a<svg viewBox=1><![CDATA[x]]><title></svg><math><mi>x</math>\
      <template><td>x</template><b><p>1</b>2<!-- c --!><plaintext>é
      """.utf8)
    var state: UInt64 = 42
    func random(_ bound: Int) -> Int {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Int(state >> 33) % bound
    }
    for length in 0...source.count {
      var damaged = Array(source[..<length])
      for _ in 0..<4 where !damaged.isEmpty { damaged[random(damaged.count)] = [0, 0xFF, 0x3C, 0x3E, 0x26, 0x22, 0x0D][random(7)] }
      for bytes in [Array(source[..<length]), damaged] {
        var log = DiagnosticLog()
        checkLinks(try HTMLParser.parse(bytes, diagnostics: &log))
        checkLinks(try XMLDocumentParser.parse(bytes, diagnostics: &log))
      }
    }
  }

  private func checkLinks(_ document: Document) {
    var node = NodeID.document
    var count = 0
    while !node.isNone, count <= document.nodes.count {
      var previous = NodeID.none
      for child in document.children(of: node) {
        #expect(document[child].parent == node && document[child].previousSibling == previous)
        previous = child
      }
      #expect(document[node].lastChild == previous)
      node = document.nextInPreOrder(node)
      count += 1
    }
    #expect(count <= document.nodes.count)
    #expect(String(validating: document.html5libDumpBytes(), as: UTF8.self) != nil)
  }
}
