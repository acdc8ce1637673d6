import Offprint

/// A page that shows faces.
enum FontSpecimen {
  private static let style = """
    body { margin: 24px; font: 12px/1.3 sans-serif; color: #111 }
    article { margin: 0 0 18px; padding: 0 0 14px; border-bottom: 1px solid #ddd; break-inside: avoid }
    h2 { margin: 0 0 6px; font: bold 12px/1.3 sans-serif } h2 span { font-weight: normal; color: #666 }
    p { margin: 2px 0; overflow: hidden; white-space: nowrap } .l { font-size: 32px } .m { font-size: 18px } .s { font-size: 12px }
    """

  /// Sample texts; a face is shown with the first one whose script it supports.
  private static let samples: [(script: String, text: String)] = [
    ("math", "∀x∈ℝ ∑ ∫ √2 ≤ ∞ α + β"), ("arab", "نص حكيم له سر قاطع"), ("hebr", "דג סקרן שט בים מאוכזב"),
    ("dev2", "ऋषियों को सताने वाले दुष्ट"), ("beng", "আমি কাচ খেতে পারি"), ("taml", "யாமறிந்த மொழிகளிலே"),
    ("thai", "เป็นมนุษย์สุดประเสริฐ"), ("khmr", "ខ្ញុំអាចញ៉ាំកញ្ចក់បាន"), ("hani", "天地玄黃 いろはに 키스의"), ("grek", "Ξεσκεπάζω την ψυχοφθόρα"),
    ("cyrl", "Съешь же ещё этих"),
  ]

  static func page(_ faces: [FontLibrary.Face]) -> String {
    let parts = faces.map { face in
      let name = escaped(face.postScriptName), own = sample(face)
      return """
        <article><h2>\(escaped(face.fullName)) <span>\(name) · \(face.weightText) · \(face.coverage) characters</span></h2>
        <div style="font-family:'\(name.filter { $0 != "'" && $0 != "\\" })'"><p class=l>\(own)</p>
        <p class=m>Hamburgefonstiv 0123456789 &amp; “äß”</p><p class=s>The quick brown fox jumps over the lazy dog.</p></div></article>
        """
    }
    return "<!doctype html><meta charset=utf-8><style>\(style)</style>" + parts.joined()
  }

  private static func sample(_ face: FontLibrary.Face) -> String {
    if !face.colorTables.isEmpty { return "😀 🚀 ❤️ 🌍 🎉 👍🏽 🇺🇳" }
    if face.scripts.contains("latn") || face.scripts.isEmpty { return escaped(face.family) }
    return samples.first { face.scripts.contains($0.script) }?.text ?? escaped(face.family)
  }

  private static func escaped(_ text: String) -> String {
    text.map { ["&": "&amp;", "<": "&lt;", ">": "&gt;", "\"": "&quot;"][$0] ?? String($0) }.joined()
  }
}
