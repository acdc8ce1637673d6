import OffprintCoreTypes
import OffprintDOM

/// The user agent style sheet: that of the HTML standard with Chromium's differences.
///
/// https://html.spec.whatwg.org/multipage/rendering.html
enum UserAgentSheet {
  /// The rules for the document in `tree`. If it contains none of `rareNames`, the rules that can match only those elements are omitted.
  /// They are most of the style sheet, and parsing them is a considerable part of the cost of a small page in a new process.
  static func standard(for tree: ElementTree) -> RuleSet {
    tree.elements.contains { isRare($0.name) } ? standardSheet.rules : commonSheet.rules
  }
  static var quirks: RuleSet { quirksSheet.rules }

  /// Parsed once per process. All names in the style sheet must be predefined, so that the rules are valid for any document.
  struct Parsed: Sendable {
    let rules: RuleSet
    let problems: [Diagnostic]
    let namesBeyondKnown: Int
  }
  static let standardSheet = parse(sections.map(\.text).joined(), quirks: false)
  /// The style sheet for documents without rare elements, with rules in the same order.
  static let commonSheet = parse(sections.filter { !$0.isRare }.map(\.text).joined(), quirks: false)
  static let quirksSheet = parse(quirksText, quirks: true)
  /// Rules for pages with scroll buttons or markers.
  static var scrollParts: RuleSet { scrollPartsSheet.rules }
  private static let scrollPartsSheet = parse(scrollPartsText, quirks: false)

  /// A sequence of rules.
  private struct Section {
    /// Whether the rules match only elements of `rareNames`, their descendants and their pseudo-elements.
    var isRare: Bool
    var text: String

    static func common(_ text: String) -> Section { Section(isRare: false, text: text) }
    static func rare(_ text: String) -> Section { Section(isRare: true, text: text) }
  }

  /// Lists, tables, form controls, frames and the like.
  static let rareNames = [
    "bdo", "button", "caption", "center", "col", "colgroup", "dd", "details", "dialog", "dir", "dl", "embed", "fieldset", "hr", "iframe",
    "input", "legend", "li", "marquee", "menu", "meter", "ol", "optgroup", "option", "progress", "q", "rt", "ruby", "select", "slot",
    "summary", "table", "tbody", "td", "textarea", "tfoot", "th", "thead", "tr", "ul", "video",
  ]

  /// By index of predefined names.
  private static let rare: [Bool] = {
    var table = Array(repeating: false, count: NameTable.known.count)
    for name in rareNames { if let known = NameTable.known.lookup(Array(name.utf8)[...]) { table[Int(known.raw)] = true } }
    return table
  }()

  private static func isRare(_ name: Name) -> Bool { Int(name.raw) < rare.count && rare[Int(name.raw)] }

  private static func parse(_ text: String, quirks: Bool) -> Parsed {
    let meter = WorkMeter(deadline: .never)
    let context = StyleSheetContext(
      names: NameInterner(table: .known), quirks: quirks, media: MediaEnvironment(width: 800, height: 600), loader: { _ in nil },
      ruleLimit: .max, meter: meter, origin: .userAgent)
    var builder = RuleSetBuilder()
    var diagnostics = DiagnosticLog()
    // Nothing is thrown without a deadline.
    try? StyleSheetParser.parse(StyleSheetSource(bytes: Array(text.utf8)), context: context, into: &builder, diagnostics: &diagnostics)
    return Parsed(
      rules: RuleSet(builder, meter: meter), problems: diagnostics.entries,
      namesBeyondKnown: context.names.table.count - NameTable.known.count)
  }

