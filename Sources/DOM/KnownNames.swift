public import OffprintCoreTypes

// Names used in code have the same number in every table that starts as a copy of `NameTable.known`, so that code can compare integers.

extension Name {
  @inlinable public static var a: Name { Name(raw: 1) }
  @inlinable public static var abbr: Name { Name(raw: 2) }
  @inlinable public static var acronym: Name { Name(raw: 3) }
  @inlinable public static var address: Name { Name(raw: 4) }
  @inlinable public static var annotationXml: Name { Name(raw: 5) }
  @inlinable public static var applet: Name { Name(raw: 6) }
  @inlinable public static var area: Name { Name(raw: 7) }
  @inlinable public static var article: Name { Name(raw: 8) }
  @inlinable public static var aside: Name { Name(raw: 9) }
  @inlinable public static var audio: Name { Name(raw: 10) }
  @inlinable public static var b: Name { Name(raw: 11) }
  @inlinable public static var base: Name { Name(raw: 12) }
  @inlinable public static var basefont: Name { Name(raw: 13) }
  @inlinable public static var bdi: Name { Name(raw: 14) }
  @inlinable public static var bdo: Name { Name(raw: 15) }
  @inlinable public static var bgsound: Name { Name(raw: 16) }
  @inlinable public static var big: Name { Name(raw: 17) }
  @inlinable public static var blink: Name { Name(raw: 18) }
  @inlinable public static var blockquote: Name { Name(raw: 19) }
  @inlinable public static var body: Name { Name(raw: 20) }
  @inlinable public static var br: Name { Name(raw: 21) }
  @inlinable public static var button: Name { Name(raw: 22) }
  @inlinable public static var canvas: Name { Name(raw: 23) }
  @inlinable public static var caption: Name { Name(raw: 24) }
  @inlinable public static var center: Name { Name(raw: 25) }
  @inlinable public static var cite: Name { Name(raw: 26) }
  @inlinable public static var code: Name { Name(raw: 27) }
  @inlinable public static var col: Name { Name(raw: 28) }
  @inlinable public static var colgroup: Name { Name(raw: 29) }
  @inlinable public static var command: Name { Name(raw: 30) }
  @inlinable public static var data: Name { Name(raw: 31) }
  @inlinable public static var datalist: Name { Name(raw: 32) }
  @inlinable public static var dd: Name { Name(raw: 33) }
  @inlinable public static var del: Name { Name(raw: 34) }
  @inlinable public static var desc: Name { Name(raw: 35) }
  @inlinable public static var details: Name { Name(raw: 36) }
  @inlinable public static var dfn: Name { Name(raw: 37) }
  @inlinable public static var dialog: Name { Name(raw: 38) }
  @inlinable public static var dir: Name { Name(raw: 39) }
  @inlinable public static var div: Name { Name(raw: 40) }
  @inlinable public static var dl: Name { Name(raw: 41) }
  @inlinable public static var dt: Name { Name(raw: 42) }
  @inlinable public static var em: Name { Name(raw: 43) }
  @inlinable public static var embed: Name { Name(raw: 44) }
  @inlinable public static var fieldset: Name { Name(raw: 45) }
  @inlinable public static var figcaption: Name { Name(raw: 46) }
  @inlinable public static var figure: Name { Name(raw: 47) }
  @inlinable public static var font: Name { Name(raw: 48) }
  @inlinable public static var footer: Name { Name(raw: 49) }
  @inlinable public static var foreignObject: Name { Name(raw: 50) }
  @inlinable public static var form: Name { Name(raw: 51) }
  @inlinable public static var frame: Name { Name(raw: 52) }
  @inlinable public static var frameset: Name { Name(raw: 53) }
  @inlinable public static var h1: Name { Name(raw: 54) }
  @inlinable public static var h2: Name { Name(raw: 55) }
  @inlinable public static var h3: Name { Name(raw: 56) }
  @inlinable public static var h4: Name { Name(raw: 57) }
  @inlinable public static var h5: Name { Name(raw: 58) }
  @inlinable public static var h6: Name { Name(raw: 59) }
  @inlinable public static var head: Name { Name(raw: 60) }
  @inlinable public static var header: Name { Name(raw: 61) }
  @inlinable public static var hgroup: Name { Name(raw: 62) }
  @inlinable public static var hr: Name { Name(raw: 63) }
  @inlinable public static var html: Name { Name(raw: 64) }
  @inlinable public static var i: Name { Name(raw: 65) }
  @inlinable public static var iframe: Name { Name(raw: 66) }
  @inlinable public static var image: Name { Name(raw: 67) }
  @inlinable public static var img: Name { Name(raw: 68) }
  @inlinable public static var input: Name { Name(raw: 69) }
  @inlinable public static var ins: Name { Name(raw: 70) }
  @inlinable public static var isindex: Name { Name(raw: 71) }
  @inlinable public static var kbd: Name { Name(raw: 72) }
  @inlinable public static var keygen: Name { Name(raw: 73) }
  @inlinable public static var label: Name { Name(raw: 74) }
  @inlinable public static var legend: Name { Name(raw: 75) }
  @inlinable public static var li: Name { Name(raw: 76) }
  @inlinable public static var link: Name { Name(raw: 77) }
  @inlinable public static var listing: Name { Name(raw: 78) }
  @inlinable public static var main: Name { Name(raw: 79) }
  @inlinable public static var malignmark: Name { Name(raw: 80) }
  @inlinable public static var map: Name { Name(raw: 81) }
  @inlinable public static var mark: Name { Name(raw: 82) }
  @inlinable public static var marquee: Name { Name(raw: 83) }
  @inlinable public static var math: Name { Name(raw: 84) }
  @inlinable public static var menu: Name { Name(raw: 85) }
  @inlinable public static var menuitem: Name { Name(raw: 86) }
  @inlinable public static var meta: Name { Name(raw: 87) }
  @inlinable public static var meter: Name { Name(raw: 88) }
  @inlinable public static var mglyph: Name { Name(raw: 89) }
  @inlinable public static var mi: Name { Name(raw: 90) }
  @inlinable public static var mn: Name { Name(raw: 91) }
  @inlinable public static var mo: Name { Name(raw: 92) }
  @inlinable public static var ms: Name { Name(raw: 93) }
  @inlinable public static var mtext: Name { Name(raw: 94) }
  @inlinable public static var nav: Name { Name(raw: 95) }
  @inlinable public static var nobr: Name { Name(raw: 96) }
  @inlinable public static var noembed: Name { Name(raw: 97) }
  @inlinable public static var noframes: Name { Name(raw: 98) }
  @inlinable public static var noscript: Name { Name(raw: 99) }
  @inlinable public static var object: Name { Name(raw: 100) }
  @inlinable public static var ol: Name { Name(raw: 101) }
  @inlinable public static var optgroup: Name { Name(raw: 102) }
  @inlinable public static var option: Name { Name(raw: 103) }
  @inlinable public static var output: Name { Name(raw: 104) }
  @inlinable public static var p: Name { Name(raw: 105) }
  @inlinable public static var param: Name { Name(raw: 106) }
  @inlinable public static var picture: Name { Name(raw: 107) }
  @inlinable public static var plaintext: Name { Name(raw: 108) }
  @inlinable public static var pre: Name { Name(raw: 109) }
  @inlinable public static var progress: Name { Name(raw: 110) }
  @inlinable public static var q: Name { Name(raw: 111) }
  @inlinable public static var rb: Name { Name(raw: 112) }
  @inlinable public static var rp: Name { Name(raw: 113) }
  @inlinable public static var rt: Name { Name(raw: 114) }
  @inlinable public static var rtc: Name { Name(raw: 115) }
  @inlinable public static var ruby: Name { Name(raw: 116) }
  @inlinable public static var s: Name { Name(raw: 117) }
  @inlinable public static var samp: Name { Name(raw: 118) }
  @inlinable public static var script: Name { Name(raw: 119) }
  @inlinable public static var search: Name { Name(raw: 120) }
  @inlinable public static var section: Name { Name(raw: 121) }
  @inlinable public static var select: Name { Name(raw: 122) }
  @inlinable public static var selectedcontent: Name { Name(raw: 123) }
  @inlinable public static var slot: Name { Name(raw: 124) }
  @inlinable public static var small: Name { Name(raw: 125) }
  @inlinable public static var source: Name { Name(raw: 126) }
  @inlinable public static var span: Name { Name(raw: 127) }
  @inlinable public static var strike: Name { Name(raw: 128) }
  @inlinable public static var strong: Name { Name(raw: 129) }
  @inlinable public static var style: Name { Name(raw: 130) }
  @inlinable public static var sub: Name { Name(raw: 131) }
  @inlinable public static var summary: Name { Name(raw: 132) }
  @inlinable public static var sup: Name { Name(raw: 133) }
  @inlinable public static var svg: Name { Name(raw: 134) }
  @inlinable public static var table: Name { Name(raw: 135) }
  @inlinable public static var tbody: Name { Name(raw: 136) }
  @inlinable public static var td: Name { Name(raw: 137) }
  @inlinable public static var template: Name { Name(raw: 138) }
  @inlinable public static var textarea: Name { Name(raw: 139) }
  @inlinable public static var tfoot: Name { Name(raw: 140) }
  @inlinable public static var th: Name { Name(raw: 141) }
  @inlinable public static var thead: Name { Name(raw: 142) }
  @inlinable public static var time: Name { Name(raw: 143) }
  @inlinable public static var title: Name { Name(raw: 144) }
  @inlinable public static var tr: Name { Name(raw: 145) }
  @inlinable public static var track: Name { Name(raw: 146) }
  @inlinable public static var tt: Name { Name(raw: 147) }
  @inlinable public static var u: Name { Name(raw: 148) }
  @inlinable public static var ul: Name { Name(raw: 149) }
  @inlinable public static var `var`: Name { Name(raw: 150) }
  @inlinable public static var video: Name { Name(raw: 151) }
  @inlinable public static var wbr: Name { Name(raw: 152) }
  @inlinable public static var xmp: Name { Name(raw: 153) }
  @inlinable public static var accept: Name { Name(raw: 154) }
  @inlinable public static var acceptCharset: Name { Name(raw: 155) }
  @inlinable public static var action: Name { Name(raw: 156) }
  @inlinable public static var align: Name { Name(raw: 157) }
  @inlinable public static var alink: Name { Name(raw: 158) }
  @inlinable public static var alt: Name { Name(raw: 159) }
  @inlinable public static var autocomplete: Name { Name(raw: 160) }
  @inlinable public static var autofocus: Name { Name(raw: 161) }
  @inlinable public static var background: Name { Name(raw: 162) }
  @inlinable public static var bgcolor: Name { Name(raw: 163) }
  @inlinable public static var border: Name { Name(raw: 164) }
  @inlinable public static var bordercolor: Name { Name(raw: 165) }
  @inlinable public static var bottommargin: Name { Name(raw: 166) }
  @inlinable public static var cellpadding: Name { Name(raw: 167) }
  @inlinable public static var cellspacing: Name { Name(raw: 168) }
  @inlinable public static var char: Name { Name(raw: 169) }
  @inlinable public static var charset: Name { Name(raw: 170) }
  @inlinable public static var checked: Name { Name(raw: 171) }
  @inlinable public static var `class`: Name { Name(raw: 172) }
  @inlinable public static var clear: Name { Name(raw: 173) }
  @inlinable public static var color: Name { Name(raw: 174) }
  @inlinable public static var cols: Name { Name(raw: 175) }
  @inlinable public static var colspan: Name { Name(raw: 176) }
  @inlinable public static var compact: Name { Name(raw: 177) }
  @inlinable public static var content: Name { Name(raw: 178) }
  @inlinable public static var contenteditable: Name { Name(raw: 179) }
  @inlinable public static var coords: Name { Name(raw: 180) }
  @inlinable public static var dataSrc: Name { Name(raw: 181) }
  @inlinable public static var datetime: Name { Name(raw: 182) }
  @inlinable public static var `default`: Name { Name(raw: 183) }
  @inlinable public static var disabled: Name { Name(raw: 184) }
  @inlinable public static var encoding: Name { Name(raw: 185) }
  @inlinable public static var enctype: Name { Name(raw: 186) }
  @inlinable public static var face: Name { Name(raw: 187) }
  @inlinable public static var `for`: Name { Name(raw: 188) }
  @inlinable public static var frameborder: Name { Name(raw: 189) }
  @inlinable public static var headers: Name { Name(raw: 190) }
  @inlinable public static var height: Name { Name(raw: 191) }
  @inlinable public static var hidden: Name { Name(raw: 192) }
  @inlinable public static var high: Name { Name(raw: 193) }
  @inlinable public static var href: Name { Name(raw: 194) }
  @inlinable public static var hreflang: Name { Name(raw: 195) }
  @inlinable public static var hspace: Name { Name(raw: 196) }
  @inlinable public static var httpEquiv: Name { Name(raw: 197) }
  @inlinable public static var id: Name { Name(raw: 198) }
  @inlinable public static var indeterminate: Name { Name(raw: 199) }
  @inlinable public static var ismap: Name { Name(raw: 200) }
  @inlinable public static var kind: Name { Name(raw: 201) }
  @inlinable public static var lang: Name { Name(raw: 202) }
  @inlinable public static var leftmargin: Name { Name(raw: 203) }
  @inlinable public static var low: Name { Name(raw: 204) }
  @inlinable public static var marginheight: Name { Name(raw: 205) }
  @inlinable public static var marginwidth: Name { Name(raw: 206) }
  @inlinable public static var max: Name { Name(raw: 207) }
  @inlinable public static var maxlength: Name { Name(raw: 208) }
  @inlinable public static var media: Name { Name(raw: 209) }
  @inlinable public static var method: Name { Name(raw: 210) }
  @inlinable public static var min: Name { Name(raw: 211) }
  @inlinable public static var minlength: Name { Name(raw: 212) }
  @inlinable public static var multiple: Name { Name(raw: 213) }
  @inlinable public static var name: Name { Name(raw: 214) }
  @inlinable public static var noshade: Name { Name(raw: 215) }
  @inlinable public static var nowrap: Name { Name(raw: 216) }
  @inlinable public static var open: Name { Name(raw: 217) }
  @inlinable public static var optimum: Name { Name(raw: 218) }
  @inlinable public static var pattern: Name { Name(raw: 219) }
  @inlinable public static var placeholder: Name { Name(raw: 220) }
  @inlinable public static var popover: Name { Name(raw: 221) }
  @inlinable public static var property: Name { Name(raw: 222) }
  @inlinable public static var readonly: Name { Name(raw: 223) }
  @inlinable public static var rel: Name { Name(raw: 224) }
  @inlinable public static var required: Name { Name(raw: 225) }
  @inlinable public static var rev: Name { Name(raw: 226) }
  @inlinable public static var reversed: Name { Name(raw: 227) }
  @inlinable public static var rightmargin: Name { Name(raw: 228) }
  @inlinable public static var rows: Name { Name(raw: 229) }
  @inlinable public static var rowspan: Name { Name(raw: 230) }
  @inlinable public static var rules: Name { Name(raw: 231) }
  @inlinable public static var scope: Name { Name(raw: 232) }
  @inlinable public static var selected: Name { Name(raw: 233) }
  @inlinable public static var shape: Name { Name(raw: 234) }
  @inlinable public static var size: Name { Name(raw: 235) }
  @inlinable public static var sizes: Name { Name(raw: 236) }
  @inlinable public static var src: Name { Name(raw: 237) }
  @inlinable public static var srcset: Name { Name(raw: 238) }
  @inlinable public static var start: Name { Name(raw: 239) }
  @inlinable public static var step: Name { Name(raw: 240) }
  @inlinable public static var tabindex: Name { Name(raw: 241) }
  @inlinable public static var target: Name { Name(raw: 242) }
  @inlinable public static var text: Name { Name(raw: 243) }
  @inlinable public static var topmargin: Name { Name(raw: 244) }
  @inlinable public static var translate: Name { Name(raw: 245) }
  @inlinable public static var type: Name { Name(raw: 246) }
  @inlinable public static var usemap: Name { Name(raw: 247) }
  @inlinable public static var valign: Name { Name(raw: 248) }
  @inlinable public static var value: Name { Name(raw: 249) }
  @inlinable public static var valuetype: Name { Name(raw: 250) }
  @inlinable public static var version: Name { Name(raw: 251) }
  @inlinable public static var vlink: Name { Name(raw: 252) }
  @inlinable public static var vspace: Name { Name(raw: 253) }
  @inlinable public static var width: Name { Name(raw: 254) }
  @inlinable public static var wrap: Name { Name(raw: 255) }
  @inlinable public static var viewBox: Name { Name(raw: 256) }
  @inlinable public static var preserveAspectRatio: Name { Name(raw: 257) }
  @inlinable public static var xmlns: Name { Name(raw: 258) }
  @inlinable public static var poster: Name { Name(raw: 259) }
  @inlinable public static var loading: Name { Name(raw: 260) }
  @inlinable public static var srcdoc: Name { Name(raw: 261) }
  @inlinable public static var scrolling: Name { Name(raw: 262) }
  @inlinable public static var shadowrootmode: Name { Name(raw: 263) }
  @inlinable public static var part: Name { Name(raw: 264) }
  @inlinable public static var exportparts: Name { Name(raw: 265) }
}

