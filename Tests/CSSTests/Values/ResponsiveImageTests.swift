import OffprintCoreTypes
import OffprintDOM
import Testing

@testable import OffprintCSS

@Suite struct ResponsiveImageTests {
  private func candidates(_ text: String) -> [String] {
    SourceSetParser.parse(Array(text.utf8)[...]).map { candidate in
      let url = String(decoding: candidate.url, as: UTF8.self)
      return switch candidate.descriptor {
      case .none: url
      case .width(let width): "\(url) \(Int(width))w"
      case .density(let density): "\(url) \(density)x"
      }
    }
  }

  private func size(_ sizes: String, width: Double = 800, auto: Double? = nil) -> Double {
    SourceSizes.parse(Array(sizes.utf8)[...], MediaEnvironment(width: width, height: 600)) { auto }
  }

  /// The source of the `<img>` of a page, as `url density`, and the name of the element that provides its dimensions.
  private func selected(_ html: String, scale: Double = 1, width: Double = 800) throws -> String? {
    var log = DiagnosticLog()
    let document = try HTMLParser.parse(Array(html.utf8), options: HTMLParserOptions(), diagnostics: &log)
    let image = try #require(document.nodes.indices.first { document.nodes[$0].name == .img })
    var selection = ImageSourceSelection(document, MediaEnvironment(width: width, height: 600, resolution: scale))
    return selection.select(NodeID(image)) { 250 }.map { choice in
      "\(choice.url) \(choice.density)\(document[choice.dimensions].name == .source ? " source" : "")"
    }
  }

  @Test("A srcset is split at commas that follow white space or end a URL; parentheses are respected")
  func splits() {
    #expect(candidates(" ,a.png 2x , b.png 100w,c.png,, d,e.png 1.5x") == ["a.png 2.0x", "b.png 100w", "c.png", "d,e.png 1.5x"])
    #expect(candidates("data:,a ( , ) 1x, b.png") == ["b.png"])
    #expect(candidates("a.png 10w 20h, b.png 2e0x") == ["a.png 10w", "b.png 2.0x"])
  }

