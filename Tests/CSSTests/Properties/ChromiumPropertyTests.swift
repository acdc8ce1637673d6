import Testing

@testable import OffprintCSS

/// The properties that `getComputedStyle` of Chromium 156 enumerates.
private let computedByChromium = """
  -webkit-border-horizontal-spacing -webkit-border-image -webkit-border-vertical-spacing -webkit-box-align
  -webkit-box-decoration-break -webkit-box-direction -webkit-box-flex -webkit-box-ordinal-group -webkit-box-orient -webkit-box-pack
  -webkit-box-reflect -webkit-font-smoothing -webkit-line-break -webkit-line-clamp -webkit-locale -webkit-mask-box-image
  -webkit-mask-box-image-outset -webkit-mask-box-image-repeat -webkit-mask-box-image-slice -webkit-mask-box-image-source
  -webkit-mask-box-image-width -webkit-mask-position-x -webkit-mask-position-y -webkit-rtl-ordering -webkit-ruby-position
  -webkit-tap-highlight-color -webkit-text-combine -webkit-text-decorations-in-effect -webkit-text-fill-color
  -webkit-text-orientation -webkit-text-security -webkit-text-stroke-color -webkit-text-stroke-width -webkit-user-drag
  -webkit-user-modify -webkit-writing-mode accent-color align-content align-items align-self alignment-baseline anchor-name
  anchor-scope animation-composition animation-delay animation-direction animation-duration animation-fill-mode
  animation-iteration-count animation-name animation-play-state animation-range-end animation-range-start animation-timeline
  animation-timing-function animation-trigger app-region appearance aspect-ratio backdrop-filter backface-visibility
  background-attachment background-blend-mode background-clip background-color background-image background-origin
  background-position background-repeat background-size baseline-shift baseline-source block-size border-block-end-color
  border-block-end-style border-block-end-width border-block-start-color border-block-start-style border-block-start-width
  border-bottom-color border-bottom-left-radius border-bottom-right-radius border-bottom-style border-bottom-width border-collapse
  border-end-end-radius border-end-start-radius border-image-outset border-image-repeat border-image-slice border-image-source
  border-image-width border-inline-end-color border-inline-end-style border-inline-end-width border-inline-start-color
  border-inline-start-style border-inline-start-width border-left-color border-left-style border-left-width border-right-color
  border-right-style border-right-width border-shape border-start-end-radius border-start-start-radius border-top-color
  border-top-left-radius border-top-right-radius border-top-style border-top-width bottom box-decoration-break box-shadow box-sizing
  break-after break-before break-inside buffered-rendering caption-side caret-animation caret-color caret-shape clear clip clip-path
  clip-rule color color-interpolation color-interpolation-filters color-rendering color-scheme column-count column-fill column-gap
  column-height column-rule-break column-rule-color column-rule-inset-cap-end column-rule-inset-cap-start
  column-rule-inset-junction-end column-rule-inset-junction-start column-rule-style column-rule-visibility-items column-rule-width
  column-span column-width column-wrap contain contain-intrinsic-block-size contain-intrinsic-height contain-intrinsic-inline-size
  contain-intrinsic-size contain-intrinsic-width container-name container-type content content-visibility corner-bottom-left-shape
  corner-bottom-right-shape corner-end-end-shape corner-end-start-shape corner-start-end-shape corner-start-start-shape
  corner-top-left-shape corner-top-right-shape counter-increment counter-reset counter-set cursor cx cy d direction display
  dominant-baseline dynamic-range-limit empty-cells field-sizing fill fill-opacity fill-rule filter flex-basis flex-direction
  flex-grow flex-line-count flex-shrink flex-wrap float flood-color flood-opacity font-family font-feature-settings font-kerning
  font-language-override font-optical-sizing font-palette font-size font-size-adjust font-stretch font-style
  font-synthesis-small-caps font-synthesis-style font-synthesis-weight font-variant font-variant-alternates font-variant-caps
  font-variant-east-asian font-variant-emoji font-variant-ligatures font-variant-numeric font-variant-position
  font-variation-settings font-weight forced-color-adjust frame-sizing grid-auto-columns grid-auto-flow grid-auto-rows
  grid-column-end grid-column-start grid-row-end grid-row-start grid-template-areas grid-template-columns grid-template-rows height
  hyphenate-character hyphenate-limit-chars hyphens image-orientation image-rendering initial-letter inline-size inset-block-end
  inset-block-start inset-inline-end inset-inline-start interactivity interest-delay-end interest-delay-start interpolate-size
  isolation justify-content justify-items justify-self left letter-spacing lighting-color line-break line-height list-style-image
  list-style-position list-style-type margin-block-end margin-block-start margin-bottom margin-inline-end margin-inline-start
  margin-left margin-right margin-top margin-trim marker-end marker-mid marker-start mask-clip mask-composite mask-image mask-mode
  mask-origin mask-position mask-repeat mask-size mask-type math-depth math-shift math-style max-block-size max-height
  max-inline-size max-width min-block-size min-height min-inline-size min-width mix-blend-mode object-fit object-position
  object-view-box offset-anchor offset-distance offset-path offset-position offset-rotate opacity order orphans outline-color
  outline-offset outline-style outline-width overflow-anchor overflow-block overflow-clip-margin overflow-inline overflow-wrap
  overflow-x overflow-y overlay overscroll-behavior-block overscroll-behavior-inline overscroll-behavior-x overscroll-behavior-y
  padding-block-end padding-block-start padding-bottom padding-inline-end padding-inline-start padding-left padding-right
  padding-top paint-order perspective perspective-origin pointer-events position position-anchor position-area
  position-try-fallbacks position-try-order position-visibility print-color-adjust quotes r reading-flow reading-order resize right
  rotate row-gap row-rule-break row-rule-color row-rule-inset-cap-end row-rule-inset-cap-start row-rule-inset-junction-end
  row-rule-inset-junction-start row-rule-style row-rule-visibility-items row-rule-width ruby-align ruby-overhang ruby-position
  rule-overlap rx ry scale scroll-axis-lock scroll-behavior scroll-initial-target scroll-margin-block-end scroll-margin-block-start
  scroll-margin-bottom scroll-margin-inline-end scroll-margin-inline-start scroll-margin-left scroll-margin-right scroll-margin-top
  scroll-marker-group scroll-padding-block-end scroll-padding-block-start scroll-padding-bottom scroll-padding-inline-end
  scroll-padding-inline-start scroll-padding-left scroll-padding-right scroll-padding-top scroll-snap-align scroll-snap-stop
  scroll-snap-type scroll-target-group scroll-timeline-axis scroll-timeline-name scrollbar-color scrollbar-gutter scrollbar-width
  shape-image-threshold shape-margin shape-outside shape-rendering speak stop-color stop-opacity stroke stroke-dasharray
  stroke-dashoffset stroke-linecap stroke-linejoin stroke-miterlimit stroke-opacity stroke-width tab-size table-layout text-align
  text-align-last text-anchor text-autospace text-box-edge text-box-trim text-combine-upright text-decoration text-decoration-color
  text-decoration-line text-decoration-skip-ink text-decoration-style text-decoration-thickness text-emphasis-color
  text-emphasis-position text-emphasis-style text-fit text-indent text-justify text-orientation text-overflow text-rendering
  text-shadow text-size-adjust text-spacing-trim text-transform text-underline-offset text-underline-position text-wrap-mode
  text-wrap-style timeline-scope timeline-trigger-activation-range-end timeline-trigger-activation-range-start
  timeline-trigger-active-range-end timeline-trigger-active-range-start timeline-trigger-name timeline-trigger-source top
  touch-action transform transform-box transform-origin transform-style transition-behavior transition-delay transition-duration
  transition-property transition-timing-function translate trigger-scope unicode-bidi user-select vector-effect vertical-align
  view-timeline-axis view-timeline-inset view-timeline-name view-transition-class view-transition-group view-transition-name
  view-transition-scope visibility white-space-collapse widows width will-change window-drag word-break word-spacing writing-mode x
  y z-index zoom
  """

