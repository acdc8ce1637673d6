import OffprintCSS
import OffprintCoreTypes
import OffprintDOM

// https://drafts.csswg.org/css-ruby-1/#ruby-model, to the extent that Chromium implements it: a ruby column is one base and the annotation
// that follows.
extension BoxTreeBuilder {
  /// Pairs the bases in a ruby container with the annotations that follow them. Content after the last annotation is unchanged.
  func formRubyColumns(_ ruby: inout PendingBox) {
    guard ruby.children.contains(where: isAnnotation) else { return }
    var result: [PendingBox] = []
    var base: [PendingBox] = []
    for child in ruby.children {
      if isAnnotation(child) {
        result.append(rubyColumn(base, annotation: child, inheriting: ruby.box.style))
        base = []
      } else if child.isInFlow || !base.isEmpty {
        base.append(child)
      } else {
        result.append(child)
      }
    }
    ruby.children = result + base
  }

  /// Gives an annotation outside a ruby container an empty base. https://drafts.csswg.org/css-ruby-1/#anon-gen-anon-ruby
  func annotation(_ text: PendingBox, in parent: Box) -> PendingBox {
    switch parent.style.box.display {
    case .ruby, .contents: text
    default: rubyColumn([], annotation: text, inheriting: parent.style)
    }
  }

  private func isAnnotation(_ child: PendingBox) -> Bool { child.box.style.box.display == .rubyText && !child.box.isTextual }

  private func rubyColumn(_ base: [PendingBox], annotation: PendingBox, inheriting style: ComputedStyle) -> PendingBox {
    var column = Box(kind: .blockContainer, style: arena.anonymousStyle(inheriting: style, display: .inlineBlock))
    column.isAnonymous = true
    column.isInlineLevel = true
    column.specialLayout = .rubyColumn
    var block = anonymousBlock(base, inheriting: style)
    block.box.style = rubyPartStyle(block.box.style)
    fixBlockContainer(&block)
    var text = annotation
    text.box.kind = .blockContainer
    text.box.isInlineLevel = false
    text.box.style = rubyPartStyle(text.box.style)
    text.box.hasInlineChildren = false
    fixBlockContainer(&text)
    return PendingBox(column, children: [block, text])
  }

  /// The style that distributes the shorter part of a column over the width of the longer one.
  private func rubyPartStyle(_ style: ComputedStyle) -> ComputedStyle {
    arena.modified(style) {
      var text = style.text
      text.textIndent = .zero
      text.textAlign = .justify
      text.textAlignLast = .justify
      text.textJustify = .auto
      $0.text = arena.allocate(text)
    }
  }
}
