import Offprint
import OffprintCoreTypes
import Testing

@Suite("Node trees")
struct NodeTreeTests {
  /// The markup without the default style sheet.
  private func markup(_ json: String) throws -> String {
    let value = try #require(JSONValue(parsing: Array(json.utf8)))
    let page = String(decoding: try NodeTree.html(value), as: UTF8.self)
    return String(page[(try #require(page.range(of: "</style>"))).upperBound...])
  }

  @Test(
    "Nodes become markup",
    arguments: [
      (#"{"type":"div","props":{"children":"a<b & \"c\""}}"#, #"<div>a&lt;b &amp; &quot;c&quot;</div>"#),
      (#"{"type":"p","props":{"children":["x",1,2.5,null,true,[{"type":"br"}]]}}"#, "<p>x12.5<br></p>"),
      (#"[{"type":"","props":{"children":["a",{"type":"b","key":"k","props":{"children":"c"}}]}}]"#, "a<b>c</b>"),
      (
        #"{"type":"img","props":{"src":"a.png?x=\"1\"","width":40,"hidden":true,"alt":null}}"#,
        #"<img hidden="" src="a.png?x=&quot;1&quot;" width="40">"#
      ),
      (
        #"{"type":"svg","props":{"viewBox":"0 0 1 1","strokeWidth":2,"className":"c"}}"#,
        #"<svg class="c" stroke-width="2" viewBox="0 0 1 1"></svg>"#
      ),
      (#"{"type":"div","props":{"dangerouslySetInnerHTML":{"__html":"<i>x</i>"}}}"#, "<div><i>x</i></div>"),
      (#"{"type":"style","props":{"children":"a > b {}"}}"#, "<style>a > b {}</style>"),
    ])
  func becomeMarkup(_ json: String, _ expected: String) throws { #expect(try markup(json) == expected) }

  @Test(
    "Inline styles are written like in React, shorthands first",
    arguments: [
      (#"{"fontSize":20,"lineHeight":1.2,"opacity":0,"margin":0}"#, "margin:0;opacity:0;font-size:20px;line-height:1.2;"),
      (#"{"borderTopWidth":3,"borderWidth":1,"border":"1px solid"}"#, "border:1px solid;border-width:1px;border-top-width:3px;"),
      (
        #"{"WebkitTextStroke":"1px red","--gap":4,"msTransform":"none","flex":1}"#,
        "flex:1;--gap:4;-ms-transform:none;-webkit-text-stroke:1px red;"
      ),
    ])
  func styles(_ style: String, _ expected: String) throws {
    #expect(try markup(#"{"type":"i","props":{"style":\#(style)}}"#) == "<i style=\"\(expected)\"></i>")
  }

  @Test(
    "Tailwind's classes are supported",
    arguments: [
      ("flex p-4 mt-2 -ml-1.5", "display:flex;padding:16px;margin-top:8px;margin-left:-6px;"),
      ("w-1/2 h-full max-w-lg size-px", "width:50%;height:100%;max-width:512px;width:1px;height:1px;"),
      ("text-2xl text-red-500 font-bold", "font-size:24px;line-height:32px;color:#ef4444;font-weight:700;"),
      ("bg-black/50", "background-color:color-mix(in srgb,black 50%,transparent);"),
      ("border-t-2 border-slate-200 rounded-xl", "border-top-width:2px;border-top-style:solid;border-color:#e2e8f0;border-radius:12px;"),
      ("w-[13px] text-[#123456] bg-[url(a_b.png)]", "width:13px;color:#123456;background-image:url(a b.png);"),
      ("from-white to-sky-500 bg-gradient-to-r", "background-image:linear-gradient(to right,white,#0ea5e9);"),
      ("rotate-45 -translate-x-1/2", "transform:rotate(45deg) translateX(-50%);"),
      ("[mask-type:luminance] hover:flex", "mask-type:luminance;"),
      (
        "grid grid-cols-3 gap-2 col-span-2", "display:grid;grid-template-columns:repeat(3,minmax(0,1fr));gap:8px;grid-column:span 2/span 2;"
      ),
      ("opacity-50 z-10 leading-tight tracking-wide", "opacity:0.5;z-index:10;line-height:1.25;letter-spacing:0.025em;"),
      ("shadow-md", "box-shadow:0 4px 6px -1px rgb(0 0 0/0.1),0 2px 4px -2px rgb(0 0 0/0.1);"),
    ])
  func classes(_ classes: String, _ expected: String) throws {
    #expect(try markup(#"{"type":"i","props":{"tw":"\#(classes)"}}"#) == "<i style=\"\(expected)\"></i>")
  }

  @Test("Every color of Tailwind's palette is supported")
  func palette() {
    let hues = [
      "slate", "gray", "zinc", "neutral", "stone", "red", "orange", "amber", "yellow", "lime", "green", "emerald", "teal", "cyan", "sky",
      "blue", "indigo",
      "violet", "purple", "fuchsia", "pink", "rose",
    ]
    for hue in hues {
      for shade in [50, 100, 200, 300, 400, 500, 600, 700, 800, 900, 950] {
        #expect(throws: Never.self) { try markup(#"{"type":"i","props":{"tw":"bg-\#(hue)-\#(shade)"}}"#) }
      }
    }
  }

  @Test(
    "Errors name the problem and the node",
    arguments: [
      (#"{"props":{}}"#, "tree has no \"type\""), (#"{"type":"a b"}"#, "tree has the type \"a b\""),
      (
        #"{"type":"p","props":{"children":[{"type":"i","props":{"tw":"nope-3"}}]}}"#,
        "tree.props.children[0].props.tw has the class \"nope-3\""
      ),
      (#"{"type":"p","props":{"style":{"a;b":1}}}"#, "tree.props.style has \"a;b\""),
      (#"{"type":"p","props":{"x\" y":"1"}}"#, "not the name of an attribute"),
      (#"{"type":"style","props":{"children":"</style><script>"}}"#, "end tag"),
    ])
  func problems(_ json: String, _ expected: String) throws {
    let error = #expect(throws: OffprintError.self) { try markup(json) }
    #expect(error?.code == .dataInvalid && error?.message.contains(expected) == true, "\(String(describing: error))")
  }

  @Test("The nesting of nodes is limited")
  func depth() throws {
    let depth = 600
    var value = JSONValue.string("x")
    for _ in 0..<depth { value = .object(["type": .string("b"), "props": .object(["children": value])]) }
    #expect(throws: OffprintError.self) { try NodeTree.html(value) }
  }

  @Test("Trees are laid out as by Satori: elements are rows of flex items")
  func layout() throws {
    let json =
      #"{"type":"div","props":{"style":{"width":"100%"},"children":[{"type":"div","props":{"tw":"w-10 h-5"}},{"type":"div","props":{"tw":"w-10 h-5"}}]}}"#
    var request = RenderRequest(html: try NodeTree.html(try #require(JSONValue(parsing: Array(json.utf8)))))
    request.width = .px(200)
    let boxes = try Renderer.alone().layoutAndWait(request).boxes.filter { $0.name == "div" }
    #expect(boxes.map(\.x) == [0, 0, 40] && boxes.map(\.width) == [200, 40, 40])
  }
}
