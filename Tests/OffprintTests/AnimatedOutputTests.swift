import OffprintCoreTypes
import OffprintImages
import Testing

@testable import Offprint

@Suite("Animated output")
struct AnimatedOutputTests {
  private static let page = """
    <!DOCTYPE html><style>body{margin:0}@keyframes m{to{left:30px}}
    i{position:absolute;left:0;top:5px;width:10px;height:10px;background:red;animation:m .5s linear}</style><i></i>
    """

  private func request(_ html: String = page, _ change: (inout RenderRequest) -> Void = { _ in }) -> RenderRequest {
    var request = RenderRequest(html: html)
    (request.width, request.height, request.encoding.format) = (.px(40), .px(20), .apng)
    change(&request)
    return request
  }

  private func render(_ requests: [RenderRequest]) throws -> [[UInt8]] {
    let renderer = try Renderer.alone()
    defer { renderer.shutdown() }
    return try requests.map { try renderer.renderAndWait($0).image }
  }

  private func pixels(_ file: [UInt8], at time: Double) throws -> [UInt32] {
    var budget = DecodingBudget(time: time == 0 ? .start : .seconds(time))
    guard case .bitmap(let bitmap) = try ImageDecoder.decode(file, within: &budget).content else { return [] }
    return bitmap.pixels
  }

  private func still(_ request: RenderRequest, at time: AnimationTime) -> RenderRequest {
    var still = request
    (still.encoding, still.time) = (ImageEncoding(), time)
    return still
  }

  /// Whether each frame equals the image of its time.
  private func check(_ animated: RenderRequest, count: Int, _ source: SourceLocation = #_sourceLocation) throws {
    let rate = animated.encoding.animation?.framesPerSecond ?? 20
    let times = (0..<count).map { Double($0) / Double(rate) }
    let files = try render([animated] + times.map { still(animated, at: .seconds($0)) })
    for (index, time) in times.enumerated() {
      // A GIF and a WebP round times.
      #expect(try pixels(files[0], at: time + 0.006) == pixels(files[index + 1], at: 0), "\(time)", sourceLocation: source)
    }
  }

  private static let formats: [ImageEncoding] = {
    var webp = ImageEncoding(.webp)
    webp.isLossless = true
    webp.animate()
    return [ImageEncoding(.apng), ImageEncoding(.gif), webp]
  }()

  @Test("Each frame is the image of its time, opaque or transparent", arguments: [false, true])
  func frames(isTransparent: Bool) throws {
    for encoding in Self.formats {
      try check(request { ($0.background, $0.encoding) = (isTransparent ? .transparent : .white, encoding) }, count: 10)
    }
  }

  /// Pages whose styles are advanced in different ways.
  private static let pages = [
    "opacity:.2", "transform:translate(20px,5px)", "background:blue", "border-radius:5px", "width:30px", "color:blue", "filter:blur(3px)",
    "box-shadow:0 0 4px blue", "margin-top:8px", "translate:9px;rotate:40deg;scale:.5", "clip-path:inset(4px)", "display:none",
    "--x:9;padding:3px", "font-size:20px", "text-shadow:1px 1px blue",
    "-webkit-text-fill-color:lime", "background:linear-gradient(blue,currentcolor);color:lime",
  ]

  @Test("Incrementally updated styles give the same frames as styles that are computed in full", arguments: pages)
  func advanced(_ end: String) throws {
    let start = "clip-path:inset(0);opacity:.9;transform:translate(1px,1px);filter:blur(0);display:block"
    let html = """
      <!DOCTYPE html><style>body{margin:0;font:9px sans-serif}@keyframes m{from{\(start)}to{\(end)}}
      div{width:16px;height:12px;background:red;border:1px solid lime;animation:m .25s linear both}
      div::before{content:"a";animation:m .2s linear .05s both} span{color:inherit;opacity:inherit}</style>
      <p style="margin:0;position:absolute;left:20px">x</p><div><span>b</span></div><div style="animation-delay:.1s"></div>
      <div style="position:absolute;left:30px;top:0">c<p>d</p>e</div>
      """
    try check(request(html), count: 6)
  }

  @Test("Frames of the page, images and SVG advance")
  func contents() throws {
    let drawing =
      "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"9\" height=\"9\"><rect width=\"9\" height=\"9\" fill=\"red\">"
      + "<animate attributeName=\"x\" to=\"9\" dur=\".2s\"/></rect></svg>"
    for page in [
      drawing, "<img src='data:image/svg+xml,\(drawing)'>", "<iframe srcdoc='\(drawing)' style='width:30px;height:18px'></iframe>",
    ] {
      try check(request(page) { $0.encoding.animate { $0.duration = 0.2 } }, count: 4)
    }
  }