  @Test(
    "A candidate with an invalid, repeated or additional descriptor is ignored",
    arguments: ["0w", "-1w", "+1w", "1.5w", "-1x", "+1x", "1.x", ".x", "x", "1w 2w", "1x 2x", "1x 1w", "20h", "1q", "1x 1h", "1ex", "1W"])
  func errors(_ descriptors: String) { #expect(candidates("a.png \(descriptors), b.png") == ["b.png"]) }

  @Test("The first size with a true condition applies; without any it is the viewport's width")
  func sizes() {
    #expect(size("(min-width: 900px) 10px, (min-width: 700px) 20px, 30px") == 20)
    #expect(size("50vw") == 400)
    #expect(size("calc(100vw - 2em)") == 768)
    #expect(size("min(50vw, 300px)") == 300)
    #expect(size("not (min-width: 900px) 15px, 3px") == 15)
    #expect(size("(min-width: 900px) 10px") == 800)
    #expect(size("-5px, 50%, (nonsense) 7px, ,") == 800)
    #expect(size("10px 20px, 30px") == 30)
    #expect(size("auto, 40px") == 40)
    #expect(size("auto, 40px", auto: 55) == 55)
  }

  @Test("The candidate is chosen by device density: from the geometric mean of two candidates, the denser one")
  func densities() throws {
    let html = "<img src=a srcset='b 2x, c 4x'>"
    #expect(try selected(html) == "a 1.0")
    #expect(try selected(html, scale: 1.3) == "a 1.0")
    #expect(try selected(html, scale: 1.5) == "b 2.0")
    #expect(try selected(html, scale: 9) == "c 4.0")
    #expect(try selected("<img src=a srcset='b 1x'>") == "b 1.0")
    #expect(try selected("<img src=a srcset='b 0.5x'>", scale: 0.4) == "b 0.5")
    #expect(try selected("<img src=''>") == nil)
  }

  @Test("Width descriptors are converted to densities by the source size, and src is ignored")
  func widths() throws {
    #expect(try selected("<img src=a srcset='b 400w, c 1600w'>") == "c 2.0")
    #expect(try selected("<img src=a srcset='b 400w, c 1600w' sizes=200px>") == "b 2.0")
    #expect(try selected("<img srcset='b 250w, c 500w' sizes=auto loading=lazy>", scale: 2) == "c 2.0")
    #expect(try selected("<img srcset='b 250w, c 500w' sizes=auto>") == "c 0.625")
  }

  @Test("The first source with candidates, a decodable type and matching media is chosen, with its dimensions")
  func picture() throws {
    let html = """
      <picture><source srcset=a media='(max-width: 600px)'><source srcset=b type=image/unknown><source><source srcset='q 1q'>
      <source srcset=c type='IMAGE/PNG; x=y' height=5><img src=d><source srcset=e></picture>
      """
    #expect(try selected(html) == "c 1.0 source")
    #expect(try selected(html, width: 500) == "a 1.0")
    #expect(try selected("<picture><img src=d><source srcset=e></picture>") == "d 1.0")
    #expect(try selected("<picture><source srcset=a><p><img src=d></picture>") == "d 1.0")
  }

  @Test("A hundred thousand candidates, shared by many images, are selected quickly")
  func many() throws {
    let srcset = (0..<100_000).map { "p\($0) \($0 + 1)w" }.joined(separator: ",")
    #expect(try selected("<img srcset='\(srcset)' sizes=50px>") == "p49 1.0")
    let page = "<picture><source srcset='\(srcset)'>" + String(repeating: "<img src=a>", count: 2000)
    var log = DiagnosticLog()
    let document = try HTMLParser.parse(Array(page.utf8), options: HTMLParserOptions(), diagnostics: &log)
    var selection = ImageSourceSelection(document, MediaEnvironment(width: 800, height: 600))
    let start = ContinuousClock.now
    for index in document.nodes.indices where document.nodes[index].name == .img { _ = selection.select(NodeID(index)) }
    #expect(ContinuousClock.now - start < .seconds(5))
  }

  @Test("The dimensions of the chosen source apply to its image; both define a ratio")
  func dimensions() throws {
    let html = "<picture><source srcset=a width=40 height=20><img src=b width=7 height=9 id=i></picture>"
    var log = DiagnosticLog()
    let document = try HTMLParser.parse(Array(html.utf8), options: HTMLParserOptions(), diagnostics: &log)
    let styled = try StyleEngine.style(
      document, options: StyleEngine.Options(media: MediaEnvironment(width: 800, height: 600)), fontMetrics: FixedMetrics())
    let image = try #require(document.nodes.indices.first { document.nodes[$0].name == .img })
    let box = styled.style(of: NodeID(image)).box
    #expect(box.width == .value(.length(40)))
    #expect(box.height == .value(.length(20)))
  }

  @Test("image-set() chooses an image dense enough for the device, of a decodable type")
  func imageSets() throws {
    func image(_ value: String, scale: Double) throws -> ImageValue? {
      var log = DiagnosticLog()
      let html = "<p style=\"background-image:\(value)\">"
      let document = try HTMLParser.parse(Array(html.utf8), options: HTMLParserOptions(), diagnostics: &log)
      let media = MediaEnvironment(width: 800, height: 600, resolution: scale)
      let styled = try StyleEngine.style(document, options: StyleEngine.Options(media: media), fontMetrics: FixedMetrics())
      let paragraph = try #require(document.nodes.indices.first { document.nodes[$0].name == .p })
      return styled.style(of: NodeID(paragraph)).background.layers.first?.image
    }
    let set = "image-set('a' 1x, url(b) 2dppx, 'c' 288dpi, 'd' type('image/jxl') 4x)"
    #expect(try image(set, scale: 1) == .url("a"))
    #expect(try image(set, scale: 1.5) == .dense("b", density: 2))
    #expect(try image(set, scale: 4) == .dense("c", density: 3))
    #expect(try image("-webkit-image-set(url(a) 2x)", scale: 1) == .dense("a", density: 2))
    #expect(try image("image-set('a' type('image/jxl'))", scale: 1) == ImageValue.none)
    #expect(!StyleEngine.supports(property: "background-image", value: "image-set(image-set('a'))"))
    #expect(!StyleEngine.supports(property: "background-image", value: "image-set('a' 1x 2x)"))
    #expect(!StyleEngine.supports(property: "background-image", value: "image-set('a' -1x)"))
  }
}