  private static let sections: [Section] = [
    .common(
      """
      @namespace "http://www.w3.org/1999/xhtml";
      html { display: block }
      head, link, meta, script, style, title, base, template, area, datalist, noembed, noframes, param, rp, source, track, basefont {
        display: none }

      """),
    .rare(
      """
      input[type=hidden i] { display: none !important }

      """),
    .common(
      """
      [hidden]:not([hidden=until-found i]) { display: none }
      [hidden=until-found i] { content-visibility: hidden }

      """),
    .rare(
      """
      embed[hidden] { display: inline; height: 0; width: 0 }

      """),
    .common(
      """
      dialog:not([open]), [popover]:not(dialog) { display: none }
      [contenteditable]:not([contenteditable=false i]) { overflow-wrap: break-word }
      body { display: block; margin: 8px }
      address, article, aside, blockquote, center, dd, details, dialog, dir, div, dl, dt, fieldset, figcaption, figure, footer, form, header,
      hgroup, hr, legend, listing, main, menu, nav, ol, optgroup, option, p, plaintext, pre, search, section, summary, ul, xmp, h1, h2,
      h3, h4, h5, h6, frameset, frame { display: block }
      p { margin-block: 1__qem }
      dl { margin-block: 1__qem 1em }
      blockquote { margin-block: 1__qem 1em; margin-inline: 40px }
      figure { margin-block: 1em; margin-inline: 40px }

      """),
    .rare(
      """
      dir, menu, ol, ul { margin-block: 1__qem 1em; padding-inline-start: 40px; counter-reset: list-item }
      dd { margin-inline-start: 40px }
      dir, menu, ul { list-style-type: disc }
      ol { list-style-type: decimal }
      :is(dir, menu, ol, ul) :is(dir, menu, ul) { list-style-type: circle }
      :is(dir, menu, ol, ul) :is(dir, menu, ol, ul) :is(dir, menu, ul) { list-style-type: square }
      :is(dir, dl, menu, ol, ul) :is(dir, dl, menu, ol, ul) { margin-block: 0 }
      li { display: list-item }

      """),
    .common(
      """
      ::marker { unicode-bidi: isolate; font-variant-numeric: tabular-nums; text-transform: none; text-indent: 0;
        text-align: start !important; text-align-last: auto !important }
      h1, h2, h3, h4, h5, h6 { font-weight: bold }
      h1 { font-size: 2em; margin-block: 0.67__qem 0.67em }
      h2 { font-size: 1.5em; margin-block: 0.83__qem 0.83em }
      h3 { font-size: 1.17em; margin-block: 1__qem 1em }
      h4 { margin-block: 1.33__qem 1.33em }
      h5 { font-size: 0.83em; margin-block: 1.67__qem 1.67em }
      h6 { font-size: 0.67em; margin-block: 2.33__qem 2.33em }

      """),
    .rare(
      """
      center { text-align: -webkit-center }
      hr { overflow: hidden; unicode-bidi: isolate; margin-block: 0.5em; margin-inline: auto; border: 1px inset; color: gray }

      """),
    .common(
      """
      a:-webkit-any-link { color: light-dark(#0000ee, #9e9eff); text-decoration: underline }
      a:visited { color: light-dark(#551a8b, #d0adf0) }
      strong, b { font-weight: bolder }
      i, cite, em, var, address, dfn { font-style: italic }
      tt, code, kbd, samp { font-family: monospace; font-size: 1em }
      pre, xmp, plaintext, listing { font-family: monospace; font-size: 1em; white-space: pre; margin-block: 1__qem }
      mark { background-color: yellow; color: black }
      big { font-size: larger }
      small { font-size: smaller }
      s, strike, del { text-decoration: line-through }
      u, ins { text-decoration: underline }
      abbr[title], acronym[title] { text-decoration: dotted underline }
      sub { vertical-align: sub; font-size: smaller }
      sup { vertical-align: super; font-size: smaller }
      nobr { white-space: nowrap }
      wbr { display: inline }

      """),
    .rare(
      """
      q { display: inline }
      q::before { content: open-quote }
      q::after { content: close-quote }
      ruby { display: ruby; text-indent: 0 }
      rt { text-indent: 0; line-height: normal; text-emphasis: none }
      ruby > rt { display: ruby-text; font-size: 50%; text-align: start }
      marquee { display: inline-block; inline-size: stretch; overflow: hidden; text-align: start; white-space: nowrap; text-indent: 100% }
      table { display: table; border-collapse: separate; border-spacing: 2px; box-sizing: border-box; text-indent: 0 }
      thead { display: table-header-group; vertical-align: middle; border-color: inherit }
      tbody { display: table-row-group; vertical-align: middle; border-color: inherit }
      tfoot { display: table-footer-group; vertical-align: middle; border-color: inherit }
      table > tr { vertical-align: middle }
      col { display: table-column }
      colgroup { display: table-column-group }
      tr { display: table-row; vertical-align: inherit; border-color: inherit }
      td, th { display: table-cell; vertical-align: inherit; padding: 1px }
      th { font-weight: bold }
      caption { display: table-caption; text-align: -webkit-center }
      :is(table, thead, tbody, tfoot, tr) > form { display: none !important }

      """),
    .common(
      """
      img, video, canvas, iframe, embed, object { overflow: clip }

      """),
    .rare(
      """
      video { object-fit: contain }

      """),
    .common(
      """
      img:is([sizes="auto" i], [sizes^="auto," i]) { contain: size; contain-intrinsic-size: 300px 150px }

      """),
    .rare(
      """
      iframe { border: 2px inset }
      details > summary:first-of-type { display: list-item; counter-increment: list-item 0; list-style: disclosure-closed inside }
      details[open] > summary:first-of-type { list-style-type: disclosure-open }
      details::details-content { display: block }
      details:not([open])::details-content { content-visibility: hidden }
      dialog { position: absolute; inset-inline: 0; width: fit-content; height: fit-content; background-color: Canvas; color: CanvasText;
        margin: auto; border: solid; padding: 1em }
      slot { display: contents }
      fieldset { margin-inline: 2px; border: 2px groove ButtonFace; padding-block: 0.35em 0.625em;
        padding-inline: 0.75em; min-inline-size: min-content }
      legend { padding-inline: 2px }

      """),
    .common(
      """
      [dir=ltr i] { direction: ltr }
      [dir=rtl i] { direction: rtl }
      [dir] { unicode-bidi: isolate }
      bdi, output { unicode-bidi: isolate }

      """),
    .rare(
      """
      bdo { unicode-bidi: isolate-override }

      """),
    .common(
      """
      address, blockquote, center, dialog, div, figure, figcaption, footer, form, header, hr, legend, listing, main, p, plaintext, pre,
      search, xmp, article, aside, h1, h2, h3, h4, h5, h6, hgroup, nav, section, table, caption, colgroup, col, thead, tbody, tfoot, tr, td, th,
      dir, dd, dl, dt, menu, ol, ul, li, fieldset, details, summary, optgroup, option { unicode-bidi: isolate }
      bdi:not([dir]), [dir=auto i], input[type=tel i]:not([dir]) { unicode-bidi: isolate }

      """),
    .rare(
      """
      bdo[dir] { unicode-bidi: isolate-override }

      """),
    .common(
      """
      textarea[dir=auto i], pre[dir=auto i] { unicode-bidi: plaintext }

      """),
    .rare(
      """
      ::placeholder { color: #757575; display: block }
      input::placeholder { white-space: pre; overflow-wrap: normal; overflow: hidden }

      """),
    .rare(controls), .rare(baseSelects),
  ]

