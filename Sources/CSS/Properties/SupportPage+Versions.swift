import OffprintCoreTypes

extension PropertyTable {
  /// The first version of Chromium, or of Chrome before it, that supports each property without a prefix, as far as it is known.
  ///
  /// https://github.com/mdn/browser-compat-data
  private static let versions: [(version: Int, names: String)] = [
    (
      1,
      """
      -webkit-box-align -webkit-box-direction -webkit-box-flex -webkit-box-ordinal-group -webkit-box-orient -webkit-box-pack
      -webkit-text-fill-color -webkit-text-stroke -webkit-text-stroke-color -webkit-text-stroke-width -webkit-user-modify
      alignment-baseline background background-attachment background-clip background-color background-image background-origin
      background-position background-position-x background-position-y background-repeat baseline-shift border border-bottom
      border-bottom-color border-bottom-style border-bottom-width border-collapse border-color border-left border-left-color
      border-left-style border-left-width border-right border-right-color border-right-style border-right-width border-spacing
      border-style border-top border-top-color border-top-style border-top-width border-width bottom caption-side clear clip
      clip-rule color color-interpolation content cursor direction display dominant-baseline empty-cells fill fill-opacity
      fill-rule float font font-family font-size font-style font-variant font-weight height left letter-spacing line-height
      list-style list-style-image list-style-position list-style-type margin margin-bottom margin-left margin-right margin-top
      marker marker-end marker-mid marker-start max-height max-width min-height min-width opacity outline outline-color
      outline-offset outline-style outline-width overflow overflow-x overflow-y padding padding-bottom padding-left padding-right
      padding-top page-break-after page-break-before page-break-inside pointer-events position resize right shape-rendering
      stop-color stop-opacity stroke stroke-dasharray stroke-dashoffset stroke-linecap stroke-linejoin stroke-miterlimit
      stroke-opacity stroke-width table-layout text-align text-anchor text-decoration text-indent text-overflow text-transform top
      vertical-align visibility white-space width word-break word-spacing z-index zoom
      """
    ),
    (2, "counter-increment counter-reset text-shadow unicode-bidi"),
    (3, "background-size"),
    (
      4,
      """
      -webkit-box-reflect border-bottom-left-radius border-bottom-right-radius border-radius border-top-left-radius
      border-top-right-radius text-rendering
      """
    ),
    (5, "color-interpolation-filters flood-color flood-opacity lighting-color"),
    (6, "-webkit-line-clamp vector-effect"),
    (10, "box-shadow box-sizing"),
    (11, "quotes"),
    (15, "border-image border-image-outset border-image-repeat border-image-slice border-image-source border-image-width"),
    (21, "tab-size"),
    (23, "overflow-wrap"),
    (24, "mask-type"),
    (25, "orphans widows"),
    (26, "transition transition-delay transition-duration transition-property transition-timing-function"),
    (
      29,
      """
      align-content align-items align-self flex flex-basis flex-direction flex-flow flex-grow flex-shrink flex-wrap
      justify-content order
      """
    ),
    (32, "object-fit object-position"),
    (33, "font-kerning text-underline-position"),
    (34, "font-variant-ligatures"),
    (35, "background-blend-mode paint-order"),
    (
      36,
      """
      backface-visibility perspective perspective-origin touch-action transform transform-origin transform-style will-change
      """
    ),
    (37, "all shape-image-threshold shape-margin shape-outside"),
    (41, "image-rendering isolation mix-blend-mode"),
    (
      43,
      """
      animation animation-delay animation-direction animation-duration animation-fill-mode animation-iteration-count
      animation-name animation-play-state animation-timing-function cx cy r rx ry x y
      """
    ),
    (47, "text-align-last"),
    (48, "font-feature-settings text-combine-upright text-orientation writing-mode"),
    (49, "--*"),
    (
      50,
      """
      break-after break-before break-inside column-count column-fill column-gap column-rule column-rule-color column-rule-style
      column-rule-width column-span column-width columns
      """
    ),
    (52, "contain d font-variant-caps font-variant-numeric"),
    (53, "filter"),
    (54, "text-size-adjust user-select"),
    (55, "clip-path offset offset-distance offset-path"),
    (56, "offset-rotate overflow-anchor"),
    (
      57,
      """
      block-size caret-color grid grid-area grid-auto-columns grid-auto-flow grid-auto-rows grid-column grid-column-end
      grid-column-start grid-row grid-row-end grid-row-start grid-template grid-template-areas grid-template-columns
      grid-template-rows inline-size justify-items justify-self max-block-size max-inline-size min-block-size min-inline-size
      text-decoration-color text-decoration-line text-decoration-style
      """
    ),
    (58, "line-break"),
    (59, "place-content place-items place-self"),
    (60, "font-stretch"),
    (61, "scroll-behavior"),
    (62, "font-variation-settings"),
    (63, "font-variant-east-asian overscroll-behavior overscroll-behavior-x overscroll-behavior-y"),
    (64, "text-decoration-skip-ink transform-box"),
    (66, "gap row-gap"),
    (
      69,
      """
      border-block-end border-block-end-color border-block-end-style border-block-end-width border-block-start
      border-block-start-color border-block-start-style border-block-start-width border-inline-end border-inline-end-color
      border-inline-end-style border-inline-end-width border-inline-start border-inline-start-color border-inline-start-style
      border-inline-start-width margin-block-end margin-block-start margin-inline-end margin-inline-start padding-block-end
      padding-block-start padding-inline-end padding-inline-start scroll-margin scroll-margin-block scroll-margin-block-end
      scroll-margin-block-start scroll-margin-bottom scroll-margin-inline scroll-margin-inline-end scroll-margin-inline-start
      scroll-margin-left scroll-margin-right scroll-margin-top scroll-padding scroll-padding-block scroll-padding-block-end
      scroll-padding-block-start scroll-padding-bottom scroll-padding-inline scroll-padding-inline-end scroll-padding-inline-start
      scroll-padding-left scroll-padding-right scroll-padding-top scroll-snap-align scroll-snap-type
      """
    ),
    (75, "scroll-snap-stop"),
    (76, "backdrop-filter"),
    (77, "overscroll-behavior-block overscroll-behavior-inline"),
    (79, "font-optical-sizing"),
    (81, "color-scheme image-orientation"),
    (83, "contain-intrinsic-height contain-intrinsic-size contain-intrinsic-width"),
    (84, "appearance ruby-position"),
    (85, "content-visibility counter-set page"),
    (
      87,
      """
      border-block border-block-color border-block-style border-block-width border-inline border-inline-color border-inline-style
      border-inline-width inset inset-block inset-block-end inset-block-start inset-inline inset-inline-end inset-inline-start
      margin-block margin-inline padding-block padding-inline text-underline-offset
      """
    ),
    (88, "aspect-ratio hyphens"),
    (
      89,
      """
      border-end-end-radius border-end-start-radius border-start-end-radius border-start-start-radius forced-color-adjust
      text-decoration-thickness
      """
    ),
    (90, "overflow-clip-margin"),
    (93, "accent-color"),
    (94, "scrollbar-gutter"),
    (95, "contain-intrinsic-block-size contain-intrinsic-inline-size"),
    (97, "font-synthesis font-synthesis-small-caps font-synthesis-style font-synthesis-weight"),
    (99, "text-emphasis text-emphasis-color text-emphasis-position text-emphasis-style"),
    (101, "font-palette"),
    (104, "object-view-box rotate scale translate"),
    (105, "container container-name container-type"),
    (106, "hyphenate-character"),
    (109, "hyphenate-limit-chars math-depth math-shift math-style"),
    (110, "initial-letter"),
    (111, "baseline-source font-variant-alternates view-transition-name"),
    (112, "animation-composition"),
    (114, "text-wrap white-space-collapse"),
    (
      115,
      """
      animation-range animation-range-end animation-range-start animation-timeline scroll-timeline scroll-timeline-axis
      scroll-timeline-name view-timeline view-timeline-axis view-timeline-inset view-timeline-name
      """
    ),
    (116, "offset-anchor offset-position timeline-scope"),
    (117, "font-variant-position overlay transition-behavior"),
    (120, "mask mask-clip mask-composite mask-image mask-mode mask-origin mask-position mask-repeat mask-size"),
    (121, "scrollbar-color scrollbar-width"),
    (123, "field-sizing text-spacing-trim"),
    (125, "anchor-name position-anchor position-try position-try-order position-visibility view-transition-class"),
    (127, "font-size-adjust"),
    (128, "position-try-fallbacks ruby-align"),
    (129, "interpolate-size position-area"),
    (130, "box-decoration-break text-wrap-mode text-wrap-style"),
    (131, "anchor-scope font-variant-emoji"),
    (133, "scroll-initial-target text-box text-box-edge text-box-trim"),
    (135, "interactivity overflow-block overflow-inline scroll-marker-group"),
    (136, "dynamic-range-limit print-color-adjust"),
    (137, "reading-flow reading-order"),
    (
      139,
      """
      caret-animation corner-block-end-shape corner-block-start-shape corner-bottom-left-shape corner-bottom-right-shape
      corner-bottom-shape corner-end-end-shape corner-end-start-shape corner-inline-end-shape corner-inline-start-shape
      corner-left-shape corner-right-shape corner-shape corner-start-end-shape corner-start-start-shape corner-top-left-shape
      corner-top-right-shape corner-top-shape
      """
    ),
    (140, "scroll-target-group text-autospace view-transition-group"),
    (142, "interest-delay interest-delay-end interest-delay-start"),
    (144, "caret-shape"),
    (145, "column-height column-wrap"),
  ]

  /// By name.
  static let firstVersions: [ByteString: Int] = {
    var result: [ByteString: Int] = [:]
    for (version, names) in versions {
      for name in names.splitOnASCIIWhitespace() { result[ByteString(name)] = version }
    }
    return result
  }()
}