extension NameTable {
  /// A table that contains the names above at their numbers. It is created once and copied for each document.
  public static let known: NameTable = {
    var table = NameTable()
    for name in knownNames { table.intern(UnsafeBufferPointer(start: name.utf8Start, count: name.utf8CodeUnitCount)) }
    return table
  }()
}

private let knownNames: [StaticString] = [
  "a", "abbr", "acronym", "address", "annotation-xml", "applet", "area", "article", "aside", "audio", "b", "base", "basefont", "bdi",
  "bdo", "bgsound", "big", "blink", "blockquote", "body", "br", "button", "canvas", "caption", "center", "cite", "code", "col",
  "colgroup", "command", "data", "datalist", "dd", "del", "desc", "details", "dfn", "dialog", "dir", "div", "dl", "dt", "em", "embed",
  "fieldset", "figcaption", "figure", "font", "footer", "foreignObject", "form", "frame", "frameset", "h1", "h2", "h3", "h4", "h5", "h6",
  "head", "header", "hgroup", "hr", "html", "i", "iframe", "image", "img", "input", "ins", "isindex", "kbd", "keygen", "label", "legend",
  "li", "link", "listing", "main", "malignmark", "map", "mark", "marquee", "math", "menu", "menuitem", "meta", "meter", "mglyph", "mi",
  "mn", "mo", "ms", "mtext", "nav", "nobr", "noembed", "noframes", "noscript", "object", "ol", "optgroup", "option", "output", "p",
  "param", "picture", "plaintext", "pre", "progress", "q", "rb", "rp", "rt", "rtc", "ruby", "s", "samp", "script", "search", "section",
  "select", "selectedcontent", "slot", "small", "source", "span", "strike", "strong", "style", "sub", "summary", "sup", "svg", "table",
  "tbody", "td", "template", "textarea", "tfoot", "th", "thead", "time", "title", "tr", "track", "tt", "u", "ul", "var", "video", "wbr",
  "xmp", "accept", "accept-charset", "action", "align", "alink", "alt", "autocomplete", "autofocus", "background", "bgcolor", "border",
  "bordercolor", "bottommargin", "cellpadding", "cellspacing", "char", "charset", "checked", "class", "clear", "color", "cols",
  "colspan", "compact", "content", "contenteditable", "coords", "data-src", "datetime", "default", "disabled", "encoding", "enctype",
  "face", "for", "frameborder", "headers", "height", "hidden", "high", "href", "hreflang", "hspace", "http-equiv", "id", "indeterminate",
  "ismap", "kind", "lang", "leftmargin", "low", "marginheight", "marginwidth", "max", "maxlength", "media", "method", "min", "minlength",
  "multiple", "name", "noshade", "nowrap", "open", "optimum", "pattern", "placeholder", "popover", "property", "readonly", "rel",
  "required", "rev", "reversed", "rightmargin", "rows", "rowspan", "rules", "scope", "selected", "shape", "size", "sizes", "src",
  "srcset", "start", "step", "tabindex", "target", "text", "topmargin", "translate", "type", "usemap", "valign", "value", "valuetype",
  "version", "vlink", "vspace", "width", "wrap", "viewBox", "preserveAspectRatio", "xmlns", "poster", "loading",
  "srcdoc", "scrolling", "shadowrootmode", "part", "exportparts",
]
