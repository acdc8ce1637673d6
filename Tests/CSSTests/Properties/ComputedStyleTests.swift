import OffprintCoreTypes
import Testing

@testable import OffprintCSS

@Suite struct ComputedStyleTests {
  @Test(
    "Lengths compute to px",
    arguments: [
      ("1px", 1), ("1in", 96), ("2.54cm", 96), ("25.4mm", 96), ("101.6q", 96), ("72pt", 96), ("6pc", 96), ("2em", 40), ("2ex", 20),
      ("2ch", 22.5),
      ("2cap", 30), ("2ic", 40), ("2lh", 50), ("1vw", 8), ("1dvh", 6), ("1vmin", 6), ("1svmax", 8), ("1cqw", 8),
      ("calc(1em + 2px * 3)", 26),
      ("min(10px, 1em)", 10), ("max(10px, 1em)", 20), ("clamp(1px, 5px, 3px)", 3), ("round(up, 11px, 4px)", 12), ("mod(-5px, 3px)", 1),
      ("rem(-5px, 3px)", -2), ("calc(10px * sin(90deg))", 10), ("calc(1px * pow(2, 5))", 32), ("hypot(3px, 4px)", 5), ("abs(-3px)", 3),
      ("calc(10px * sign(-2em))", -10), ("calc(1px * (1 + 2) / 3)", 1), ("calc(100px / (2px / 1px))", 50),
      ("calc(1px*infinity)", 33_554_432),
      ("calc(1px * nan)", 0), ("1e40px", 33_554_432), ("env(nothing, 4px)", 4), ("env(safe-area-inset-top)", 0),
    ] as [(String, Float)])
  func lengths(value: String, px: Float) {
    let fixture = StyleFixture()
    let style = fixture.style("font-size: 20px; margin-left: \(value)")
    guard case .value(.length(let computed)) = style.box.margin.left else {
      Issue.record("\(style.box.margin.left)")
      return
    }
    #expect(abs(computed - px) < 0.001 * max(abs(px), 1))
  }

  @Test("Mixtures of lengths and percentages are preserved until layout")
  func mixtures() {
    let fixture = StyleFixture()
    #expect(fixture.style("margin-left: calc(100% - 20px)").box.margin.left == .value(.sum(px: -20, percent: 100)))
    #expect(fixture.style("margin-left: calc((100% - 20px) / 2)").box.margin.left == .value(.sum(px: -10, percent: 50)))
    #expect(fixture.style("width: calc(50%)").box.width == .value(.percentage(50)))
    guard case .value(let value) = fixture.style("width: min(50%, 100px)").box.width else {
      Issue.record("no value")
      return
    }
    #expect(value.resolve(1000.0) == 100 && value.resolve(100.0) == 50)
    guard case .value(let negative) = fixture.style("width: calc(50% - 100px)").box.width else {
      Issue.record("no value")
      return
    }
    #expect(negative.resolve(100.0) == 0)
  }

  @Test(
    "Invalid declarations are rejected",
    arguments: [
      "width: -1px", "width: 10", "width: calc(1px + 1)", "width: calc(1px+1px)", "width: calc(1px * 1px)", "width: calc(1 / 0",
      "width: 1px 2px",
      "color: #12345", "color: rgb(1 2)", "color: rgb(1, 2 3)", "color: nocolor", "margin: 1px 2px 3px 4px 5px", "padding: auto",
      "opacity: x",
      "display: inline flow table", "display: block block", "font-size: -1px", "font-weight: 0", "font-weight: 1001", "line-height: -1",
      "z-index: 1.5", "flex: 1 1 1 1", "border: solid solid", "background: red blue", "background: red, blue", "transform: rotate(1px)",
      "transform: none rotate(1deg)", "grid-template-areas: 'a b' 'c'", "grid-template-areas: 'a b' 'b a'", "grid-row: 0",
      "grid-template-columns: repeat(auto-fill, auto)", "content: none none", "font-family: serif,", "aspect-ratio: 1 / ", "width: var(x)",
      "background-image: linear-gradient()", "background-image: linear-gradient(red, 10%)", "animation: ;", "nonsense: 1",
      "border-radius: -1px", "filter: blur(-1px)", "box-shadow: 1px", "color: inherit inherit", "font: 12px", "quotes: 'a'",
      "inset: 1px, 2px",
    ])
  func invalid(css: String) {
    #expect(!StyleFixture().accepts(css))
  }

