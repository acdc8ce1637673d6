import Testing

@testable import OffprintCSS

@Suite("shape() and contrast-color()")
struct ShapePathTests {
  @Test(
    "Valid shape() functions",
    arguments: [
      "shape(from 0 0, line to 10px 10%, hline by 5px, vline to 3px, close)",
      "shape(evenodd from top left, move by 1px 2px, line by 3px 4px)",
      "shape(from 0 0, curve to 10px 10px with 5px 0 / 5px 10px from end, smooth by 4px 4px with 1px 1px)",
      "shape(from 0 0, arc to 10px 10px of 5px 6px cw large rotate 20deg)",
      "shape(from 0 0, hline to right, vline to center, smooth to 0 0)",
    ])
  func valid(shape: String) { #expect(StyleEngine.supports(property: "clip-path", value: shape)) }

  @Test(
    "Invalid shape() functions",
    arguments: [
      "shape(line to 0 0)", "shape(from 0 0)", "shape(from 0 0, line 1px 1px)", "shape(from 0 0, curve to 1px 1px)",
      "shape(from 0 0, arc to 1px 1px)", "shape(from 0 0, hline by left)", "shape(from 0 0, close to 0 0)",
    ])
  func invalid(shape: String) { #expect(!StyleEngine.supports(property: "clip-path", value: shape)) }

  @Test("The contrast color is white or black", arguments: [("black", "white"), ("white", "black"), ("#123", "white"), ("gold", "black")])
  func contrast(color: String, expected: String) {
    #expect(StyleEngine.color("contrast-color(\(color))") == StyleEngine.color(expected))
  }
}
