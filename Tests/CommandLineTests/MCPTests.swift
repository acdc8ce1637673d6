import Foundation
import Testing

@Suite("The MCP server")
struct MCPTests {
  /// The server's responses to lines on standard input, by id.
  private func answers(_ lines: [String], _ options: [String] = []) throws -> [String: [String: Any]] {
    let outcome = try Program.run(["mcp", "--no-cache", "--no-config"] + options, input: Data(lines.joined(separator: "\n").utf8))
    #expect(outcome.status == 0 && outcome.errors.isEmpty, "\(outcome.errors)")
    var found: [String: [String: Any]] = [:]
    for line in outcome.lines {
      #expect(line["jsonrpc"] as? String == "2.0")
      found["\(line["id"] ?? "none")"] = line
    }
    return found
  }

  private func call(_ id: Int, _ tool: String, _ arguments: String) -> String {
    #"{"jsonrpc":"2.0","id":\#(id),"method":"tools/call","params":{"name":"\#(tool)","arguments":\#(arguments)}}"#
  }

  private func content(_ answer: [String: Any]?, _ index: Int = 0) throws -> [String: Any] {
    let result = try #require(answer?["result"] as? [String: Any])
    return try #require(result["content"] as? [[String: Any]])[index]
  }

  @Test("The server agrees on a protocol version: the client's if it is known, otherwise the newest")
  func versions() throws {
    for (asked, agreed) in [("2024-11-05", "2024-11-05"), ("2025-06-18", "2025-06-18"), ("2099-01-01", "2025-11-25")] {
      let line =
        #"{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"\#(asked)","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}"#
      let result = try #require(
        try answers([line, #"{"jsonrpc":"2.0","method":"notifications/initialized"}"#])["1"]?["result"] as? [String: Any])
      #expect(result["protocolVersion"] as? String == agreed)
      #expect((result["capabilities"] as? [String: Any])?.keys.sorted() == ["tools"])
    }
  }

  @Test("With --isolate the server does not offer to inspect layouts, because workers only return images")
  func isolatedTools() throws {
    let list = #"{"jsonrpc":"2.0","id":1,"method":"tools/list"}"#
    for (options, isListed) in [([], true), (["--isolate"], false)] {
      let lines = [list, call(2, "inspect_layout", "{\"html\":\"<p>a\"}")]
      let result = try #require(try answers(lines, options)["1"]?["result"] as? [String: Any])
      let names = try #require(result["tools"] as? [[String: Any]]).compactMap { $0["name"] as? String }
      #expect(names.contains("inspect_layout") == isListed)
      #expect(names.contains("render_html"))
    }
  }

  @Test("A report that is too long for an agent is refused")
  func longReport() throws {
    let html = String(repeating: "<div>", count: 400) + String(repeating: "<b>a</b> ", count: 4000)
    let result = try #require(try answers([call(3, "inspect_layout", "{\"html\":\"\(html)\"}")])["3"]?["result"] as? [String: Any])
    #expect(result["isError"] as? Bool == true)
    let text = try #require(result["content"] as? [[String: Any]]).first?["text"] as? String
    #expect(text?.contains("more than the limit of 2097152") == true, "\(text ?? "")")
  }

  @Test("A second call with the id of one in progress is refused, which can still be canceled")
  func repeatedID() throws {
    let slow = String(repeating: "<p style='position:absolute;inset:0;filter:blur(90px);background:red'></p>", count: 200)
    let lines = [
      call(1, "render_html", "{\"html\":\"\(slow)\",\"width\":2000,\"height\":2000}"), call(1, "render_html", #"{"html":"x"}"#),
      #"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}"#,
    ]
    let outcome = try Program.run(["mcp", "--no-cache", "--no-config"], input: Data(lines.joined(separator: "\n").utf8))
    #expect(outcome.lines.count == 1 && outcome.lines.first?["error"] != nil, "\(outcome.lines.count)")
  }

  @Test("The number of concurrent calls is limited")
  func manyCalls() throws {
    let lines = (0..<400).map { call($0, "render_html", "{\"html\":\"<p>\($0)\"}") }
    let answers = try answers(lines).values
    #expect(answers.count == 400)
    #expect(answers.count { $0["error"] != nil } > 0)
    #expect(answers.count { $0["result"] != nil } >= 256)
  }

  @Test("A page is rendered to an image, with its description")
  func render() throws {
    let answer = try answers([call(7, "render_html", #"{"html":"<p>Hi","width":120,"height":40,"scale":2}"#)])["7"]
    let image = try content(answer)
    #expect(image["type"] as? String == "image" && image["mimeType"] as? String == "image/png")
    #expect(pngSize(try #require(Data(base64Encoded: image["data"] as? String ?? ""))) == [240, 80])
    let text = try content(answer, 1)["text"] as? String ?? ""
    #expect(text.contains("\"width\":240"))
  }

  @Test("Animated images are rendered, and a page at a time")
  func animations() throws {
    let page = "<style>@keyframes m{to{width:90px}}p{width:9px;background:red;animation:m 1s linear}</style><p>a"
    let found = try answers([
      call(1, "render_html", "{\"html\":\"\(page)\",\"width\":100,\"format\":\"gif\",\"fps\":5,\"loop\":2,\"dither\":true}"),
      call(2, "render_html", "{\"html\":\"\(page)\",\"width\":100,\"format\":\"webp\",\"duration\":\"400ms\",\"lossless\":true}"),
      call(3, "render_html", "{\"html\":\"\(page)\",\"width\":100,\"format\":\"apng\",\"poster\":\"end\",\"loop\":\"forever\"}"),
      call(4, "render_html", "{\"html\":\"\(page)\",\"width\":100,\"at\":\"500ms\"}"),
      call(5, "render_html", "{\"html\":\"\(page)\",\"width\":100,\"format\":\"gif\",\"fps\":99}"),
    ])
    for (id, type, mark) in [
      ("1", "image/gif", "NETSCAPE2.0"), ("2", "image/webp", "ANMF"), ("3", "image/apng", "fcTL"), ("4", "image/png", "IDAT"),
    ] {
      let image = try content(found[id]), data = try #require(Data(base64Encoded: image["data"] as? String ?? ""))
      #expect(image["mimeType"] as? String == type && data.range(of: Data(mark.utf8)) != nil, "\(id)")
    }
    #expect((found["5"]?["result"] as? [String: Any])?["isError"] as? Bool == true)
  }

  @Test("Documents are returned as resources")
  func documents() throws {
    let found = try answers([
      call(1, "render_html", #"{"html":"<p>Hi","format":"pdf"}"#), call(2, "render_html", #"{"html":"<p>Hi","format":"svg"}"#),
    ])
    let pdf = try #require(try content(found["1"])["resource"] as? [String: Any])
    #expect(
      pdf["mimeType"] as? String == "application/pdf" && Data(base64Encoded: pdf["blob"] as? String ?? "")?.prefix(4) == Data("%PDF".utf8))
    let svg = try #require(try content(found["2"])["resource"] as? [String: Any])
    #expect((svg["text"] as? String)?.contains("<svg") == true)
  }

  @Test("Templates are rendered, templates and fonts listed, and boxes reported")
  func others() throws {
    let found = try answers([
      call(1, "render_template", #"{"template":"badge","set":{"label":"build","message":"passing"}}"#), call(2, "list_templates", "{}"),
      call(3, "list_fonts", "{}"),
      call(4, "inspect_layout", #"{"html":"<body style='margin:0'><p style='margin:0;width:50px'>Hi","width":100}"#),
    ])
    #expect(try content(found["1"])["type"] as? String == "image")
    #expect((try content(found["2"])["text"] as? String)?.contains("\"certificate\"") == true)
    #expect((try content(found["3"])["text"] as? String)?.contains("Liberation Sans") == true)
    let layout = try #require((found["4"]?["result"] as? [String: Any])?["structuredContent"] as? [String: Any])
    #expect((layout["boxes"] as? [[String: Any]])?.contains { $0["name"] as? String == "p" && $0["width"] as? Double == 50 } == true)
  }

  @Test("The tools are listed with schemas that allow no other arguments")
  func tools() throws {
    let result = try #require(try answers([#"{"jsonrpc":"2.0","id":"a","method":"tools/list"}"#])["a"]?["result"] as? [String: Any])
    let tools = try #require(result["tools"] as? [[String: Any]])
    #expect(
      tools.compactMap { $0["name"] as? String } == ["render_html", "render_template", "inspect_layout", "list_templates", "list_fonts"])
    for tool in tools {
      let schema = try #require(tool["inputSchema"] as? [String: Any])
      #expect(schema["type"] as? String == "object" && schema["additionalProperties"] as? Bool == false)
      let properties = try #require(schema["properties"] as? [String: Any])
      #expect(properties["input"] == nil && properties["css"] == nil && properties["allow-files"] == nil)
    }
  }

  @Test("No files or hosts are opened for a page, and no argument can name one")
  func isClosed() throws {
    let folder = try Scratch()
    let secret = try folder.write("secret.css", "p { color: red }")
    let found = try answers([
      call(
        1, "render_html", #"{"html":"<link rel=stylesheet href='file://\#(secret)'><img src='http://127.0.0.1:9/a.png'>","strict":true}"#),
      call(2, "render_html", #"{"html":"<p>","css":"\#(secret)"}"#), call(3, "render_html", #"{"input":"\#(secret)"}"#),
      call(4, "render_template", #"{"template":"card","data":"\#(secret)"}"#),
      call(5, "render_template", #"{"template":"\#(secret)"}"#), call(6, "render_template", #"{"template":"../../../../etc/passwd"}"#),
    ])
    for id in ["1", "2", "3", "4", "5", "6"] {
      let result = try #require(found[id]?["result"] as? [String: Any])
      #expect(result["isError"] as? Bool == true, "\(id)")
      #expect(!((try content(found[id])["text"] as? String) ?? "").contains("color: red"))
    }
    #expect((try content(found["1"])["text"] as? String)?.contains("resourceRefused") == true)
  }

  @Test("Invalid requests get the protocol's errors")
  func errors() throws {
    let found = try answers([
      "{", #"{"jsonrpc":"1.0","id":1,"method":"ping"}"#, #"{"jsonrpc":"2.0","id":2,"method":"nope"}"#,
      #"{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"nope"}}"#,
      #"{"jsonrpc":"2.0","id":4,"method":"tools/call","params":[]}"#,
      #"{"jsonrpc":"2.0","id":5,"method":"ping"}"#, #"{"jsonrpc":"2.0","method":"notifications/unknown"}"#,
      #"{"jsonrpc":"2.0","id":9,"result":{}}"#, "",
    ])
    func code(_ id: String) -> Int? { (found[id]?["error"] as? [String: Any])?["code"] as? Int }
    #expect([code("<null>"), code("1"), code("2"), code("3"), code("4")] == [-32700, -32600, -32601, -32602, -32602])
    #expect(found["5"]?["result"] != nil && found.count == 6)
  }

  @Test("An invalid call gets a result with the problem, the code and the nearest name")
  func toolErrors() throws {
    let found = try answers([
      call(1, "render_html", #"{"html":"<p>","widht":3}"#), call(2, "render_html", "{}"),
      call(3, "render_html", #"{"html":"<p>","width":-1}"#),
    ])
    #expect((try content(found["1"])["text"] as? String)?.contains("did you mean \"width\"?") == true)
    #expect((try content(found["2"])["text"] as? String)?.contains("needs \"html\"") == true)
    #expect((try content(found["3"])["text"] as? String)?.hasPrefix("dataInvalid") == true)
  }
}
