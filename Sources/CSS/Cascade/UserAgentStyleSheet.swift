/// The style sheet of the browser: https://html.spec.whatwg.org/multipage/rendering.html, with Chromium's numbers where the standard
/// leaves them open.
enum UserAgentStyleSheet {
  /// For all documents.
  static let css: StaticString = """
    @namespace "http://www.w3.org/1999/xhtml";
    html, address, article, aside, blockquote, body, center, dd, details, dialog, dir, div, dl, dt, fieldset, figcaption, figure, footer, form,
    frame, frameset, h1, h2, h3, h4, h5, h6, header, hgroup, hr, legend, listing, main, menu, nav, ol, optgroup, option, p, plaintext, pre, search,
    section, summary, ul, xmp { display: block; unicode-bidi: isolate }
    area, base, basefont, datalist, head, link, meta, noembed, noframes, param, rp, script, style, template, title, track, source, audio:not([controls]),
    [hidden]:not([hidden="until-found" i]), dialog:not([open]), input[type="hidden" i], colgroup:empty { display: none }
    [hidden]:is(embed) { display: inline; height: 0; width: 0 }
    slot { display: contents }
    body { margin: 8px }
    p, dl, blockquote, figure, listing, plaintext, pre, xmp { margin-block: 1em }
    blockquote, figure { margin-inline: 40px }
    center { text-align: -webkit-center }
    address, cite, dfn, em, i, var { font-style: italic }
    b, strong { font-weight: bolder }
    code, kbd, samp, tt, pre, listing, plaintext, xmp { font-family: monospace }
    pre, listing, plaintext, xmp { white-space: pre }
    big { font-size: larger } small { font-size: smaller }
    sub, sup { font-size: smaller; line-height: normal } sub { vertical-align: sub } sup { vertical-align: super }
    mark { background-color: yellow; color: black }
    ins, u { text-decoration: underline } del, s, strike { text-decoration: line-through }
    abbr[title], acronym[title] { text-decoration: underline dotted }
    nobr { white-space: nowrap }
    bdi, output { unicode-bidi: isolate } bdo, bdo[dir] { unicode-bidi: isolate-override }
    q::before { content: open-quote } q::after { content: close-quote }
    :any-link { color: -webkit-link; text-decoration: underline; cursor: pointer }
    h1 { margin-block: .67em; font-size: 2em; font-weight: bold }
    :is(article, aside, nav, section) h1 { margin-block: .83em; font-size: 1.5em }
    :is(article, aside, nav, section) :is(article, aside, nav, section) h1 { margin-block: 1em; font-size: 1.17em }
    :is(article, aside, nav, section) :is(article, aside, nav, section) :is(article, aside, nav, section) h1 { margin-block: 1.33em; font-size: 1em }
    :is(article, aside, nav, section) :is(article, aside, nav, section) :is(article, aside, nav, section) :is(article, aside, nav, section) h1
    { margin-block: 1.67em; font-size: .83em }
    h2 { margin-block: .83em; font-size: 1.5em; font-weight: bold } h3 { margin-block: 1em; font-size: 1.17em; font-weight: bold }
    h4 { margin-block: 1.33em; font-weight: bold } h5 { margin-block: 1.67em; font-size: .83em; font-weight: bold }
    h6 { margin-block: 2.33em; font-size: .67em; font-weight: bold }
    dd { margin-inline-start: 40px } dt { display: block }
    dir, menu, ol, ul { margin-block: 1em; padding-inline-start: 40px }
    :is(dir, menu, ol, ul, dl) :is(dir, menu, ol, ul, dl) { margin-block: 0 }
    dir, menu, ul { list-style-type: disc; counter-reset: list-item } ol { list-style-type: decimal; counter-reset: list-item }
    :is(dir, menu, ol, ul) :is(dir, menu, ul) { list-style-type: circle }
    :is(dir, menu, ol, ul) :is(dir, menu, ol, ul) :is(dir, menu, ul) { list-style-type: square }
    li { display: list-item; unicode-bidi: isolate }
    table { display: table; box-sizing: border-box; border-spacing: 2px; border-collapse: separate; text-indent: initial; unicode-bidi: isolate;
    border-color: gray }
    caption { display: table-caption; text-align: -webkit-center; unicode-bidi: isolate }
    colgroup { display: table-column-group; unicode-bidi: isolate } col { display: table-column; unicode-bidi: isolate }
    thead { display: table-header-group; vertical-align: middle; border-color: inherit; unicode-bidi: isolate }
    tbody { display: table-row-group; vertical-align: middle; border-color: inherit; unicode-bidi: isolate }
    tfoot { display: table-footer-group; vertical-align: middle; border-color: inherit; unicode-bidi: isolate }
    tr { display: table-row; vertical-align: inherit; border-color: inherit; unicode-bidi: isolate }
    table > tr { vertical-align: middle }
    td, th { display: table-cell; vertical-align: inherit; padding: 1px; text-align: unset; unicode-bidi: isolate }
    th { font-weight: bold; text-align: -internal-center }
    hr { border: 1px inset; color: gray; margin-block: .5em; margin-inline: auto; overflow: hidden }
    img { overflow: clip; overflow-clip-margin: content-box } iframe { border: 2px inset } video { object-fit: contain }
    fieldset { margin-inline: 2px; padding-block: .35em .625em; padding-inline: .75em; border: 2px groove rgb(192, 192, 192); min-inline-size: min-content }
    legend { padding-inline: 2px }
    details { display: block } summary { display: list-item; list-style: inside disclosure-closed; counter-increment: list-item 0 }
    details[open] > summary { list-style-type: disclosure-open } summary::-webkit-details-marker { display: none }
    dialog { position: absolute; inset-inline: 0; width: fit-content; height: fit-content; margin: auto; border: solid; padding: 1em; background-color: canvas;
    color: canvastext }
    ruby { display: ruby } rt { display: ruby-text; font-size: 50%; text-align: center }
    input, textarea, select, button { margin: 0; font: 13.3333px sans-serif; text-rendering: auto; letter-spacing: initial; word-spacing: initial;
    text-transform: none; text-indent: 0; text-shadow: none; display: inline-block; text-align: start; color: fieldtext; cursor: text }
    input, textarea { padding: 1px 2px; border: 2px inset rgb(118, 118, 118); background-color: field; box-sizing: content-box }
    textarea { font-family: monospace; padding: 2px; border: 1px solid rgb(118, 118, 118); white-space: pre-wrap; overflow-wrap: break-word; overflow: auto;
    resize: both; vertical-align: text-bottom }
    select { border: 1px solid rgb(118, 118, 118); border-radius: 0; background-color: field; box-sizing: border-box; white-space: pre; align-items: center;
    padding: 0 }
    button, input:is([type="button" i], [type="submit" i], [type="reset" i]) { padding: 1px 6px; border: 2px outset rgb(0, 0, 0); text-align: center;
    white-space: pre; color: buttontext; background-color: buttonface; box-sizing: border-box; border-color: rgb(0, 0, 0); cursor: default }
    button { white-space: inherit; align-items: flex-start }
    input:is([type="checkbox" i], [type="radio" i]) { margin: 3px 3px 3px 4px; padding: 0; border: none; background-color: initial; box-sizing: border-box;
    width: 13px; height: 13px }
    input[type="radio" i] { margin: 3px 3px 0 5px }
    input[type="image" i] { padding: 0; border: none; background-color: initial }
    input:is([type="range" i], [type="color" i], [type="file" i]) { padding: 0; border: none; background-color: initial }
    input[type="range" i] { width: 129px; height: 16px; margin: 2px; box-sizing: border-box }
    input[type="color" i] { width: 50px; height: 27px; box-sizing: border-box; border: 1px solid rgb(118, 118, 118) }
    progress { display: inline-block; width: 10em; height: 1em; vertical-align: -0.2em; box-sizing: border-box }
    meter { display: inline-block; width: 5em; height: 1em; vertical-align: -0.2em; box-sizing: border-box }
    ::placeholder { color: darkgray; opacity: 1 }
    optgroup { font-weight: bolder } option { padding: 0 2px 1px; white-space: nowrap }
    frameset { overflow: hidden }
    [dir]:dir(ltr), bdi:dir(ltr) { direction: ltr } [dir]:dir(rtl), bdi:dir(rtl) { direction: rtl }
    [dir="ltr" i], [dir="rtl" i], [dir="auto" i] { unicode-bidi: isolate }
    bdo[dir="ltr" i], bdo[dir="rtl" i] { unicode-bidi: isolate-override }
    [dir="auto" i]:is(textarea, pre) { unicode-bidi: plaintext }
    """

  /// For documents in quirks mode.
  static let quirks: StaticString = """
    @namespace "http://www.w3.org/1999/xhtml";
    table { font-size: initial; font-weight: initial; font-style: initial; font-variant: initial;
    line-height: initial; white-space: initial; text-align: initial }
    form { margin-block-end: 1em }
    input { box-sizing: border-box } input[type="image" i] { box-sizing: content-box }
    """
}
