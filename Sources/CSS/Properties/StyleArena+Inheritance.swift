// https://drafts.csswg.org/css-pseudo-4/#first-line-inheritance
extension StyleArena {
  /// `style` as if it inherited from `new` instead of `old`: properties with equal values in `style` and `old` take those of `new`. The
  /// styles from which fragments of `::first-line` and `::first-letter` inherit are known only during box generation.
  public func reinherited(_ style: ComputedStyle, from old: ComputedStyle, to new: ComputedStyle) -> ComputedStyle {
    let own = style.record.pointee, from = old.record.pointee, to = new.record.pointee
    if from.font == to.font, from.text == to.text { return style }
    return modified(style) {
      if own.font == from.font {
        $0.font = to.font
      } else if from.font != to.font {
        $0.font = allocate(own.font.pointee.reinherited(from: from.font.pointee, to: to.font.pointee))
      }
      if own.text == from.text {
        $0.text = to.text
      } else if from.text != to.text {
        $0.text = allocate(own.text.pointee.reinherited(from: from.text.pointee, to: to.text.pointee))
      }
    }
  }
}

extension FontStyle {
  fileprivate func reinherited(from old: FontStyle, to new: FontStyle) -> FontStyle {
    var result = self
    func take<Value: Equatable>(_ path: WritableKeyPath<FontStyle, Value>) {
      if self[keyPath: path] == old[keyPath: path] { result[keyPath: path] = new[keyPath: path] }
    }
    if size == old.size {
      result.size = new.size
    } else if isSizeRelative, old.size > 0 {
      result.size = size * new.size / old.size
    }
    take(\.families)
    take(\.weight)
    take(\.stretch)
    take(\.slope)
    take(\.kerning)
    take(\.features)
    take(\.variantFeatures)
    take(\.variantAlternates)
    take(\.variations)
    take(\.sizeAdjust)
    take(\.adjustedSize)
    take(\.lineHeight)
    take(\.letterSpacing)
    take(\.wordSpacing)
    take(\.trimsSpacing)
    take(\.spacesIdeographs)
    take(\.language)
    return result
  }
}

extension TextStyle {
  fileprivate func reinherited(from old: TextStyle, to new: TextStyle) -> TextStyle {
    var result = self
    func take<Value: Equatable>(_ path: WritableKeyPath<TextStyle, Value>) {
      if self[keyPath: path] == old[keyPath: path] { result[keyPath: path] = new[keyPath: path] }
    }
    take(\.color)
    take(\.direction)
    take(\.visibility)
    take(\.textTransform)
    take(\.textShadow)
    take(\.underlineOffset)
    take(\.underlinePosition)
    take(\.skipInk)
    take(\.emphasisMark)
    take(\.emphasisColor)
    take(\.emphasisUnder)
    take(\.emphasisLeft)
    take(\.strokeWidth)
    take(\.strokeColor)
    take(\.fillColor)
    take(\.writingMode)
    take(\.textOrientation)
    take(\.textAlign)
    take(\.textAlignLast)
    take(\.textJustify)
    take(\.textIndent)
    take(\.textIndentHanging)
    take(\.textBoxEdge)
    take(\.textIndentEachLine)
    take(\.whiteSpaceCollapse)
    take(\.textWrapMode)
    take(\.textWrapStyle)
    take(\.textFit)
    take(\.tabSize)
    take(\.overflowWrap)
    take(\.wordBreak)
    take(\.lineBreak)
    take(\.hyphens)
    take(\.hyphenateLimits)
    take(\.hyphenateCharacter)
    take(\.textSecurity)
    take(\.listStyleType)
    take(\.listStylePosition)
    take(\.listStyleImage)
    take(\.quotes)
    take(\.captionSide)
    take(\.borderCollapse)
    take(\.borderSpacingHorizontal)
    take(\.borderSpacingVertical)
    take(\.emptyCells)
    take(\.orphans)
    take(\.widows)
    take(\.rubyUnder)
    take(\.rubyAlign)
    take(\.rubyOverhang)
    take(\.textCombineUpright)
    take(\.imageRendering)
    take(\.imageOrientation)
    take(\.colorScheme)
    take(\.accentColor)
    return result
  }
}
