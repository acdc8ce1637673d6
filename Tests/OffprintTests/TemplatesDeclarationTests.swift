import OffprintCoreTypes
import Testing

@testable import Offprint

private func problem(_ source: String) -> String? {
  do throws(OffprintError) {
    _ = try Template(source: source, name: "t")
    return nil
  } catch {
    return error.code == .templateInvalid ? error.message : "\(error)"
  }
}

private func expand(_ template: Template, _ attributes: [String: String] = [:], data: String = "{}", body: String = "") throws -> String {
  var request = RenderRequest(html: body)
  request.attributes = attributes
  request.data = Array(data.utf8)
  do {
    return String(decoding: try template.expand(request, deadline: .never), as: UTF8.self)
  } catch {
    throw OffprintError(error, seconds: 1)
  }
}

@Suite("Declared attributes of templates")
struct TemplatesDeclarationTests {
  @Test("Front matter supports YAML's blocks, brackets, quotes, comments, literal and folded text")
  func yaml() throws {
    let text = """
      ---
      # a comment
      a: {b: [1, "x, y", 'it''s'], c: true}   # behind
      list:
      - one
      - k: v
        l: "\\u00e9\\n"
      -
        - deep
      lit: |
        two
          lines
      fold: >-
        one
        line

        more
      none:
      url: http://x/#y
      ---
      body
      """
    let matter = try FrontMatter(Array(text.utf8))
    let expected =
      #"{"a":{"b":[1,"x, y","it's"],"c":true},"fold":"one line\nmore","list":["one",{"k":"v","l":"é\n"},["deep"]],"lit":"two\n  lines\n","none":null,"url":"http://x/#y"}"#
    #expect(matter.root?.json.text == expected)
    #expect(String(decoding: Array(text.utf8)[matter.bodyOffset...], as: UTF8.self) == "body")
    #expect(try FrontMatter(Array("no --- here".utf8)).root == nil)
  }

