import OffprintCSS
import OffprintCoreTypes
import Glibc
import Synchronization
import Testing

@testable import OffprintLayout

/// Hostile pages: layout must terminate with a fragment for the page, whatever cyclic sizes they specify.
@Suite struct LayoutEndsTests {
  static let displays = [
    "block", "flow-root", "inline-block", "flex", "flex;flex-direction:column", "flex;flex-direction:column;flex-wrap:wrap", "grid",
    "table",
    "table-cell", "block;columns:2", "ruby", "list-item", "inline-flex;flex-direction:column", "block;float:left",
    "block;position:absolute",
  ]
  static let modes = ["horizontal-tb", "vertical-rl", "sideways-lr"]
  static let sizes = [
    "height:min-content", "height:max-content", "height:fit-content", "height:stretch", "height:50%",
    "min-height:fit-content", "max-height:min-content", "min-height:50%;max-height:fit-content", "flex-basis:min-content",
    "flex-basis:content;height:50%", "flex-basis:fit-content;height:fit-content", "aspect-ratio:2;height:fit-content",
    "aspect-ratio:1;min-height:max-content;width:min-content", "width:fit-content;height:max-content", "width:stretch;min-width:50%",
    "inline-size:min-content;block-size:fit-content", "contain:size;height:fit-content", "align-self:stretch;width:max-content",
  ]

  @Test("Layout terminates for all outer and inner displays, writing modes and sizes", arguments: displays)
  func combinations(outer: String) throws {
    for (shift, size) in Self.sizes.enumerated() {
      // Each pair of writing modes is combined with each display and each size.
      let mode = Self.modes[shift % 3]
      let inner = Self.displays.enumerated().map { number, inner in
        """
        <div style="display:\(outer);writing-mode:\(mode);\(size)">
        <div id=i\(number) style="display:\(inner);writing-mode:\(Self.modes[(number + shift / 3) % 3]);\(size)">
        x<p style="\(size)">y<img style="\(size)"></div></div>
        """
      }
      let page = try HTMLPage(inner.joined(), limits: Limits())
      for number in Self.displays.indices { #expect(page["i\(number)"] != nil, "\(outer) > \(Self.displays[number]), \(mode), \(size)") }
    }
  }

  @Test(
    "An item of a column container with a content keyword as height is as high as its contents",
    arguments: ["min-content", "max-content", "fit-content", "auto"])
  func keywordHeight(value: String) throws {
    let page = try HTMLPage(
      """
      <div style='display:flex;flex-direction:column;height:200px'><div id=a style='height:\(value)'>
      <p style='height:30px;margin:0'></div>
      """
    )
    #expect(page["a"] == [0, 0, 400, 30])
  }

  @Test("A content keyword as flex basis is not a definite height, so percentages in the item have no basis")
  func keywordBasis() throws {
    let page = try HTMLPage(
      """
      <div style='display:flex;flex-direction:column'><div style='flex-basis:min-content'>
      <div id=a style='height:50%'><p style='height:30px;margin:0'></div></div></div>
      """)
    #expect(page["a"] == [0, 0, 400, 30])
  }

  @Test("Blocks nested up to the limit for elements are laid out", arguments: ["block", "flow-root", "flex", "grid", "inline-block"])
  func deep(display: String) throws {
    let body = String(repeating: "<div style='display:\(display)'>", count: 500) + "<i id=a style='display:block;height:7px'></i>"
    // A stack of the same size as a worker's.
    let height = try LargeStack.run { try HTMLPage(body)["a"]?[3] }
    #expect(height == 7)
  }

  @Test("Nesting beyond the limit of layout depth throws an error with the limit's name")
  func tooDeep() throws {
    var limits = Limits()
    limits.layoutDepth = 40
    let body = String(repeating: "<div>", count: 60) + "x"
    #expect(throws: LimitExceeded(limit: "layoutDepth", allowed: 40)) { try HTMLPage(body, limits: limits) }
  }

  @Test("Inline boxes around very many blocks exceed the limit of boxes, not the memory")
  func tooManyBoxes() throws {
    var limits = Limits()
    limits.boxes = 5000
    let body = String(repeating: "<b>", count: 100) + String(repeating: "<p></p>x", count: 100)
    #expect(throws: LimitExceeded(limit: "boxes", allowed: 5000)) { try HTMLPage(body, limits: limits) }
  }

  @Test("Lines in very many inline boxes exceed the limit of fragments, not the memory")
  func tooManyFragments() throws {
    var limits = Limits()
    limits.fragments = 5000
    let body = String(repeating: "<b>", count: 100) + String(repeating: "x<br>", count: 100)
    #expect(throws: LimitExceeded(limit: "fragments", allowed: 5000)) { try HTMLPage(body, limits: limits) }
  }

  @Test("On a small stack recursion ends with the limit's error before the stack overflows")
  func smallStack() throws {
    var budget = RecursionBudget(limit: "layoutDepth", allowed: .max)
    func descend() throws -> Int {
      try budget.enter()
      defer { budget.leave() }
      return try descend() + 1
    }
    #expect(throws: LimitExceeded.self) { try descend() }
    #expect(budget.depth == 0)
  }
}

/// Layout is a function of a box and its input.
@Suite struct LayoutFunctionTests {
  @Test("A measurement omits glyphs and is incomplete; a following layout has them")
  func completeness() throws {
    let page = try HTMLPage("<div id=a style='width:100px'>some words</div>")
    let engine = page.engine
    let box = try #require(engine.tree.boxes.indices.first { engine.tree.boxes[$0].hasInlineChildren }.map { BoxID($0) })
    // A width that is not used by the page.
    var input = LayoutInput(availableInline: LayoutUnit(60))
    input.isMeasure = true
    let measured = try engine.layout(box, input)
    input.isMeasure = false
    let result = try engine.layout(box, input)
    #expect(!measured.isComplete && result.isComplete)
    #expect(measured.size == result.size && measured.firstBaseline == result.firstBaseline)
    input.isMeasure = true
    #expect(try engine.layout(box, input).fragment == result.fragment)
  }

