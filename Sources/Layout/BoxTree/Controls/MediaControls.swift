import OffprintCSS
import OffprintCoreTypes
import OffprintDOM

// https://html.spec.whatwg.org/multipage/rendering.html#embedded-content-rendering-rules leaves the appearance of media players to user
// agents. This is Chromium's, before anything is loaded.
extension BoxTreeBuilder {
  /// A media player; no box without `controls`.
  mutating func audio(_ node: NodeID, _ style: ComputedStyle) -> [PendingBox] {
    guard let controls = document.names.lookup(Array("controls".utf8)[...]), isSet(controls, node) else { return [] }
    var box = style.box
    if box.width.isAuto { box.width = .value(.length(300 * style.zoom)) }
    if box.height.isAuto { box.height = .value(.length(54 * style.zoom)) }
    // Clipping makes its lower edge the baseline.
    (box.overflowX, box.overflowY) = (.hidden, .hidden)
    var player = PendingBox(controlBox(arena.modified(style) { $0.box = arena.allocate(box) }, node: node, .fileUpload))
    player.children = [mediaPanel(style)]
    return [player]
  }

  private mutating func mediaPanel(_ style: ComputedStyle) -> PendingBox {
    let plain = arena.anonymousStyle(inheriting: style, display: .flex), words = mediaText(style), unit = style.zoom
    var box = plain.box, background = plain.background, border = plain.border, align = plain.align
    box.height = .value(.percentage(100))
    box.padding = PhysicalSides(top: .zero, right: .length(10 * unit), bottom: .zero, left: .length(10 * unit))
    background.color = .color(Color(r: 241, g: 243, b: 244))
    border.radius = PhysicalCorners(all: CornerRadius(horizontal: .length(100 * unit), vertical: .length(100 * unit)))
    align.alignItems = Alignment(.center)
    var panel = Box(
      kind: .flexContainer,
      style: arena.modified(plain) {
        $0.box = arena.allocate(box)
        $0.background = arena.allocate(background)
        $0.border = arena.allocate(border)
        $0.align = arena.allocate(align)
      })
    panel.isAnonymous = true
    func time(_ text: String, after gap: Float) -> PendingBox {
      editor(Array(text.utf8), words) { $0.margin.left = .value(.length(gap * unit)) }
    }
    let parts = [
      mediaIcon(.play, style), time("0:00", after: 5), time("/ 0:00", after: 4), mediaTrack(style), mediaIcon(.sound, style),
      mediaIcon(.more, style),
    ]
    return PendingBox(panel, children: parts)
  }

  private func mediaText(_ style: ComputedStyle) -> ComputedStyle {
    arena.modified(style) {
      var font = style.font, text = style.text
      font.families = [.named("Arial")]
      (font.size, font.weight, font.lineHeight) = (14 * style.zoom, 400, .normal)
      text.color = Color(red: 0, green: 0, blue: 0, alpha: 0.87)
      $0.font = arena.allocate(font)
      $0.text = arena.allocate(text)
    }
  }

  private mutating func mediaIcon(_ icon: ControlSymbol.MediaIcon, _ style: ComputedStyle) -> PendingBox {
    let plain = arena.anonymousStyle(inheriting: style, display: .block)
    var align = plain.align
    align.flexShrink = 0
    let content = ReplacedContent(
      kind: .control(.media(icon), isDisabled: false), naturalWidth: 32, naturalHeight: 32, naturalRatio: nil)
    return replacedBox(content, node: .none, style: arena.modified(plain) { $0.align = arena.allocate(align) })
  }

  private func mediaTrack(_ style: ComputedStyle) -> PendingBox {
    var track = anonymousBlock([], inheriting: style)
    track.box.hasInlineChildren = false
    let plain = track.box.style, unit = style.zoom
    var box = plain.box, background = plain.background, border = plain.border, align = plain.align
    box.height = .value(.length(4 * unit))
    (box.margin.left, box.margin.right) = (.value(.length(16 * unit)), .value(.length(16 * unit)))
    background.color = .color(Color(red: 0, green: 0, blue: 0, alpha: 0.2))
    border.radius = PhysicalCorners(all: CornerRadius(horizontal: .length(2 * unit), vertical: .length(2 * unit)))
    align.flexGrow = 1
    track.box.style = arena.modified(plain) {
      $0.box = arena.allocate(box)
      $0.background = arena.allocate(background)
      $0.border = arena.allocate(border)
      $0.align = arena.allocate(align)
    }
    return track
  }
}