  @Test(
    "Accepted front matter has the same meaning in YAML",
    arguments: [
      ("a: >\n  one\n  two\n    further\n  three\n\n  four\n", #"{"a":"one two\n  further\nthree\nfour\n"}"#),
      ("a: >\n\n  one\n", #"{"a":"\none\n"}"#), ("a: |\n  one  \n  two\n", #"{"a":"one  \ntwo\n"}"#),
      ("a: 0x1F\nb: 0o17\nc: 012\nd: +1.5e1\ne: .5\n", #"{"a":31,"b":15,"c":12,"d":15,"e":0.5}"#),
      ("a: 123456789012345678\nb: 2024-01-02\nc: yes\nd: 1_000\n", #"{"a":123456789012345678,"b":"2024-01-02","c":"yes","d":"1_000"}"#),
      ("a: x   # behind\nb: {\"k\":1, l: 2}\n", #"{"a":"x","b":{"k":1,"l":2}}"#), ("a: -1\nb: -x\n", #"{"a":-1,"b":"-x"}"#),
    ])
  func meaning(_ text: String, _ json: String) throws {
    #expect(try FrontMatter(Array("---\n\(text)---\n".utf8)).root?.json.text == json)
  }

  @Test(
    "Front matter with another meaning in YAML is rejected",
    arguments: [
      "a: .inf", "a: -.INF", "a: .nan", "a: 1e400", "a: 0xFFFFFFFFFFFFFFFFF", "a: - b", "a: ]", "a: {b:1}", "a: [1,,2]", "a: [,]", "? a: b",
      "a: |+", "a: |2",
    ])
  func rejected(_ text: String) {
    #expect(throws: FrontMatter.Invalid.self) { try FrontMatter(Array("---\n\(text)\n---\n".utf8)) }
  }

  @Test(
    "Errors in front matter are reported with their line",
    arguments: [
      ("---\na: 1\n", "line 1: the block that begins with '---' is not ended"), ("---\ncolour: 1\n---\n", "line 2: unknown key 'colour'"),
      ("---\nattributes:\n  a: strin\n---\n", "line 3: 'a' has the type 'strin'; the types are string, html"),
      ("---\nattributes:\n  a:\n    type: string\n    max: 2\n---\n", "line 5: 'a' has the unknown key 'max'"),
      ("---\nattributes:\n  a: {type: choice}\n---\n", "'a' is a choice and has no 'choices'"),
      ("---\nattributes:\n  a: {type: number, range: 5..1}\n---\n", "line 3: a range must be '1..10'"),
      ("---\nattributes:\n  a: {type: number, default: x}\n---\n", "the default of 'a' is not valid: it must be a number"),
      ("---\nattributes:\n  a: {type: color, range: 1..2}\n---\n", "'a' has a 'range', which its type does not support"),
      ("---\nattributes:\n\ta: string\n---\n", "line 3: lines must be indented with spaces"),
      ("---\nattributes:\n  a: string\n  a: string\n---\n", "line 4: 'a' is specified twice"),
      ("---\ndescription: *x\n---\n", "line 2: a value that begins with '*' must be in quotes"),
      ("---\ndescription: a: b\n---\n", "line 2: a value with ': ' in it must be in quotes"),
      ("---\nattributes: [a, b\n---\n", "line 2: a bracket is not closed"), ("---\npage: {width: $w}\n---\n", "refers to '$w'"),
      ("---\npage: {width: wide}\n---\n", "the page's width cannot be 'wide'"),
      ("---\n- a\n---\n", "it must consist of 'name: value' lines"),
      ("---\na: \"x\n---\n", "line 2: a quote is not closed"), ("---\na\n b: c\n---\n", "line 3"),
    ])
  func invalid(_ source: String, _ expected: String) {
    let message = problem(source)
    #expect(message?.contains(expected) == true, "\(message ?? "no error")")
    #expect(message?.contains("template 't'") == true)
  }

  @Test(
    "Any bytes between the lines give an error or a value",
    arguments: ["[", "{", "- - - -", "a: [[[[[[[[[[[[[[[[[[[[", "'", "a:\n    b\n  c", ": :"])
  func anything(_ text: String) { _ = problem("---\n\(text)\n---\n") }

  private static let all = """
    ---
    attributes:
      s: {type: string, range: 1..5}
      n: {type: number, range: 0..1}
      i: {type: integer, default: 3}
      l: {type: length, default: 4px, range: 1..100}
      c: {type: color, default: "#fff"}
      f: {type: font, default: serif}
      b: {type: boolean, default: true}
      k: {type: choice, choices: [x, y], default: x}
      u: url
      t: {type: list, items: integer, range: 0..3}
      o: {fields: {a: {type: string, required: true}, z: integer}}
      r: {type: string, required: true, example: R}
    ---
    {{s}}|{{n}}|{{i}}|{{l}}|{{c}}|{{f}}|{{b}}|{{k}}|{{u}}|{{#t}}{{.}};{{/t}}|{{#o}}{{a}}{{z}}{{/o}}|{{r}}
    """

  @Test("Attributes have defaults, are given as text or JSON, and have their type in the template")
  func values() throws {
    let template = try Template(source: Self.all, name: "t")
    #expect(try expand(template, ["r": "x"]) == "||3|4px|#fff|serif|true|x||||x")
    let texts = [
      "s": "abc", "n": ".5", "i": "-7", "l": "2em", "c": "0a0", "f": "Arial, serif", "b": "off", "k": "y", "u": "a/b.png", "t": "1, 2",
      "o": #"{"a":"q"}"#, "r": "x",
    ]
    #expect(try expand(template, texts) == "abc|0.5|-7|2em|#0a0|Arial, serif|false|y|a/b.png|1;2;|q|x")
    let data = ##"{"s":12,"n":1,"i":"4","l":9,"c":"rgb(1 2 3)","b":false,"t":[1],"o":{"a":"p","z":2,"more":1},"r":"x","other":[]}"##
    #expect(try expand(template, data: data) == "12|1|4|9px|rgb(1 2 3)|serif|false|x||1;|p2|x")
    #expect(try expand(template, ["r": "y"], data: #"{"r":"x"}"#).hasSuffix("|y"))
  }

  @Test(
    "An invalid value is an error that names the attribute and what it accepts",
    arguments: [
      (["s": "abcdef"], "'s'", "text of 1 to 5 characters"), (["n": "1.5"], "'n'", "a number, 0 to 1"),
      (["n": "1e999"], "'n'", "out of range"),
      (["i": "1.5"], "'i'", "a whole number"), (["l": "101"], "'l'", "1 to 100 px"), (["l": "2in"], "'l'", "1 to 100 px"),
      (["l": "2px;"], "'l'", "a length"), (["c": "red;}"], "'c'", "a CSS color"), (["c": "zzz"], "'c'", "a CSS color"),
      (["f": "a</style>"], "'f'", "a font-family list"), (["b": "maybe"], "'b'", "true or false"), (["k": "z"], "'k'", "x or y"),
      (["u": "javascript:x"], "'u'", "a relative reference"), (["t": "1,x"], "'t[1]'", "a whole number"),
      (["t": "[1,2,3,4]"], "'t'", "a list of 0 to 3 items"), (["o": "{}"], "'o.a'", "text"), (["o": "x"], "'o'", "as JSON"),
    ])
  func refused(_ given: [String: String], _ name: String, _ expectation: String) throws {
    let template = try Template(source: Self.all, name: "t")
    let error = try #require(throws: OffprintError.self) { try template.validate(attributes: given.merging(["r": "x"]) { $1 }) }
    #expect(error.code == (name == "'o.a'" ? .templateAttributeMissing : .templateAttributeInvalid))
    #expect(error.message.contains(name) && error.message.contains(expectation), "\(error.message)")
  }

  @Test("An unknown attribute, a missing one and an unused page are errors that name it")
  func unknown() throws {
    let template = try Template(source: Self.all, name: "t")
    func code(_ attributes: [String: String], body: String = "") -> (OffprintError.Code?, String) {
      do throws(OffprintError) {
        try template.validate(attributes: attributes, body: Array(body.utf8))
        return (nil, "")
      } catch {
        return (error.code, error.message)
      }
    }
    #expect(code(["r": "x", "colour": "red"]).0 == .templateAttributeUnknown)
    #expect(code(["r": "x", "colour": "red"]).1.contains("'colour'; it has s, n, i"))
    #expect(code([:]).0 == .templateAttributeMissing && code([:]).1.contains("'r'"))
    #expect(code(["r": ""]).0 == .templateAttributeMissing)
    #expect(code(["r": "x"], body: "<p>").0 == .templateAttributeUnknown)
    #expect(try #require(throws: OffprintError.self) { try template.validate(data: Array("[]".utf8)) }.code == .dataInvalid)
  }

  @Test("A page's size is that of the template, or of an attribute")
  func page() throws {
    var request = RenderRequest(html: "")
    request.template = try Template(
      source: "---\npage: {width: $w, height: 40, background: \"#f00\"}\nattributes: {w: {type: length, default: 90px}}\n---\n", name: "t")
    try request.takeTemplatePage()
    #expect(request.width == .px(90) && request.height == .px(40) && request.background == Renderer.color("red"))
    request.attributes = ["w": "20"]
    try request.takeTemplatePage()
    #expect(request.width == .px(20))
  }
}

@Suite("Escaping in templates")
struct TemplatesEscapingTests {
  private func one(_ source: String, _ value: String) throws -> String {
    try expand(.mustache(source: source, name: "t"), data: "{\"x\":\(JSONText.string(value))}")
  }

  @Test(
    "A value remains a single value in its context",
    arguments: [
      ("<p>{{x}}</p>", "<b>&\"'", "<p>&lt;b&gt;&amp;&quot;&#39;</p>"),
      ("<p title=\"{{x}}\">", "\" onx='", "<p title=\"&quot; onx=&#39;\">"),
      ("<p title={{x}}>", "a b=c", "<p title=a&#32;b&#61;c>"), ("<p title={{x}} id=i>", "", "<p title=\"\" id=i>"),
      ("<p class={{x}}>{{x}}", "a>b", "<p class=a&gt;b>a&gt;b"), ("<i {{x}}>", "hidden", "<i hidden>"),
      ("<!-- {{x}} -->", "-->", "<!-- &#45;&#45;&gt; -->"),
      ("<style>p{color:{{x}}}</style>", "rgb(1, 2, 3)", "<style>p{color:rgb(1, 2, 3)}</style>"),
      ("<style>p{font:1px {{x}}}</style>", "\"A b\", serif", "<style>p{font:1px \"A b\", serif}</style>"),
      ("<style>p::after{content:\"{{x}}\"}</style>", "a\"}</style>", "<style>p::after{content:\"a\\22 }\\3c /style\\3e \"}</style>"),
      ("<style>p{background:url({{x}})}</style>", "a b).png", "<style>p{background:url(a\\20 b\\29 .png)}</style>"),
      ("<style>p{background:url('{{x}}')}</style>", "a b'.png", "<style>p{background:url('a b\\27 .png')}</style>"),
      ("<p style='color:{{x}}'>", "red", "<p style='color:red'>"),
      ("<p style=\"font-family:{{x}}\">", "'A', serif", "<p style=\"font-family:&#39;A&#39;, serif\">"),
      ("<style>a{}</style><p>{{x}}", "a;b", "<style>a{}</style><p>a;b"),
      ("<STYLE>a{}</sTyle ><p>{{x}}", "a;b", "<STYLE>a{}</sTyle ><p>a;b"),
      (
        "<script type='application/json'>\"{{x}}\"</script>", "</script>\"",
        "<script type='application/json'>\"\\u003c/script\\u003e\\u0022\"</script>"
      ),
      ("<title>{{x}}</title>{{x}}", "<a", "<title>&lt;a</title>&lt;a"), ("<p style = \"{{x}}\">", "1px", "<p style = \"1px\">"),
      ("<p data-style=\"{{x}}\">", "a;b", "<p data-style=\"a;b\">"), ("a < b {{x}}", "<", "a < b &lt;"),
      ("<p a b={{x}}>", "c d", "<p a b=c&#32;d>"),
    ])
  func places(_ source: String, _ value: String, _ expected: String) throws { #expect(try one(source, value) == expected) }

  @Test(
    "A value that could end more than itself in a style sheet or a tag is an error that names it",
    arguments: [
      ("<style>p{color:{{x}}}</style>", "red;}"), ("<style>p{color:{{x}}}</style>", "red}</style>"),
      ("<style>p{color:{{x}}}</style>", "url(x)"),
      ("<style>p{color:{{x}}}</style>", "\"a"), ("<style>p{color:{{x}}}</style>", "rgb(1"), ("<style>p{color:{{x}}}</style>", "a/*"),
      ("<style>p{color:{{x}}}</style>", "a\\"), ("<p style=\"color:{{x}}\">", "red;top:0"), ("<p {{x}}>", "a=b"), ("<{{x}}>", "p class"),
      ("<style>{{x}}</style>", "p:hover"), ("<p style=color:{{x}}>", "red;top:0"),
    ])
  func refused(_ source: String, _ value: String) throws {
    let error = try #require(throws: OffprintError.self) { try one(source, value) }
    #expect(error.code == .templateAttributeInvalid && error.message.contains("'x' (line 1)"), "\(error)")
  }

  @Test("Three braces insert text unescaped, and the context it opens applies to what follows")
  func raw() throws {
    #expect(try one("<style>{{{x}}}</style>", "p{top:0}") == "<style>p{top:0}</style>")
    #expect(throws: OffprintError.self) { try one("{{{x}}}{{x}}", "<style>") }
  }
}

@Suite("Built-in templates")
struct TemplatesBuiltInTests {
  @Test("Each built-in template has a description and accepts its examples", arguments: Template.builtInNames)
  func specimens(_ name: String) throws {
    let template = try TemplateLibrary.builtIn.template(name)
    #expect(!template.description.isEmpty && !template.attributes.isEmpty)
    var configuration = RendererConfiguration()
    configuration.workers = 1
    let renderer = try Renderer(configuration)
    let result = try renderer.renderAndWait(try template.specimen())
    #expect(!result.isDegraded && !result.faces.isEmpty)
    #expect(result.diagnostics.filter { $0.code.rawValue.hasPrefix("css.") } == [])
    let sizes = ["card": [1200, 630], "ticket": [900, 340], "certificate": [1123, 794]]
    if let size = sizes[name] { #expect([result.width, result.height] == size) }
  }

  /// The color at a point of a card with a red image, as hexadecimal digits.
  private func colors(_ layout: String, at points: [(x: Int, y: Int)]) throws -> [[UInt8]] {
    var request = RenderRequest(html: "")
    request.template = try TemplateLibrary.builtIn.template("card")
    let red = "<svg xmlns='http://www.w3.org/2000/svg' width='9' height='9'><rect width='9' height='9' fill='red'/></svg>"
    request.attributes = [
      "title": "A", "layout": layout, "background-color": "black", "accent-color": "black",
      "image": "data:image/svg+xml,\(red.replacing("#", with: "%23"))",
    ]
    request.encoding.format = .raw
    try request.takeTemplatePage()
    let result = try Renderer().renderAndWait(request)
    #expect(!result.isDegraded)
    return points.map { point in
      let start = 4 * (point.y * result.width + point.x)
      return result.image.indices.contains(start + 3) ? Array(result.image[start..<start + 3]) : []
    }
  }

  @Test("The layouts of the card place the image at the right with a blended edge, across the card, above the title, or nowhere")
  func layouts() throws {
    let (right, edge, left, center) = ((x: 1190, y: 315), (x: 800, y: 315), (x: 300, y: 200), (x: 600, y: 240))
    let split = try colors("split", at: [right, edge, left])
    #expect(split[0] == [255, 0, 0] && (20...235).contains(Int(split[1].first ?? 0)) && split[2] == [0, 0, 0], "\(split)")
    let cover = try colors("cover", at: [right, left, (x: 600, y: 625)])
    #expect((cover[0].first ?? 0) > 200 && (cover[1].first ?? 0) > 200 && (cover[2].first ?? 255) < 40, "\(cover)")
    #expect(try colors("centered", at: [center, right]) == [[255, 0, 0], [0, 0, 0]])
    #expect(try colors("plain", at: [right, left]) == [[0, 0, 0], [0, 0, 0]])
  }

  private static let long = String(repeating: "Words that go on and on ", count: 40)
  private static let word = String(repeating: "Donaudampfschifffahrt", count: 20)

  @Test(
    "Each built-in template handles long texts, long words, right-to-left text and empty values", arguments: Template.builtInNames,
    [long, word, "ברוכים הבאים"])
  func odd(_ name: String, _ text: String) throws {
    let template = try TemplateLibrary.builtIn.template(name)
    func value(_ attribute: TemplateAttribute) -> JSONValue? {
      switch attribute.kind {
      case .string, .html: .string(text)
      case .date: .string("2026-12-24T18:00+01:00")
      case .object: .object(Dictionary(attribute.fields.compactMap { field in value(field).map { (field.name, $0) } }) { $1 })
      case .list: attribute.item.flatMap(value).map { .array([JSONValue](repeating: $0, count: Int(min(3, attribute.maximum ?? 3)))) }
      default: nil
      }
    }
    var request = RenderRequest(html: "")
    request.template = template
    for isFull in [true, false] {
      let given = template.attributes.filter { isFull || $0.isRequired }
      request.data = Array(
        JSONValue.object(Dictionary(given.compactMap { attribute in value(attribute).map { (attribute.name, $0) } }) { $1 }).text.utf8)
      try request.takeTemplatePage()
      let page = String(decoding: try template.expand(request, deadline: .never), as: UTF8.self)
      #expect(!page.contains("{{"))
      let renderer = try Renderer()
      let result = try renderer.renderAndWait(request)
      // No value may give an unusable image: pages of a fixed size keep it, and others have a limit.
      #expect(result.height < 50_000)
      #expect(result.width <= 2000)
    }
  }

  @Test("snippet escapes nothing of the body, and keeps its defaults")
  func snippet() throws {
    let page = try expand(.builtIn("snippet"), body: "<b>x</b>")
    #expect(page.contains("<div id=\"snippet\"><b>x</b></div>") && page.contains("line-height: 1;") && page.contains("width: 300px;"))
    #expect(page.contains("font-family: sans-serif; font-size: 16px; color: #000000; background-color: #ffffff;"))
  }
}