@Suite("Properties of Chromium")
struct ChromiumPropertyTests {
  /// Authors cannot set it: Chromium computes it from `text-decoration` of the ancestors.
  private static let internalNames: Set<String> = ["-webkit-text-decorations-in-effect"]

  private var names: [String] { computedByChromium.split(whereSeparator: \.isWhitespace).map(String.init) }

  /// The longhands that a declaration of `name` sets; nil if the name is unknown.
  private func longhands(_ name: String) -> [String]? {
    let table = PropertyTable.shared
    guard let entry = table.lookup(Array(name.utf8)[...]) else { return nil }
    var result: [String] = []
    table.forEachLonghand(of: entry) { result.append("\(table[$0].name)") }
    return result
  }

  @Test("Each property is reported, or is a shorthand of reported ones")
  func areReported() {
    let fixture = StyleFixture(reportsAll: true)
    let values = StyleEngine.computedValues(of: fixture.style("display: block"), names: fixture.interner.table)
    let reported = Set(values.map(\.name))
    let unknown = names.filter { name in
      guard !reported.contains(name), !Self.internalNames.contains(name) else { return false }
      return !(longhands(name).map { !$0.isEmpty && reported.isSuperset(of: $0) } ?? false)
    }
    #expect(names.count == 479)
    #expect(unknown == [])
  }

  @Test("The support page has Chromium versions for known properties only")
  func versions() {
    let versions = PropertyTable.firstVersions
    #expect(versions.keys.map(\.text).filter { $0 != "--*" && $0 != "all" && longhands($0) == nil }.sorted() == [])
    #expect(versions.values.allSatisfy { (1...156).contains($0) })
    #expect(versions["corner-shape"] == 139 && versions["color"] == 1)
  }
}