  @Test("Shorthands set their longhands")
  func shorthands() {
    let fixture = StyleFixture()
    #expect(fixture.style("margin: 1px 2px 3px").box.margin.left == .value(.length(2)))
    let border = fixture.style("border: 2.7px dashed red; border-left: none").border
    #expect(border.width == PhysicalSides(top: 2, right: 2, bottom: 2, left: 0))
    #expect(border.style.top == .dashed && border.color.right == .color(Color(r: 255, g: 0, b: 0)))
    let flex = fixture.style("flex: 2").align
    #expect(flex.flexGrow == 2 && flex.flexShrink == 1 && flex.flexBasis == .value(.percentage(0)))
    let font = fixture.style("font: italic small-caps bold condensed 2em/1.5 'A B', C D, serif").font
    #expect(font.size == 32 && font.weight == 700 && font.slope == .italic && font.stretch == 75 && font.lineHeight == .number(1.5))
    #expect(font.families == [.named("A B"), .named("C D"), .generic("serif")])
    #expect(font.features == [FontStyle.Feature(tag: 0x736D_6370, value: 1)])
    let background = fixture.style(
      "background: url(a.png) right 1em bottom / cover no-repeat padding-box, #00f8 linear-gradient(red, blue)"
    ).background
    #expect(background.layers.count == 2 && background.layers[0].image == .url("https://example.test/css/a.png"))
    #expect(background.layers[0].position == Position(x: .sum(px: -16, percent: 100), y: .percentage(100)))
    #expect(background.layers[0].size == .cover && background.layers[0].repeatX == .noRepeat && background.layers[0].clip == .paddingBox)
    #expect(background.color == .color(Color(r: 0, g: 0, b: 255, a: 0x88)))
    let list = fixture.style("list-style: none").text
    #expect(list.listStyleType == ListStyleType.none && list.listStyleImage == ImageValue.none)
    #expect(fixture.style("white-space: pre-wrap").text.whiteSpaceCollapse == .preserve)
    #expect(fixture.style("text-decoration: underline wavy red 2px").effects.textDecorationStyle == .wavy)
    #expect(fixture.style("columns: 3 10em").align.columnWidth == 160)
    #expect(fixture.style("inset: 0; gap: 1px 2px; overflow: hidden clip").box.overflowY == .hidden)
  }

  @Test(
    "Valid declarations are accepted",
    arguments: [
      "cursor: default", "transform-origin: 0 0 -10px", "z-index: -2147483649", "width: var(--x", "color: rgb(1 2 3",
      "list-style: none none",
      "font: menu", "background: 0 0", "mask: url(#a) center / 50% no-repeat", "animation: 1s ease-in infinite both spin",
      "quotes: '<' '>'",
      "grid-template-columns: [a] repeat(auto-fill, minmax(10px, 1fr)) [b c]", "will-change: transform, top",
      "container: card / inline-size",
      "transition: opacity .3s cubic-bezier(.1, .2, .3, 1)", "-webkit-mask-image: linear-gradient(#000, transparent)",
      "counter-reset: a 1 b",
      "text-emphasis: filled sesame red", "rotate: x 45deg", "aspect-ratio: auto 16 / 9", "clip: rect(1px, auto, 2px, 0)",
      "overflow: overlay",
      "shape-outside: circle(50%) border-box", "color: color(from red srgb r g b / 50%)", "font-variant: small-caps tabular-nums",
    ])
  func valid(css: String) {
    #expect(StyleFixture().accepts(css))
  }

  @Test("Legacy flexible boxes compute to flex containers")
  func webkitBox() {
    let fixture = StyleFixture()
    let old = "display: -webkit-box; -webkit-box-orient: vertical; -webkit-box-pack: center"
    let box = fixture.style(old)
    #expect(box.align.flexDirection == .column && box.align.justifyContent.keyword == .center)
    #expect(fixture.style("-webkit-box-flex: 2", parent: box).align.flexGrow == 2)
    // With line-clamp it is a block container.
    let clamped = fixture.style(old + "; -webkit-line-clamp: 3")
    #expect(clamped.effects.lineClamp == 3 && clamped.box.display == .flowRoot)
  }

