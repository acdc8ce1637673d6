import OffprintCoreTypes
import Foundation
import OffprintTestSupport
import Testing

@testable import Offprint

@Suite("Automatic hyphenation")
struct DividedWordsTests {
  private let folder: TemporaryFolder
  private let renderer: Renderer

  init() throws {
    let folder = try TemporaryFolder()
    try Data("UTF-8\nhy3ph\nhe2n\nhena4\nhen5at\n1na\nn2at\n1tio\n2io\no2n\n".utf8).write(
      to: URL(fileURLWithPath: folder("hyph_en_US.dic")))
    self.folder = folder
    renderer = try Renderer.alone { $0.fontFolders = [folder("")] }
  }

  private func draw(_ text: String, _ style: String, language: String = "en", _ renderer: Renderer? = nil) throws -> [UInt8] {
    var request = RenderRequest(
      html: "<body style='margin:0'><div lang=\(language) style='font:16px/20px Liberation Sans;\(style)'>\(text)</div>")
    request.width = .px(200)
    return try (renderer ?? self.renderer).renderAndWait(request).image
  }

  @Test(
    "hyphens: auto breaks words where their dictionary does, with the hyphen of a soft hyphen",
    arguments: [
      ("a hyphenation hyphenation", "a hy&shy;phen&shy;ation hy&shy;phen&shy;ation", "width:80px"),
      ("hyphenation nation", "hy&shy;phen&shy;ation na&shy;tion", "width:30px"),
      ("hyphenation nation", "hy&shy;phen&shy;ation na&shy;tion", "width:min-content"),
      ("hyphenation hyphenation", "hy&shy;phen&shy;ation hy&shy;phen&shy;ation", "width:70px;text-align:justify;hyphenate-character:\"=\""),
      ("(hyphenation) hyphenation", "(hy&shy;phen&shy;ation) hy&shy;phen&shy;ation", "width:70px;direction:rtl"),
      ("hyphenation nation", "hy&shy;phen&shy;ation nation", "width:30px;hyphenate-limit-chars:7"),
      ("hyphenation", "hyphen&shy;ation", "width:60px;hyphenate-limit-chars:auto 3"),
      ("a <b>nation</b> na<i>tion</i>", "a <b>na&shy;tion</b> na<i>tion</i>", "width:20px"),
      ("Hyphenation na&shy;tion", "Hyphenation na&shy;tion", "width:20px"),
    ])
  func divided(automatic: String, manual: String, style: String) throws {
    #expect(try draw(automatic, style + ";hyphens:auto") == draw(manual, style + ";hyphens:manual"))
    #expect(try draw(automatic, style) == draw(automatic, style + ";hyphens:auto", language: "fr"))
  }

  @Test("hyphens: auto breaks no words without a dictionary, and a dictionary is part of the key")
  func none() throws {
    let other = try Renderer.alone()
    #expect(try draw("hyphenation", "width:30px;hyphens:auto", other) == draw("hyphenation", "width:30px", other))
    #expect(try draw("hyphenation", "width:30px;hyphens:auto") != draw("hyphenation", "width:30px"))
    #expect(try draw("hyphenation", "width:30px;white-space:nowrap;hyphens:auto") == draw("hyphenation", "width:30px;white-space:nowrap"))
    let request = RenderRequest(html: "a")
    #expect(try other.renderAndWait(request).key != renderer.renderAndWait(request).key)
  }
}
