internal import OffprintCSS
internal import OffprintCoreTypes

extension ComputedStyle {
  /// Chromium keeps `border-spacing` in whole px, rounded down.
  /// https://chromium.googlesource.com/chromium/src/+/main/third_party/blink/renderer/core/css/computed_style_extra_fields.json5
  var borderSpacing: LogicalSize {
    LogicalSize(
      inline: LayoutUnit(self.text.borderSpacingHorizontal.rounded(.down)),
      block: LayoutUnit(self.text.borderSpacingVertical.rounded(.down)))
  }
}
