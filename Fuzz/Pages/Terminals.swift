/// The nonterminals that grammars of the property table refer to, in the same syntax.
enum Terminals {
  /// Grammars of shorthands, and of properties whose grammar in the table is abbreviated.
  static let properties: [String: String] = [
    "display": """
    block | inline | inline-block | flex | inline-flex | grid | inline-grid | table | inline-table | list-item | flow-root | contents |
    ruby | ruby-text | none | -webkit-box | -webkit-inline-box | <display-internal> | inline list-item | block ruby | inline flow-root
    """,
    "margin": "[ <length-percentage> | auto ]{1,4}", "padding": "<length-percentage [0,∞]>{1,4}",
    "inset": "[ <length-percentage> | auto ]{1,4}", "border": "<line-width> || <line-style> || <color>",
    "border-width": "<line-width>{1,4}", "border-style": "<line-style>{1,4}", "border-color": "<color>{1,4}",
    "border-top": "<line-width> || <line-style> || <color>", "border-left": "<line-width> || <line-style> || <color>",
    "border-right": "<line-width> || <line-style> || <color>", "border-bottom": "<line-width> || <line-style> || <color>",
    "border-block": "<line-width> || <line-style> || <color>", "border-inline": "<line-width> || <line-style> || <color>",
    "border-radius": "<length-percentage [0,∞]>{1,4} [ / <length-percentage [0,∞]>{1,4} ]?",
    "border-image": """
    <image> || [ <'border-image-slice'> [ / <'border-image-width'>? [ / <'border-image-outset'> ]? ]? ] || <'border-image-repeat'>
    """,
    "background": "[ <bg-layer> , ]* <final-bg-layer>", "background-position": "<position>#",
    "mask": "[ <mask-layer> ]#", "mask-position": "<position>#",
    "font": "[ <'font-style'> || small-caps || <'font-weight'> ]? <'font-size'> [ / <'line-height'> ]? <'font-family'> | menu | caption",
    "flex": "none | [ <number [0,∞]> <number [0,∞]>? || <'flex-basis'> ]", "flex-flow": "<'flex-direction'> || <'flex-wrap'>",
    "grid-area": "<grid-line> [ / <grid-line> ]{0,3}", "grid-column": "<grid-line> [ / <grid-line> ]?",
    "grid-row": "<grid-line> [ / <grid-line> ]?",
    "grid-template": "none | <'grid-template-rows'> / <'grid-template-columns'> | [ <string> <track-size>? ]+ / <track-size>+",
    "grid": "<'grid-template-rows'> / auto-flow dense? <track-size>* | auto-flow dense? <track-size>* / <'grid-template-columns'>",
    "columns": "<'column-width'> || <'column-count'>", "gap": "<'row-gap'> <'column-gap'>?",
    "column-rule": "<line-width> || <line-style> || <color>", "outline": "<line-width> || <'outline-style'> || <color>",
    "overflow": "[ visible | hidden | clip | scroll | auto ]{1,2}",
    "list-style": "<'list-style-position'> || <'list-style-image'> || <'list-style-type'>",
    "place-content": "<'align-content'> <'justify-content'>?", "place-items": "<'align-items'> <'justify-items'>?",
    "place-self": "<'align-self'> <'justify-self'>?", "white-space": "normal | pre | nowrap | pre-wrap | pre-line | break-spaces",
    "text-decoration": "<'text-decoration-line'> || <'text-decoration-style'> || <color> || <'text-decoration-thickness'>",
    "text-emphasis": "<'text-emphasis-style'> || <color>", "container": "<custom-ident>+ [ / <'container-type'> ]?",
    "animation": "[ <time> || a || <easing-function> ]#", "transition": "[ <time> || all ]#",
    "text-decoration-line": "none | [ underline || overline || line-through || blink ]",
    "font-variant": "normal | none | [ <'font-variant-caps'> || <numeric-values> || <ligature-values> ]",
    "font-variant-caps": "normal | small-caps | all-small-caps | petite-caps | all-petite-caps | unicase | titling-caps",
    "grid-template-areas": "none | \"a b\" \"a c\" | \"a a\" \"b c\" | \"main side\" | <string>+",
    "content": "normal | none | [ <string> | <image> | <counter> | <quote> | attr(id) ]+ [ / <string> ]?",
    "counter-increment": "none | [ <counter-name> <integer>? ]+", "will-change": "auto | transform | opacity | filter | contents",
    "d": "none | path(\"M0 0L10 10Z\") | path(\"M1e38 0A1 1 0 0 0 -1e38 5C1,2,3,4,5,6\")",
    "transform-origin": "<position> <length>?", "offset": "<'offset-path'> || <'offset-distance'>",
  ]