  private static let controls = """
    input, textarea, select, button { margin: 0; font: 400 13.3333px Arial; color: FieldText; letter-spacing: normal;
      word-spacing: normal; line-height: normal; text-transform: none; text-indent: 0; text-shadow: none; display: inline-block;
      text-align: start; appearance: auto }
    input { padding-block: 1px; padding-inline: 2px; border: 2px inset light-dark(#767676, #858585); background-color: Field;
      overflow: clip }
    textarea { border: 1px solid light-dark(#767676, #858585); padding: 2px; background-color: Field; white-space: pre-wrap;
      overflow-wrap: break-word; overflow: auto; font-family: monospace; resize: both }
    input[type=checkbox i], input[type=radio i] { margin: 3px 3px 3px 4px; padding: 0; border: none; background-color: transparent;
      box-sizing: border-box }
    input[type=radio i] { margin: 3px 3px 0 5px }
    input[type=range i] { margin: 2px; padding: 0; border: none; overflow: visible; background-color: transparent; color: #9d968e }
    input[type=color i] { padding: 1px 2px; border: 1px solid ButtonBorder; box-sizing: border-box; inline-size: 50px;
      block-size: 27px; background-color: ButtonFace }
    input[type=file i] { padding: 0; border: none; background-color: transparent; text-overflow: ellipsis; text-align: start !important;
      white-space: nowrap }
    ::file-selector-button { appearance: auto; margin-inline-end: 4px; font: 400 1em Arial; letter-spacing: normal; word-spacing: normal;
      text-transform: none; text-indent: 0; text-shadow: none }
    input[type=image i] { padding: 0; border: none; background-color: transparent }
    input:is([type=date i], [type=datetime-local i], [type=month i], [type=time i], [type=week i]) { font-family: monospace;
      padding: 0; padding-inline-start: 1px; direction: ltr }
    input[type=search i] { outline-offset: -2px; box-sizing: border-box }
    input[type=submit i], input[type=reset i], input[type=button i], button, ::file-selector-button { text-align: center;
      padding-block: 1px; padding-inline: 6px; border: 2px outset ButtonBorder; box-sizing: border-box; background-color: ButtonFace;
      color: ButtonText }
    input[type=submit i], input[type=reset i], input[type=button i] { white-space: pre }
    input:is([type=submit i], [type=reset i], [type=button i], [type=color i]):disabled, button:disabled {
      color: light-dark(rgba(16, 16, 16, 0.3), rgba(255, 255, 255, 0.3));
      background-color: light-dark(rgba(239, 239, 239, 0.3), #363636);
      border-color: light-dark(rgba(118, 118, 118, 0.3), rgba(54, 54, 54, 0.99)) }
    input:disabled, textarea:disabled { color: light-dark(#545454, #aaaaaa);
      background-color: light-dark(rgba(239, 239, 239, 0.3), #3b3b3b); border-color: light-dark(rgba(118, 118, 118, 0.3), #626262) }
    input[type=file i]:disabled::file-selector-button { color: light-dark(rgba(16, 16, 16, 0.3), rgba(255, 255, 255, 0.3));
      background-color: light-dark(rgba(239, 239, 239, 0.3), #363636); border-color: light-dark(rgba(118, 118, 118, 0.3), rgba(54, 54, 54, 0.99)) }
    input[type=checkbox i]:disabled, input[type=radio i]:disabled, input[type=range i]:disabled, input[type=file i]:disabled,
    input[type=image i]:disabled { background-color: transparent }
    input[type=range i]:disabled { color: #c5c5c5 }
    select { border: 1px solid light-dark(#767676, #858585); border-radius: 0; box-sizing: border-box; white-space: pre;
      background-color: ButtonFace; overflow-x: hidden; overflow-y: hidden }
    select:is([multiple], [size]:not([size="0"], [size="1"])) { overflow-y: auto; border-radius: 2px; background-color: Field;
      vertical-align: text-bottom }
    select:disabled { color: #808080; border-color: light-dark(rgba(118, 118, 118, 0.3), #626262); opacity: 0.7 }
    option:disabled, optgroup:disabled, optgroup:disabled option { color: light-dark(#808080, #aaaaaa) }
    option { padding-block: 0 1px; padding-inline: 2px; white-space: nowrap; min-block-size: 1.2em }
    select:not(:-internal-base-select):is([multiple], [size]:not([size="0"], [size="1"])) :is(option, optgroup) {
      line-height: normal !important }
    optgroup { font-weight: bolder }
    optgroup option { font-weight: normal; padding-inline-start: 20px }
    select:not(:-internal-base-select):is([multiple], [size]:not([size="0"], [size="1"])) option:checked { background-color: light-dark(#cecece, #545454);
      color: light-dark(#101010, #ffffff) }
    meter, progress { display: inline-block; appearance: auto; box-sizing: border-box; block-size: 1em; inline-size: 5em;
      vertical-align: -0.2em }
    progress { inline-size: 10em }
    input[type=range i]::-webkit-slider-runnable-track { display: block; box-sizing: border-box; flex: 1; min-inline-size: 0;
      align-self: center }
    input[type=range i]::-webkit-slider-thumb { display: block; box-sizing: border-box; appearance: auto }
    progress::-webkit-progress-bar { display: block; box-sizing: border-box; height: 100%; background-color: gray }
    progress::-webkit-progress-value { display: block; box-sizing: border-box; height: 100%; background-color: green }
    meter::-webkit-meter-bar { display: block; box-sizing: border-box; width: 100%; height: 50%;
      background: linear-gradient(#ddd, #eee 20%, #ccc 45%, #ccc 55%, #ddd) }
    meter::-webkit-meter-optimum-value { display: block; box-sizing: border-box; height: 100%;
      background: linear-gradient(#ad7, #cea 20%, #7a3 45%, #7a3 55%, #ad7) }
    meter::-webkit-meter-suboptimum-value { display: block; box-sizing: border-box; height: 100%;
      background: linear-gradient(#fe7, #ffc 20%, #db3 45%, #db3 55%, #fe7) }
    meter::-webkit-meter-even-less-good-value { display: block; box-sizing: border-box; height: 100%;
      background: linear-gradient(#f77, #fcc 20%, #d44 45%, #d44 55%, #f77) }

    """