  @Test("Grid shorthands expand")
  func grid() {
    let fixture = StyleFixture()
    let areas = fixture.style("grid-template: [top] 'a a' 20px [mid] 'b .' / 1fr 2fr").align
    #expect(areas.gridTemplateAreas?.areas.map(\.name) == ["a", "b"] && areas.gridTemplateAreas?.rows == 2)
    #expect(
      areas.gridTemplateRows
        == .tracks([
          .lineNames(["top"]), .track(.breadth(.value(.length(20)))), .lineNames(["mid"]), .track(.breadth(.auto)),
        ]))
    let auto = fixture.style("grid: auto-flow dense 10px / repeat(2, minmax(0, 1fr))").align
    #expect(auto.gridAutoFlow.isDense && !auto.gridAutoFlow.isColumn && auto.gridAutoRows == [.breadth(.value(.length(10)))])
    let area = fixture.style("grid-area: a").align
    #expect(area.gridColumnEnd == .named("a", nil))
    #expect(fixture.style("grid-column: span 2 / -1").align.gridColumnStart == .span(2))
  }

  @Test("Flow-relative properties map to physical ones in cascade order")
  func logical() {
    let fixture = StyleFixture()
    #expect(fixture.style("margin-left: 1px; margin-inline-start: 2px").box.margin.left == .value(.length(2)))
    #expect(fixture.style("margin-inline-start: 2px; margin-left: 1px").box.margin.left == .value(.length(1)))
    #expect(fixture.style("direction: rtl; padding-inline: 1px 2px").box.padding.right == .length(1))
    let vertical = fixture.style(
      "writing-mode: vertical-rl; inline-size: 5px; border-block-start: 3px solid; border-start-start-radius: 4px")
    #expect(vertical.box.height == .value(.length(5)) && vertical.border.width.right == 3)
    #expect(vertical.border.radius.topRight.horizontal == .length(4))
    #expect(fixture.style("--w: 3px; margin-block: var(--w) 1em").box.margin.bottom == .value(.length(16)))
  }

  @Test("Custom properties are substituted, and cycles are invalid")
  func custom() {
    let fixture = StyleFixture()
    #expect(fixture.style("--a: 4px; --b: calc(var(--a) * 2); width: var(--b)").box.width == .value(.length(8)))
    #expect(fixture.style("--a: var(--b); --b: var(--a); width: var(--a, 3px); height: 5px").box.width == .value(.length(3)))
    #expect(fixture.style("--a: var(--a); width: var(--a)").box.width == .auto)
    #expect(fixture.style("width: var(--none, var(--nor, 7px))").box.width == .value(.length(7)))
    #expect(fixture.style("--m: 1px 2px; margin: var(--m)").box.margin.left == .value(.length(2)))
    #expect(fixture.style("--c: red; border: 1px solid var(--c)").border.color.top == .color(Color(r: 255, g: 0, b: 0)))
    #expect(fixture.style("--x: 2; width: var(--x)px; color: rgb(var(--x) 0 0)").box.width == .auto)
    let parent = fixture.style("--a: 9px; color: red")
    #expect(fixture.style("width: var(--a)", parent: parent).box.width == .value(.length(9)))
    #expect(fixture.style("color: var(--none)", parent: parent).text.color == Color(r: 255, g: 0, b: 0))
    #expect(fixture.style("color: blue", parent: parent).record.pointee.custom == parent.record.pointee.custom)
    var laughs = "--l0: aaaaaaaaaaaaaaaa"
    for level in 1...40 { laughs += "; --l\(level): var(--l\(level - 1)) var(--l\(level - 1))" }
    #expect(fixture.style(laughs + "; width: var(--l40, 1px)").box.width == .value(.length(1)))
  }

  @Test("attr() is substituted, and the style is not shared with other elements")
  func attributes() {
    let fixture = StyleFixture()
    fixture.attributes = ["data-a": "x \"y\"", "data-n": "12"]
    #expect(fixture.style("content: 'a' attr(data-a)").content.content == .items([.text("a"), .text("x \"y\"")]))
    #expect(fixture.computer.usedAttributes)
    #expect(fixture.style("width: attr(data-n px); height: attr(nothing type(<length>), 3px)").box.width == .value(.length(12)))
    _ = fixture.style("width: 1px")
    #expect(!fixture.computer.usedAttributes)
  }

  @Test("CSS-wide keywords initialize, inherit and roll back")
  func wide() {
    let fixture = StyleFixture()
    let parent = fixture.style("width: 5px; color: red; border: 4px solid")
    #expect(fixture.style("width: inherit; border-top-width: inherit; border-top-style: solid", parent: parent).border.width.top == 4)
    #expect(fixture.style("color: initial", parent: parent).text.color == .black)
    #expect(fixture.style("all: unset; width: 1px", parent: parent).text.color == Color(r: 255, g: 0, b: 0))
    let agent = fixture.cascaded("display: block; margin-inline-start: 40px", origin: .userAgent)
    let author = fixture.cascaded("display: flex; margin-left: 1px", origin: .author)
    let reverted = fixture.style("display: revert; margin-left: revert", before: agent + author)
    #expect(reverted.box.display == .block && reverted.box.margin.left == .value(.length(40)))
    let layered =
      fixture.cascaded("width: 1px", origin: .author, layer: 0)
      + fixture.cascaded("width: 2px; width: revert-layer", origin: .author, layer: 1)
    #expect(fixture.style("", before: layered).box.width == .value(.length(1)))
    #expect(fixture.style("all: revert", before: agent + author).box.display == .block)
    let lines = fixture.style("border-style: solid; border-width: initial; outline: solid")
    #expect(lines.border.width.top == 3 && lines.border.outlineWidth == 3)
  }

  @Test("Font sizes follow Chromium's tables for keywords and monospace")
  func fontSizes() {
    let fixture = StyleFixture()
    #expect(fixture.style("font-family: monospace").font.size == 13)
    #expect(fixture.style("font-family: monospace, monospace").font.size == 16)
    #expect(fixture.style("font-family: monospace; font-size: 1em").font.size == 13)
    #expect(fixture.style("font-family: monospace; font-size: 20px").font.size == 20)
    #expect(fixture.style("font-size: x-large").font.size == 24)
    let big = fixture.style("font-size: 30px; line-height: 150%; font-weight: bold")
    #expect(big.font.lineHeight == .length(45))
    #expect(fixture.style("font-size: 50%; width: 2em", parent: big).box.width == .value(.length(30)))
    #expect(fixture.style("font-size: larger", parent: big).font.size == 36)
    #expect(fixture.style("font-weight: bolder", parent: big).font.weight == 900)
    #expect(fixture.style("font-weight: lighter", parent: big).font.weight == 400)
  }

  @Test("display and overflow depend on other properties")
  func fixUps() {
    let fixture = StyleFixture()
    let absolute = fixture.style("position: absolute; float: left; display: inline-flex")
    #expect(absolute.box.display == .flex && absolute.box.originalDisplay == .inlineFlex && absolute.box.float == .none)
    #expect(fixture.style("float: right; display: table-cell").box.display == .block)
    #expect(fixture.style("", isRoot: true).box.display == .block)
    let flex = fixture.style("display: flex")
    #expect(fixture.style("display: inline", parent: flex).box.display == .block)
    #expect(fixture.style("overflow-x: hidden").box.overflowY == .auto)
    #expect(fixture.style("display: block flow-root").box.display == .flowRoot)
    #expect(fixture.style("display: inline flex").box.display == .inlineFlex)
  }

  @Test("Unchanged groups of properties are shared")
  func sharing() {
    let fixture = StyleFixture()
    let parent = fixture.style("color: red; width: 5px")
    let child = fixture.style("color: red; float: none", parent: parent)
    #expect(child.record.pointee.text == parent.record.pointee.text)
    #expect(child.record.pointee.box == fixture.arena.initialStyle.record.pointee.box)
    let a = fixture.style("padding: 3px", parent: parent)
    let b = fixture.style("padding: 3px", parent: parent)
    #expect(a.record.pointee.box == b.record.pointee.box)
  }

  @Test("Quirks: unitless lengths and hashless colors")
  func quirks() {
    let quirks = StyleFixture(quirks: true)
    let standard = StyleFixture()
    #expect(quirks.style("width: 10; margin: 1 2").box.margin.right == .value(.length(2)))
    #expect(quirks.style("color: ff0000").text.color == Color(r: 255, g: 0, b: 0))
    #expect(quirks.style("background-color: 000080").background.color == .color(Color(r: 0, g: 0, b: 128)))
    #expect(!standard.accepts("width: 10") && !standard.accepts("color: ff0000"))
    #expect(!quirks.accepts("border: 1 solid") && !quirks.accepts("flex-basis: 10"))
  }

  @Test("Registered custom properties inherit only if specified, and have initial values")
  func registered() {
    let fixture = StyleFixture(registered: [
      "--a": RegisteredProperty(syntax: "<length>", inherits: false, initialValue: Array("7px".utf8))
    ])
    let parent = fixture.style("--a: 1px")
    #expect(fixture.style("width: var(--a)", parent: parent).box.width == .value(.length(7)))
    #expect(fixture.style("--a: red; width: var(--a)").box.width == .value(.length(7)))
  }

  @Test("Each property's initial value is accepted by its parser, and names in the table are unique")
  func table() {
    let table = PropertyTable.shared
    var names: Set<String> = []
    for row in table.longhands { #expect(names.insert("\(row.name)").inserted) }
    for shorthand in table.shorthands {
      #expect(names.insert("\(shorthand.name)").inserted)
      for property in shorthand.longhands { #expect(property.rawValue > 1, "\(shorthand.name)") }
    }
    // Two fields stored in a group never overlap, unless one is a part or an alias of the other.
    let parts: Set<String> = ["-webkit-ruby-position", "-webkit-perspective-origin-x"]
    var places: Set<[Int]> = []
    for row in table.longhands.dropFirst(2) where row.logical == nil && row.kind.valueType != nil && !parts.contains("\(row.name)") {
      #expect(places.insert([Int(row.group.rawValue), row.kind.offset]).inserted, "\(row.name)")
    }
    #expect(PropertyTable.supportPage().contains("| `color` | <color> | supported, inherited |"))
  }
}
