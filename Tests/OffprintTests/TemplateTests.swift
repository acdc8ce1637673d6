import OffprintCoreTypes
import Testing

@testable import Offprint

@Suite("Templates")
struct TemplateTests {
  private func expand(
    _ source: String, _ data: String = "{}", body: String = "", partials: [String: String] = [:], _ limits: Limits = Limits(),
    _ deadline: Deadline = .never
  ) throws -> String {
    var request = RenderRequest(html: body)
    request.data = Array(data.utf8)
    request.partials = partials
    request.limits = limits
    do {
      return String(decoding: try Template.mustache(source: source, name: "t").expand(request, deadline: deadline), as: UTF8.self)
    } catch {
      throw OffprintError(error, seconds: 1)
    }
  }

  @Test(
    "Tags are expanded according to the Mustache manual",
    arguments: [
      ("{{a}} {{{a}}} {{&a}}", #"{"a":"<&\"'>"}"#, #"&lt;&amp;&quot;&#39;&gt; <&"'> <&"'>"#),
      ("{{a}}|{{b}}|{{c}}|{{d}}", #"{"a":1,"b":2.5,"c":true,"d":null}"#, "1|2.5|true|"),
      ("{{#l}}{{.}},{{/l}}", #"{"l":[1,"x",true]}"#, "1,x,true,"),
      ("{{#l}}{{n}}{{/l}}{{^l}}none{{/l}}", #"{"l":[{"n":1},{"n":2}]}"#, "12"),
      ("{{#l}}x{{/l}}{{^l}}none{{/l}}", #"{"l":[]}"#, "none"),
      ("{{#m}}x{{/m}}{{^m}}missing{{/m}}", "{}", "missing"),
      ("{{#f}}x{{/f}}{{^f}}no{{/f}}", #"{"f":false}"#, "no"),
      ("{{a.b.c}} {{#a}}{{b.c}} {{x}}{{/a}}", #"{"a":{"b":{"c":1}},"x":2}"#, "1 1 2"),
      ("{{#s}}{{.}}{{/s}}", #"{"s":"text"}"#, "text"), ("a{{! no }}b", "{}", "ab"), ("{{=<% %>=}}<%a%> {{a}}", #"{"a":1}"#, "1 {{a}}"),
      ("a\n{{#l}}\n- {{.}}\n{{/l}}\nb\n", #"{"l":[1,2]}"#, "a\n- 1\n- 2\nb\n"), ("a\r\n {{! alone }} \r\nb", "{}", "a\r\nb"),
      ("{{#l}}{{.}}{{^last()}}, {{/last()}}{{/l}}", #"{"l":[1,2,3]}"#, "1, 2, 3"),
      ("{{#l}}{{#even()}}e{{/even()}}{{#odd()}}o{{/odd()}}{{index()}}{{/l}}", #"{"l":[1,2,3]}"#, "e0o1e2"),
      (
        "{{uppercased(a)}} {{capitalized(a)}} {{count(l)}} {{#reversed(l)}}{{.}}{{/reversed(l)}}", #"{"a":"ab cd","l":[1,2]}"#,
        "AB CD Ab Cd 2 21"
      ),
      ("{{uppercased(first(l))}}", #"{"l":["x"]}"#, "X"), ("{{$b}}default{{/b}}", "{}", "default"),
      ("{{% CONTENT_TYPE:TEXT}}{{a}}", #"{"a":"<"}"#, "<"), ("x{{", "{}", "-"), ("{{#a}}{{.b}}{{/a}}", #"{"a":{"b":3}}"#, "3"),
    ])
  func tags(_ source: String, _ data: String, _ expected: String) throws {
    if expected == "-" {
      #expect(throws: OffprintError.self) { try expand(source, data) }
    } else {
      #expect(try expand(source, data) == expected)
    }
  }

  @Test("Partials are indented, can be named by data, and their blocks replaced")
  func partials() throws {
    #expect(try expand("  {{>p}}\n.", partials: ["p": "a\nb\n"]) == "  a\n  b\n.")
    #expect(try expand("{{>*which}}", #"{"which":"p"}"#, partials: ["p": "P"]) == "P")
    #expect(try expand("{{<p}}{{$x}}new{{/x}}{{/p}}", partials: ["p": "[{{$x}}old{{/x}}{{$y}}kept{{/y}}]"]) == "[newkept]")
    #expect(try expand("{{>p}}", #"{"l":[{"l":[{"l":[]}]}]}"#, partials: ["p": "({{#l}}{{>p}}{{/l}})"]) == "((()))")
  }

  @Test("The body is inserted at {{{body}}}, even if it is empty")
  func body() throws {
    #expect(try expand("<p>{{{body}}}", body: "<b>x</b>") == "<p><b>x</b>")
    #expect(try expand("<p>{{{body}}}") == "<p>")
  }

  @Test(
    "Errors in a template are reported with their line",
    arguments: [
      ("a\n{{#x}}", "line 2: the section 'x' is not closed"), ("{{/x}}", "line 1: 'x' is closed, but was not opened"),
      ("a\nb {{#x}}{{/y}}", "line 2: 'y' is closed where 'x' is open"), ("\n\n{{a", "line 3: a tag is not closed"),
      ("{{}}", "line 1: a tag has no name"), ("{{a\nb}}", "line 1: 'a\nb' is not a name"), ("{{=x=}}", "line 1: delimiters are set"),
      ("{{f(a}}", "line 1: 'f(a' has no matching parentheses"), ("{{%X:Y}}", "line 1: 'X:Y' is not a setting"),
    ])
  func invalid(_ source: String, _ problem: String) throws {
    let error = try #require(throws: OffprintError.self) { try expand(source) }
    #expect(error.code == .templateInvalid)
    #expect(error.message.contains("'t'") && error.message.contains(problem), "\(error.message)")
  }

  @Test("A column of a table is referred to by its heading, including spaces and parentheses")
  func columns() throws {
    let row = #"{"Product name":"Soap","Price (EUR)":"2.50","m²":3}"#
    #expect(try expand("{{Product name}}, {{ Price (EUR) }}, {{m²}}, {{uppercased(Product name)}}", row) == "Soap, 2.50, 3, SOAP")
    #expect(try expand("{{#Product name}}yes{{/Product name}}", row) == "yes")
    let error = try #require(throws: OffprintError.self) { try expand("{{Product nmae}}", row) }
    #expect(error.message.contains("'Product nmae' (line 1)"))
  }

  @Test("A missing variable or partial is an error that names it, and a missing section is empty")
  func missing() throws {
    let variable = try #require(throws: OffprintError.self) { try expand("\n{{user.name}}", #"{"user":{}}"#) }
    #expect(variable.code == .templateAttributeMissing)
    #expect(variable.message.contains("'user.name' (line 2)"))
    let partial = try #require(throws: OffprintError.self) { try expand("{{> head}}") }
    #expect(partial.code == .templateInvalid)
    #expect(partial.message.contains("the partial 'head' (line 1)"))
    let list = try #require(throws: OffprintError.self) { try expand("{{l}}", #"{"l":[1]}"#) }
    #expect(list.code == .templateAttributeInvalid)
    #expect(try expand("{{#x}}y{{/x}}") == "")
  }

  @Test("Expansion is limited in steps, bytes, depth and time, and the error names the limit")
  func bounds() throws {
    let items = "[" + [String](repeating: "1", count: 300).joined(separator: ",") + "]"
    let four = "{{#l}}{{#l}}{{#l}}{{#l}}x{{/l}}{{/l}}{{/l}}{{/l}}"
    let steps = try #require(throws: OffprintError.self) { try expand(four, "{\"l\":\(items)}") }
    #expect(steps.code == .limitExceeded)
    #expect(steps.message.contains("'templateSteps'"))
    let text = String(repeating: "x", count: 100_000)
    let bytes = try #require(throws: OffprintError.self) { try expand("{{#l}}\(text){{/l}}", "{\"l\":\(items)}") }
    #expect(bytes.message.contains("'inputBytes'"))
    let deep = String(repeating: "{{#a}}", count: 100_000) + String(repeating: "{{/a}}", count: 100_000)
    let depth = try #require(throws: OffprintError.self) { try expand(deep) }
    #expect(depth.code == .limitExceeded)
    #expect(depth.message.contains("'depth'"))
    let endless = try #require(throws: OffprintError.self) { try expand("{{>p}}", partials: ["p": "x{{>p}}"]) }
    #expect(endless.message.contains("'depth'"))
    var limits = Limits()
    limits.templateSteps = .max
    let time = try #require(throws: OffprintError.self) {
      try expand(four, "{\"l\":\(items)}", limits, Deadline(after: .milliseconds(50)))
    }
    #expect(time.code == .timedOut)
  }
}