  /// Selects with base appearance. https://html.spec.whatwg.org/multipage/rendering.html#the-select-element-2
  private static let baseSelects = """
    select:-internal-base-select { display: inline-flex; gap: 0.5em; border: 1px solid; border-radius: 0.5em; padding-block: 0.25em;
      padding-inline: 0.5em; background-color: transparent; color: inherit; font: inherit; letter-spacing: inherit; word-spacing: inherit;
      text-transform: inherit; text-indent: inherit; text-shadow: inherit; text-align: inherit; white-space: inherit; overflow: visible;
      min-inline-size: calc-size(auto, max(size, 24px)); min-block-size: calc-size(auto, max(size, 24px, 1lh)) }
    select:-internal-base-select:is([multiple], [size]:not([size="0"], [size="1"])) { display: inline-block; box-sizing: content-box;
      border-radius: 0; padding: 0; overflow: auto; background-color: transparent; vertical-align: baseline }
    select:-internal-base-select:disabled { color: color-mix(in oklab, currentColor 50%, transparent); border-color: currentColor; opacity: 1 }
    select:-internal-base-select > button:first-child { display: contents; color: inherit; font: inherit; letter-spacing: inherit;
      word-spacing: inherit; text-transform: inherit; text-indent: inherit; text-shadow: inherit; text-align: inherit }
    select:-internal-base-select option { display: flex; align-items: center; gap: 0.5em; padding-block: 0; padding-inline: 0.5em;
      min-inline-size: 24px; min-block-size: max(24px, 1lh) }
    select:-internal-base-select option:disabled { color: color-mix(in oklab, currentColor 50%, transparent) }
    select:-internal-base-select option::checkmark { content: "✓" / "" }
    select:-internal-base-select option:not(:checked)::checkmark { visibility: hidden }
    select:-internal-base-select::picker-icon { content: counter(fake-counter-name, disclosure-open); margin-inline-start: auto }

    """