  static let grammars: [String: String] = [
    "line-width": "<length [0,∞]> | thin | medium | thick",
    "line-style": "none | hidden | solid | dashed | dotted | double | groove | ridge | inset | outset",
    "visual-box": "border-box | padding-box | content-box", "coord-box": "border-box | padding-box | content-box | fill-box | view-box",
    "shape-box": "margin-box | border-box | padding-box | content-box",
    "geometry-box": "margin-box | border-box | padding-box | content-box | fill-box | stroke-box | view-box",
    "overflow-position": "safe | unsafe", "baseline-position": "[ first | last ]? baseline",
    "content-position": "center | start | end | flex-start | flex-end",
    "self-position": "center | start | end | self-start | self-end | flex-start | flex-end",
    "content-distribution": "space-between | space-around | space-evenly | stretch",
    "opacity-value": "<number [0,1]> | <percentage>", "ratio": "<number [0,∞]> [ / <number [0,∞]> ]?",
    "position": """
    [ left | center | right | <length-percentage> ] [ top | center | bottom | <length-percentage> ]? |
    [ left | right ] <length-percentage> [ top | bottom ] <length-percentage> | center
    """,
    "bg-size": "cover | contain | [ <length-percentage [0,∞]> | auto ]{1,2}",
    "bg-layer": "<image> || <position> [ / <bg-size> ]? || <'background-repeat'> || fixed || <visual-box>",
    "final-bg-layer": "<color> || <image> || <position> [ / <bg-size> ]? || no-repeat || <visual-box>",
    "mask-layer": "<image> || <position> [ / <bg-size> ]? || no-repeat || <geometry-box> || [ add | subtract | intersect | exclude ]",
    "image": """
    <url> | <gradient> | <gradient> | image-set(<url> 1x, <url> 2x) | cross-fade(<url> 40%, <color>) | image(<color>)
    """,
    "gradient": """
    linear-gradient([ <angle> | to [ left | right ] || [ top | bottom ] ] , <stops>) | repeating-linear-gradient(<angle>, <stops>) |
    radial-gradient([ circle | ellipse ]? <extent>? at <position>, <stops>) |
    repeating-radial-gradient(<length-percentage>{2} at <position>, <stops>) | conic-gradient(from <angle> at <position>, <angle-stops>) |
    repeating-conic-gradient(<angle-stops>) | linear-gradient(in oklch longer hue, <stops>) | radial-gradient(<length>, <stops>) |
    -webkit-gradient(linear, left top, right bottom, from(red), to(blue)) | -webkit-linear-gradient(left, <stops>)
    """,
    "extent": "closest-side | farthest-side | closest-corner | farthest-corner", "stops": "<stop> , <stop> [ , <stop> ]{0,3}",
    "stop": "<color> <length-percentage>{0,2}", "angle-stops": "<color> <angle>? , <color> [ <angle> | <percentage> ]{0,2}",
    "color-function": """
    rgb(<number> <number> <number> / <percentage>) | hsl(<angle> <percentage> <percentage>) | hwb(<angle> <percentage> <percentage>) |
    lab(<percentage> <number> <number>) | oklch(<percentage> <number> <angle>) | color(display-p3 <number> <number> <number>) |
    color-mix(in oklab, <color> <percentage>?, <color>) | light-dark(<color>, <color>) | rgb(from <color> r g calc(b + 9) / alpha) |
    color(xyz <number> <number> <number>) | lch(none <number> <angle>)
    """,
    "basic-shape": """
    circle(<length-percentage>? at <position>) | ellipse(<length-percentage>{2} at <position>) |
    inset(<length-percentage>{1,4} round <length-percentage>{1,2}) | polygon(evenodd, <points>) | polygon(<points>) |
    path("M0 0L50 0L20 60Z") | path("M0 0H1e9V-1e38Z") | rect(<length-percentage>{4}) | xywh(<length-percentage>{4}) |
    shape(from <length>{2}, line to <length>{2}, curve to <length>{2} with <length>{2})
    """,
    "points": "<length-percentage>{2} , <length-percentage>{2} , <length-percentage>{2}",
    "filter-function": """
    blur(<length [0,∞]>) | brightness(<number [0,∞]>) | contrast(<percentage>) | drop-shadow(<length>{2,3} <color>?) |
    grayscale(<number [0,1]>) | hue-rotate(<angle>) | invert(<percentage>) | opacity(<number [0,1]>) | saturate(<number [0,∞]>) |
    sepia(1) | url(#f)
    """,
    "transform-function": """
    translate(<length-percentage> , <length-percentage>) | translateX(<length-percentage>) | scale(<number>) | scale(<number>, <number>) |
    rotate(<angle>) | skew(<angle>, <angle>) | skewX(<angle>) | matrix(<number>, <number>, <number>, <number>, <number>, <number>) |
    rotateX(<angle>) | rotate3d(<number>, <number>, <number>, <angle>) | perspective(<length [0,∞]>) | translateZ(<length>) |
    scale3d(<number>, <number>, <number>) | translate3d(<length>, <length>, <length>)
    """,
    "paint": "none | <color> | url(#g) | url(#g) <color> | context-fill", "dasharray": "[ <length [0,∞]> | <number [0,∞]> ]#",
    "track-size": """
    auto | <length-percentage [0,∞]> | <flex> | 1fr | min-content | max-content | fit-content(<length-percentage [0,∞]>) |
    minmax(<length>, 1fr) | minmax(min-content, <length-percentage>) | minmax(auto, max-content)
    """,
    "track-list": "[ [ '[' a b ']' ]? <track-size> ]+ | <track-size> repeat(<integer [1,∞]>, <track-size>+)",
    "auto-track-list": "repeat([ auto-fill | auto-fit ] , <length [0,∞]>) | repeat(auto-fill, minmax(<length [0,∞]>, 1fr)) <length>",
    "line-name-list": "repeat(3, none)", "grid-line": "auto | <integer> | span <integer [1,∞]> | a | span a | <integer> a | main",
    "absolute-size": "xx-small | small | medium | large | xxx-large | math", "relative-size": "larger | smaller",
    "family-name": "\"Liberation Sans\" | Liberation Mono | F | DejaVu Sans", "generic-family": "serif | sans-serif | monospace | emoji",
    "width-keyword": "condensed | expanded | ultra-condensed", "numeric-values": "lining-nums || tabular-nums || slashed-zero || ordinal",
    "east-asian-values": "jis78 || full-width || ruby", "ligature-values": "common-ligatures || no-contextual || historical-ligatures",
    "counter-name": "a | b | list-item",
    "counter-style-name": """
    disc | circle | square | decimal | lower-roman | upper-alpha | cjk-decimal | hebrew | georgian | custom | disclosure-open |
    simp-chinese-formal | ethiopic-numeric | symbols(cyclic "*" "†") | korean-hangul-formal | lower-greek | decimal-leading-zero
    """,
    "counter": "counter(a) | counter(a, <counter-style-name>) | counters(b, \".\") | counters(list-item, \"-\", upper-roman)",
    "quote": "open-quote | close-quote | no-open-quote | no-close-quote", "reversed()": "reversed(a)",
    "shape": "dot | circle | double-circle | triangle | sesame", "compat-auto": "button | textfield | checkbox | menulist | meter",
    "blend-mode": "normal | multiply | screen | overlay | color-dodge | hue | luminosity | difference | plus-lighter",
    "display-outside": "block | inline", "display-inside": "flow | flow-root | table | flex | grid | ruby", "display-listitem": "list-item",
    "display-internal": """
    table-row | table-cell | table-row-group | table-header-group | table-footer-group | table-caption | table-column |
    table-column-group | ruby-text
    """,
    "display-box": "contents | none", "display-legacy": "inline-block | inline-table | inline-flex | inline-grid",
    "fit-content()": "fit-content(<length-percentage [0,∞]>)", "path()": "path(\"M0 0L9 9L0 9z\")",
    "rect()": "rect(<length>, <length>, <length>, <length>) | rect(auto, <length>, auto, <length>)", "attr()": "attr(id)",
    "easing-function": "ease | linear | steps(3, jump-both) | cubic-bezier(0, 0, 1, 1)", "cursor-keyword": "pointer | text",
    "keyframes-name": "a | b", "axis": "block | x", "range": "normal | cover 10%", "single-animation-direction": "normal | reverse",
    "single-animation-timeline": "auto | none", "single-transition-property": "all | color", "animateable-feature": "transform | opacity",
    "anchor-name": "--a", "offset-path": "path(\"M0 0L9 9\") | ray(45deg)", "palette-identifier": "--a",
    "text-edge": "text | cap alphabetic",
  ]
}
