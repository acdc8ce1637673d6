import OffprintCSS
import OffprintCoreTypes

extension ReplacedContent {
  /// Sets the natural size to that of the part shown by `object-view-box`. An empty part is ignored.
  ///
  /// https://drafts.csswg.org/css-images-5/#the-object-view-box
  mutating func show(_ part: BasicShape) {
    guard case .image = kind, case .inset(let sides, _) = part, let width = naturalWidth.map({ Double($0) }), width > 0,
      let height = naturalHeight.map({ Double($0) }), height > 0
    else { return }
    let left = sides.left.resolve(width), top = sides.top.resolve(height)
    let shown = (width: width - left - sides.right.resolve(width), height: height - top - sides.bottom.resolve(height))
    guard shown.width > 0, shown.height > 0, shown.width.isFinite, shown.height.isFinite else { return }
    visiblePart = DisplayRect(x: left / width, y: top / height, width: shown.width / width, height: shown.height / height)
    (naturalWidth, naturalHeight) = (Float(shown.width), Float(shown.height))
    naturalRatio = Float(shown.width / shown.height)
  }
}