  /// https://drafts.csswg.org/css-overflow-5/#scroll-navigation
  private static let scrollPartsText = """
    ::scroll-marker-group { display: block; contain: size layout !important }
    ::scroll-marker { color: LinkText; text-decoration: underline }
    ::scroll-button(*) { display: inline-block; font: 400 13.3333px Arial; letter-spacing: normal; word-spacing: normal; line-height: normal;
      text-transform: none; text-indent: 0; text-shadow: none; appearance: auto; text-align: center; padding-block: 1px;
      padding-inline: 6px; border: 2px outset ButtonBorder; box-sizing: border-box; background-color: ButtonFace; color: ButtonText }
    ::scroll-button(*):disabled { color: light-dark(rgba(16, 16, 16, 0.3), rgba(255, 255, 255, 0.3));
      background-color: light-dark(rgba(239, 239, 239, 0.3), #363636);
      border-color: light-dark(rgba(118, 118, 118, 0.3), rgba(54, 54, 54, 0.99)) }
    ::column::scroll-marker { color: LinkText; text-decoration: underline }
    """

  /// Rules for quirks mode. https://html.spec.whatwg.org/multipage/rendering.html
  private static let quirksText = """
    @namespace "http://www.w3.org/1999/xhtml";
    table { white-space: normal; line-height: normal; font-weight: normal; font-size: medium; font-variant: normal; font-style: normal;
      text-align: start }
    input:not([type=image i]), textarea { box-sizing: border-box }
    form { margin-block: 0__qem 1em }
    img[align=left i] { margin-right: 3px }
    img[align=right i] { margin-left: 3px }
    """
}