  @Test("A measurement without out-of-flow boxes is incomplete")
  func outOfFlow() throws {
    let page = try HTMLPage("<div style='position:relative;width:50px;display:flow-root'><p style='position:absolute'>x</p></div>")
    let engine = page.engine
    let box = try #require(engine.tree.boxes.indices.first { engine.tree.boxes[$0].style.box.position == .relative }.map { BoxID($0) })
    var input = LayoutInput(availableInline: LayoutUnit(60))
    input.isMeasure = true
    #expect(try !engine.layout(box, input).isComplete)
    input.isMeasure = false
    #expect(try engine.layout(box, input).isComplete)
  }

  @Test("Intrinsic sizes do not depend on the order of queries: percentage paddings resolve against the input")
  func intrinsicPadding() throws {
    func sizes(_ bases: [Int]) throws -> [LayoutUnit] {
      let page = try HTMLPage("<div style='display:flex;padding:0 10%;width:1px'><i style='width:20px'></i></div>")
      let box = try #require(page.engine.tree.boxes.indices.first { page.engine.tree.boxes[$0].kind == .flexContainer }.map { BoxID($0) })
      return try bases.map { basis in
        var input = LayoutInput(availableInline: nil)
        input.percentageMargin = LayoutUnit(basis)
        return try page.engine.intrinsicSizes(box, input).max
      }
    }
    #expect(try sizes([100, 200]) == [LayoutUnit(40), LayoutUnit(60)])
    #expect(try sizes([200, 100]) == [LayoutUnit(60), LayoutUnit(40)])
  }

  @Test("Fragments retain their styles")
  func styles() throws {
    var fragments: FragmentTree?
    do { fragments = try HTMLPage("<p>x</p>").engine.fragments }
    let tree = try #require(fragments)
    #expect(tree.fragments.allSatisfy { $0.style.font.size == 16 })
  }

  @Test("The size of a grid in grids that size their columns twice does not depend on other layouts")
  func gridPasses() throws {
    let nested =
      "<div style='display:grid'><div style='display:grid;width:fit-content'><i style='aspect-ratio:2'></i></div></div>"
    let once = try HTMLPage(nested), often = try HTMLPage(nested)
    let box = try #require(often.engine.tree.boxes.indices.last { often.engine.tree.boxes[$0].kind == .gridContainer }.map { BoxID($0) })
    let input = { (width: Int) in LayoutInput(availableInline: LayoutUnit(width)) }
    for width in 1..<60 { _ = try often.engine.layout(box, input(width)) }
    #expect(try once.engine.layout(box, input(300)).size == often.engine.layout(box, input(300)).size)
  }
}

/// Runs a function on a thread with 512 MiB of stack.
private enum LargeStack {
  private final class Job: Sendable {
    let body: @Sendable () -> Void
    init(_ body: @escaping @Sendable () -> Void) { self.body = body }
  }
  private final class Answer<Value: Sendable>: Sendable {
    let result = Mutex<Result<Value, any Error>?>(nil)
  }

  static func run<Value: Sendable>(_ body: @escaping @Sendable () throws -> Value) throws -> Value? {
    let answer = Answer<Value>()
    let job = Job { answer.result.withLock { $0 = Result(catching: body) } }
    var attributes = pthread_attr_t()
    pthread_attr_init(&attributes)
    defer { pthread_attr_destroy(&attributes) }
    pthread_attr_setstacksize(&attributes, 512 << 20)
    var thread = pthread_t()
    let context = Unmanaged.passRetained(job)
    let status = pthread_create(
      &thread, &attributes,
      { argument in
        if let argument { Unmanaged<Job>.fromOpaque(argument).takeRetainedValue().body() }
        return nil
      }, context.toOpaque())
    guard status == 0 else {
      context.release()
      return nil
    }
    pthread_join(thread, nil)
    return try answer.result.withLock { $0 }?.get()
  }
}
