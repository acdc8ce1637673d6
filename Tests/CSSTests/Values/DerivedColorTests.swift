import OffprintCoreTypes
import Testing

@testable import OffprintCSS

@Suite("Color functions")
struct DerivedColorTests {
  private let fixture = StyleFixture()

  @Test(
    "Inherited functions of currentcolor use the color of the inheriting element",
    arguments: [
      "rgb(from currentcolor r g b)", "color(from currentcolor prophoto-rgb r g b)", "color-mix(in srgb, currentcolor, currentcolor)",
    ])
  func inherited(color: String) {
    let parent = fixture.style("color: red; background-color: \(color); -webkit-text-fill-color: \(color)", isRoot: true)
    #expect(parent.background.color.resolve(parent.text.color).rgba8 == (255, 0, 0, 255))
    let child = fixture.style("color: blue; background-color: inherit", parent: parent)
    #expect(child.background.color.resolve(child.text.color).rgba8 == (0, 0, 255, 255))
    #expect(child.text.fillColor?.resolve(child.text.color).rgba8 ?? (0, 0, 0, 0) == (0, 0, 255, 255))
  }

  @Test("color inherits as a resolved value")
  func colorIsResolved() {
    let parent = fixture.style("color: color-mix(in srgb, currentcolor, white)", parent: fixture.style("color: red", isRoot: true))
    #expect(parent.text.color.rgba8 == (255, 128, 128, 255))
  }
}
