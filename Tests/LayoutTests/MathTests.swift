import Testing

@testable import OffprintLayout

@Suite("MathML") struct MathTests {
  private static let css = "math{font-family:'Liberation Serif';font-size:16px} p{margin:0}"

  private func page(_ body: String, css: String = "") throws -> HTMLPage { try HTMLPage(body, css: Self.css + css) }

  @Test("A token has the height of its ink, and a row the maximum ascent and descent of its parts")
  func ink() throws {
    let page = try page("<math id=m><mi id=x>x</mi><mn id=n>1</mn><mo id=o>,</mo></math>")
    #expect(page["x"]?[3] == 8)
    #expect(page["n"]?[3] == 11)
    #expect(page["m"]?[3] == 14)
    #expect(page["x"]?[1] == (page["m"]?[1] ?? 0) + 3)
  }

  @Test("Operator spacing follows the dictionary by form (prefix, infix, postfix), and attributes take precedence")
  func spacing() throws {
    let page = try page(
      "<math id=m><mrow id=r><mo id=a>−</mo><mi id=x>x</mi><mo id=b>+</mo><mi>y</mi></mrow></math>"
        + "<math><mi id=c>x</mi><mo id=d lspace=10px rspace=0>+</mo><mi id=e>y</mi></math>")
    let row = try #require(page["r"]), minus = try #require(page["a"]), x = try #require(page["x"]), plus = try #require(page["b"])
    #expect(minus[0] == row[0] && x[0] == minus[0] + minus[2])
    #expect(plus[0] - x[0] - x[2] == 3.546875)
    let c = try #require(page["c"]), d = try #require(page["d"]), e = try #require(page["e"])
    #expect(d[0] == c[0] + c[2] + 10 && e[0] == d[0] + d[2])
  }

  @Test("The parts of fractions are centered above each other, and scripts are only smaller in inline formulas")
  func fractions() throws {
    let page = try page(
      "<math display=block><mfrac id=f><mi id=a>a</mi><mn id=b>1000</mn></mfrac></math><math><mfrac><mi id=c>a</mi><mi>b</mi></mfrac></math>"
    )
    let fraction = try #require(page["f"]), a = try #require(page["a"]), b = try #require(page["b"]), c = try #require(page["c"])
    #expect(fraction[2] == b[2] + 2)
    #expect(abs((a[0] + a[2] / 2) - (b[0] + b[2] / 2)) < 0.05)
    #expect(b[1] > a[1] + a[3] && c[2] < a[2])
    #expect(page.engine.fragments.bars.count == 2)
  }

  @Test("An element with a wrong number of children is laid out as a row")
  func invalid() throws {
    let page = try page("<math id=m><mfrac id=f><mi>x</mi></mfrac><msup id=s><mi>x</mi></msup><mroot><mi>x</mi></mroot></math>")
    #expect(page.engine.fragments.bars.isEmpty)
    #expect((page["f"]?[3] ?? 0) < 9)
  }

  @Test("Text between elements, annotations and further children of maction are not rendered")
  func hidden() throws {
    let page = try page(
      "<math id=m>text<mi id=x>x</mi>more</math><math id=n><semantics><mi>x</mi><annotation>y</annotation></semantics></math>"
        + "<math id=o><maction><mi>x</mi><mi>yyyy</mi></maction></math>")
    let width = page["x"]?[2]
    #expect(page["m"]?[2] == width && page["n"]?[2] == width && page["o"]?[2] == width)
  }

  @Test("Limits are placed over and under their operator in display style, next to it in inline formulas")
  func limits() throws {
    let sum = "<munderover><mo id=O>∑</mo><mi id=U>i</mi><mi id=V>n</mi></munderover>"
    func marked(_ letter: String) -> String {
      sum.replacing("O", with: "o" + letter).replacing("U", with: "u" + letter).replacing("V", with: "v" + letter)
    }
    let page = try page("<math display=block>\(marked("1"))</math><math>\(marked("2"))</math>")
    let o = try #require(page["o1"]), u = try #require(page["u1"]), v = try #require(page["v1"])
    #expect(u[1] >= o[1] + o[3] && v[1] + v[3] <= o[1] && u[0] > o[0])
    let right = try #require(page["o2"]), sub = try #require(page["u2"])
    #expect(sub[0] >= right[0] + right[2])
  }

  @Test("mspace and mpadded have the sizes in their attributes")
  func padded() throws {
    let page = try page(
      "<math id=m><mpadded id=p width=50px height=20px depth=10px lspace=10px voffset=5px><mi id=x>x</mi></mpadded>"
        + "<mspace id=s width=10px height=5px depth=3px></mspace></math>")
    let p = try #require(page["p"]), x = try #require(page["x"]), s = try #require(page["s"])
    #expect(p[2...] == [50, 30] && s[2...] == [10, 8])
    #expect(x[0] == p[0] + 10 && x[1] == p[1] + 7 && s[1] == p[1] + 15)
  }

  @Test("A right-to-left row starts at the right")
  func rightToLeft() throws {
    let page = try page("<math id=m dir=rtl><mi id=a>a</mi><mn id=b>1</mn></math>")
    let a = try #require(page["a"]), b = try #require(page["b"])
    #expect(a[0] == b[0] + b[2])
  }

  @Test("The center of a table is on the math axis, and the contents of its cells are centered")
  func tables() throws {
    let page = try page(
      "<math id=m><mtable id=t><mtr><mtd id=d><mi id=a>a</mi></mtd></mtr><mtr><mtd columnspan=1><mn>1000</mn></mtd></mtr></mtable><mo id=o>−</mo><mi>x</mi></math>"
    )
    let table = try #require(page["t"]), minus = try #require(page["o"]), cell = try #require(page["d"]), a = try #require(page["a"])
    #expect(abs((table[1] + table[3] / 2) - (minus[1] + minus[3] / 2)) < 2)
    #expect(abs((a[0] + a[2] / 2) - (cell[0] + cell[2] / 2)) < 0.05)
  }

  @Test("With a math font brackets stretch to their contents, and sums are larger in display style")
  func stretching() throws {
    let page = try HTMLPage(
      "<math display=block><mo id=a>(</mo><mfrac id=f><mi>a</mi><mfrac><mi>b</mi><mi>c</mi></mfrac></mfrac><mo>)</mo><mo id=s>∑</mo></math>"
        + "<math><mo id=b>(</mo><mi>a</mi><mo>)</mo><mo id=t>∑</mo></math>")
    let tall = try #require(page["a"]), fraction = try #require(page["f"])
    #expect(tall[3] > 40 && tall[3] >= fraction[3] * 0.9 && (page["b"]?[3] ?? 99) < 20)
    #expect((page["s"]?[3] ?? 0) > (page["t"]?[3] ?? 0) * 1.3)
  }

  @Test("Elements nested a thousand times result in a limit error or a page, without a trap")
  func deep() throws {
    for name in ["mrow", "msqrt", "mfrac", "msup", "munder", "mpadded", "mtable"] {
      let text = "<math>" + String(repeating: "<\(name)>", count: 1000) + "<mo>(</mo>"
      _ = try? HTMLPage(text)
    }
  }
}
