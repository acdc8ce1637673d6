import OffprintCoreTypes
import Testing

@testable import OffprintDOM

@Suite("Declarative shadow trees")
struct ShadowRootTests {
  @Test("The first template with shadowrootmode is the shadow tree of its parent")
  func attached() throws {
    let html = "<div><template shadowrootmode=open><p>in</p></template><template shadowrootmode=closed>again</template>out</div>"
    #expect(
      try dump(html) == """
        | <html>
        |   <head>
        |   <body>
        |     <div>
        |       #shadow-root (open)
        |         <p>
        |           "in"
        |       <template>
        |         shadowrootmode="closed"
        |         content
        |           "again"
        |       "out"
        """)
  }

  @Test(
    "Elements that cannot be hosts and invalid modes leave a template",
    arguments: ["<ul><template shadowrootmode=open>", "<div><template shadowrootmode=x>", "<a><template shadowrootmode=open>"])
  func templates(html: String) throws {
    let tree = try dump(html)
    #expect(tree.contains("<template>") && !tree.contains("#shadow-root"))
  }

  @Test("Custom elements can be hosts, closed and nested roots are supported, and surrounding text is one node")
  func nested() throws {
    let html =
      "<x-a>one<template shadowrootmode=closed><x-b><template shadowrootmode=open><slot></slot></template></x-b></template>two</x-a>"
    #expect(
      try dump(html) == """
        | <html>
        |   <head>
        |   <body>
        |     <x-a>
        |       #shadow-root (closed)
        |         <x-b>
        |           #shadow-root (open)
        |             <slot>
        |       "onetwo"
        """)
  }

  @Test("Elements beyond the depth limit in a shadow tree become siblings there")
  func depth() throws {
    var log = DiagnosticLog()
    var options = HTMLParserOptions()
    options.limits.depth = 8
    let html = "<div><template shadowrootmode=open>" + String(repeating: "<b>", count: 40) + "x</template></div>"
    let document = try HTMLParser.parse(Array(html.utf8), options: options, diagnostics: &log)
    let root = try #require(document.shadowRoots.first).root
    var depth = 0, node = document[root].firstChild
    while !node.isNone { depth += 1; node = document[node].firstChild }
    #expect(depth <= 8 && log.entries.contains { $0.code == .depthFlattened })
  }

  @Test("The flat tree has slotted nodes in the first slot with their name, fallback content in other slots, and no unslotted nodes")
  func flatTree() throws {
    var log = DiagnosticLog()
    let html =
      "<div><template shadowrootmode=open><slot name=a>A</slot><slot name=b>B</slot><slot name=a>C</slot></template>"
      + "<i slot=a>1</i><b slot=a>2</b><u slot=z>3</u>text</div>"
    let document = try HTMLParser.parse(Array(html.utf8), diagnostics: &log)
    let host = try #require(document.shadowRoots.first).host
    #expect(String(decoding: FlatTree(document).document.textContent(of: host), as: UTF8.self) == "12BC")
    #expect(String(decoding: document.textContent(of: host), as: UTF8.self) == "123text")
  }
}
