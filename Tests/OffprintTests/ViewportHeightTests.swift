import OffprintImages
import Testing

@testable import Offprint

@Suite("The viewport of an image that is as high as its content")
struct ViewportHeightTests {
  private func height(_ html: String, _ change: (inout RenderRequest) -> Void = { _ in }) throws -> Int {
    let renderer = try Renderer.alone()
    defer { renderer.shutdown() }
    var request = RenderRequest(html: html)
    request.width = .px(50)
    change(&request)
    return try renderer.renderAndWait(request).height
  }

  @Test("Viewport units refer to 600 px, or to the height that is specified")
  func definesUnits() throws {
    let hero = "<!DOCTYPE html><body style='margin:0'><div style='height:50vh'></div>"
    #expect(try height(hero) == 300)
    #expect(try height(hero) { $0.viewportHeight = 200 } == 100)
    #expect(try height(hero) { ($0.viewportHeight, $0.height) = (200, .px(80)) } == 80)
  }

  @Test("Media queries see the viewport's height")
  func definesMediaQueries() throws {
    let page = "<!DOCTYPE html><style>body{margin:0;height:10px}@media (min-height:500px){body{height:20px}}</style>"
    #expect(try height(page) == 20)
    #expect(try height(page) { $0.viewportHeight = 499 } == 10)
  }

  @Test("Percentages of the root's height behave as auto, in quirks mode too")
  func leavesPercentagesAutomatic() throws {
    let page = "<html style='height:100%'><body style='height:100%;margin:0'><div style='height:30px'></div>"
    #expect(try height("<!DOCTYPE html>" + page) == 30)
    #expect(try height(page) == 30)
  }

  @Test("Fixed boxes are placed from the viewport's bottom, and absolutely positioned ones do not make the image as high as the viewport")
  func placesBoxes() async throws {
    let page = "<!DOCTYPE html><body style='margin:0'><div style='height:200px'></div>"
    let fixed = page + "<i id=a style='position:fixed;bottom:50%;width:5px;height:5px;background:red'></i>"
    let renderer = try Renderer.alone()
    defer { renderer.shutdown() }
    var request = RenderRequest(html: fixed)
    request.viewportHeight = 120
    let boxes = try await renderer.layout(request).boxes
    #expect(boxes.last?.y == 55)
    #expect(try height(page + "<i style='position:absolute;top:50%;width:5px;height:5px'></i>") == 200)
  }

  @Test("A viewport height of zero or above the limit is refused")
  func refusesOthers() {
    for wrong in [0, -1, .nan, .infinity, 1e9] {
      #expect(throws: OffprintError.self) { try height("") { $0.viewportHeight = wrong } }
    }
  }
}