  @Test("Equal frames are merged, so that a page without animations has one frame")
  func still() throws {
    let files = try render([
      request("<p>"), request("<p>") { $0.encoding.animate { $0.duration = 5 } },
      request("<p>") { $0.encoding.animate { ($0.duration, $0.framesPerSecond) = (5, 7) } },
    ])
    for file in files { #expect(count("fcTL", in: file) == 1) }
    #expect(files[0].count == files[1].count)
  }

  private func count(_ chunk: String, in file: [UInt8]) -> Int { file.indices.count { file[$0...].starts(with: chunk.utf8) } }

  @Test("The default duration is the longest animation, or a period of an infinite one")
  func duration() throws {
    let spin = "<style>@keyframes s{to{width:32px}}i{display:block;width:0;height:9px;background:red;animation:s"
    let files = try render([
      request(spin + " .2s linear infinite}</style><i>"), request(spin + " .2s linear infinite alternate}</style><i>"),
      request(spin + " .1s linear .3s 2}</style><i>"), request(spin + " .1s linear forwards}</style><i>"),
      request("<svg><rect width=9 height=9><animate attributeName=x to=20 dur=.3s repeatCount=indefinite /></rect></svg>"),
    ])
    // The third begins with 7 equal frames; it and the fourth have one after their end.
    #expect(files.map { count("fcTL", in: $0) } == [4, 8, 5, 3, 6])
  }

  @Test("A poster is the image that programs without animations show")
  func poster() throws {
    let animated = request { $0.encoding.animate { $0.poster = .seconds(0.25) } }
    let files = try render([animated, still(animated, at: .seconds(0.25))])
    #expect(try pixels(files[0], at: 0) == pixels(files[1], at: 0))
  }

  @Test("A PNG, a WebP and an AVIF are animations only on request; an animated PNG is an APNG")
  func requested() throws {
    let files = try render([
      request { $0.encoding = ImageEncoding(.png) },
      request {
        $0.encoding = ImageEncoding(.png)
        $0.encoding.animate()
      }, request(), request { $0.encoding = ImageEncoding(.webp) },
    ])
    #expect(EncodedImageFormat(beginningOf: files[0]) == .png && EncodedImageFormat(beginningOf: files[1]) == .apng && files[1] == files[2])
    #expect(count("ANIM", in: files[3]) == 0)
  }

  @Test("Too many frames and pixels, formats without animations and invalid options are errors")
  func errors() throws {
    func code(_ change: (inout RenderRequest) -> Void) -> OffprintError.Code? {
      do { _ = try render([request(Self.page, change)]) } catch { return (error as? OffprintError)?.code }
      return nil
    }
    #expect(code { $0.encoding.animate { $0.duration = 1000 } } == .limitExceeded)
    #expect(code { $0.limits.frames = 5 } == .limitExceeded)
    #expect(code { $0.limits.animationPixels = 800 * 9 } == .limitExceeded)
    for format in [EncodedImageFormat.jpeg, .pdf, .svg, .raw] {
      #expect(
        code {
          $0.encoding = ImageEncoding(format)
          $0.encoding.animate()
        } == .usage)
    }
    let changes: [(inout AnimationEncoding) -> Void] = [
      { $0.framesPerSecond = 0 }, { $0.framesPerSecond = 61 }, { $0.plays = 0 }, { $0.plays = 65_536 }, { $0.duration = -1 },
      { $0.duration = .nan }, { $0.duration = 1e9 },
    ]
    for change in changes { #expect(code { $0.encoding.animate(change) } == .usage) }
    #expect(
      code {
        $0.encoding = ImageEncoding(.gif)
        $0.encoding.animate { $0.framesPerSecond = 60 }
      } == .usage)
  }

  @Test("The frames and their number of repetitions are part of the key")
  func keys() throws {
    let renderer = try Renderer.alone()
    defer { renderer.shutdown() }
    let changes: [(inout AnimationEncoding) -> Void] = [
      { _ in }, { $0.duration = 1 }, { $0.framesPerSecond = 5 }, { $0.plays = 2 }, { $0.poster = .end },
    ]
    let keys = try changes.map { change in try renderer.renderAndWait(request { $0.encoding.animate(change) }).key }
    #expect(Set(keys).count == keys.count)
    #expect(try renderer.renderAndWait(request()).key == keys[0])
  }

  @Test("The countdown counts down across midnight, and stops at zero")
  func countdown() throws {
    func left(_ text: String) -> [Int]? { TimeLeft(text, now: 1_795_000_000).map { [$0.days, $0.secondsOfDay] } }
    #expect(left("2026-11-27T00:00Z/2026-11-28T01:00:05Z") == [1, 3605])
    #expect(left("2026-11-27T00:00+01:00/2026-11-27T00:00Z") == [0, 3600])
    #expect(left("2026-11-27T00:00Z/2026-11-26T00:00Z") == [0, 0])
    #expect(left("1970-01-01T00:00:00Z") == [0, 0] && left("2026-11-18T11:06:50Z") == [0, 3610 - 3600])
    for bad in [
      "", "tomorrow", "2026-11-27", "2026-13-01T00:00Z", "2026-11-27T25:00Z", "2026-11-27T10:00", "a/b", "2026-11-27T10:00Z/", "/",
    ] {
      #expect(left(bad) == nil, "\(bad)")
    }
    let template = try TemplateLibrary.builtIn.template("countdown")
    func frames(_ until: String) throws -> Int {
      var request = RenderRequest(html: "")
      (request.template, request.attributes) = (template, ["until": until, "length": "30"])
      try request.takeTemplatePage()
      request.encoding = ImageEncoding(.apng)
      request.encoding.animate { $0.framesPerSecond = 1 }
      return count("fcTL", in: try render([request])[0])
    }
    #expect(try frames("2026-11-27T00:00Z/2026-11-28T00:00:02Z") == 31)
    #expect(try frames("2026-11-27T00:00Z/2026-11-27T00:00:02Z") == 3)
    #expect(try frames("2026-11-27T00:00Z/2026-11-27T00:00:00Z") == 1)
  }
}
