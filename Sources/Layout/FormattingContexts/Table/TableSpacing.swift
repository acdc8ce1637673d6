internal import OffprintCSS
internal import OffprintCoreTypes

extension ComputedStyle {
  /// Chromium floors `border-spacing` to whole pixels; its field is declared in
  /// https://chromium.googlesource.com/chromium/src/+/main/third_party/blink/renderer/core/css/computed_style_extra_fields.json5
  var borderSpacing: LogicalSize {
    LogicalSize(
      inline: LayoutUnit(self.text.borderSpacingHorizontal.rounded(.down)),
      block: LayoutUnit(self.text.borderSpacingVertical.rounded(.down)))
  }
}
