import OffprintCoreTypes

/// Properties of elements that the tree construction stage checks on its stack, one bit each.
struct ElementTraits: OptionSet {
  let rawValue: UInt32
  /// https://html.spec.whatwg.org/multipage/parsing.html#special
  static let special = ElementTraits(rawValue: 1)
  /// Elements that end the searches "in scope", "in list item scope", and so on.
  static let scope = ElementTraits(rawValue: 1 << 1)
  static let listItemScope = ElementTraits(rawValue: 1 << 2)
  static let buttonScope = ElementTraits(rawValue: 1 << 3)
  static let tableScope = ElementTraits(rawValue: 1 << 4)
  /// Elements at which "clear the stack back to a table (body, row) context" stops.
  static let tableBodyContext = ElementTraits(rawValue: 1 << 5)
  static let tableRowContext = ElementTraits(rawValue: 1 << 6)
  static let impliedEndTag = ElementTraits(rawValue: 1 << 7)
  static let impliedEndTagThoroughly = ElementTraits(rawValue: 1 << 8)
  static let heading = ElementTraits(rawValue: 1 << 9)
  /// Elements in which inserted nodes are foster parented while foster parenting is enabled.
  static let fosterParents = ElementTraits(rawValue: 1 << 10)
  static let tableSection = ElementTraits(rawValue: 1 << 11)
  static let cell = ElementTraits(rawValue: 1 << 12)
  static let mathMLTextIntegrationPoint = ElementTraits(rawValue: 1 << 13)
  static let htmlIntegrationPoint = ElementTraits(rawValue: 1 << 14)
  /// Start tags that end foreign content.
  static let endsForeignContent = ElementTraits(rawValue: 1 << 15)

  /// The traits of HTML elements, indexed by the number of a name in `NameTable.known`.
  static let byName: [ElementTraits] = {
    var table = [ElementTraits](repeating: [], count: NameTable.known.count)
    func add(_ traits: ElementTraits, _ names: [Name]) { for name in names { table[Int(name.raw)].insert(traits) } }
    add(
      .special,
      [
        .address, .applet, .area, .article, .aside, .base, .basefont, .bgsound, .blockquote, .body, .br, .button, .caption, .center,
        .col, .colgroup, .dd, .details, .dir, .div, .dl, .dt, .embed, .fieldset, .figcaption, .figure, .footer, .form, .frame, .frameset,
        .h1, .h2, .h3, .h4, .h5, .h6, .head, .header, .hgroup, .hr, .html, .iframe, .img, .input, .keygen, .li, .link, .listing, .main,
        .marquee, .menu, .meta, .nav, .noembed, .noframes, .noscript, .object, .ol, .p, .param, .plaintext, .pre, .script, .search,
        .section, .select, .source, .style, .summary, .table, .tbody, .td, .template, .textarea, .tfoot, .th, .thead, .title, .tr, .track,
        .ul, .wbr, .xmp,
      ])
    let scope: [Name] = [.applet, .caption, .html, .table, .td, .th, .marquee, .object, .select, .template]
    add([.scope, .listItemScope, .buttonScope], scope)
    add(.listItemScope, [.ol, .ul])
    add(.buttonScope, [.button])
    add(.tableScope, [.html, .table, .template])
    add(.tableBodyContext, [.tbody, .tfoot, .thead, .template, .html])
    add(.tableRowContext, [.tr, .template, .html])
    let implied: [Name] = [.dd, .dt, .li, .optgroup, .option, .p, .rb, .rp, .rt, .rtc]
    add([.impliedEndTag, .impliedEndTagThoroughly], implied)
    add(.impliedEndTagThoroughly, [.caption, .colgroup, .tbody, .td, .tfoot, .th, .thead, .tr])
    add(.heading, [.h1, .h2, .h3, .h4, .h5, .h6])
    add(.fosterParents, [.table, .tbody, .tfoot, .thead, .tr])
    add(.tableSection, [.tbody, .tfoot, .thead])
    add(.cell, [.td, .th])
    add(
      .endsForeignContent,
      [
        .b, .big, .blockquote, .body, .br, .center, .code, .dd, .div, .dl, .dt, .em, .embed, .h1, .h2, .h3, .h4, .h5, .h6, .head, .hr,
        .i, .img, .li, .listing, .menu, .meta, .nobr, .ol, .p, .pre, .ruby, .s, .small, .span, .strong, .strike, .sub, .sup, .table, .tt,
        .u, .ul, .`var`,
      ])
    return table
  }()
}

/// Groups of start tags with the same rules in the insertion mode "in body".
enum BodyStartTag: UInt8 {
  case other, html, headContent, body, frameset, block, heading, preformatted, form, listItem, description, plaintext, button, anchor
  case formatting, nobr, scoped, table, void, input, parameter, rule, image, textarea, xmp, iframe, noembed, select, option, optgroup
  case rubyBase, rubyText, math, svg, ignored

  static let byName: [BodyStartTag] = {
    var table = [BodyStartTag](repeating: .other, count: NameTable.known.count)
    func set(_ group: BodyStartTag, _ names: Name...) { for name in names { table[Int(name.raw)] = group } }
    set(.html, .html)
    set(.headContent, .base, .basefont, .bgsound, .link, .meta, .noframes, .script, .style, .template, .title)
    set(.body, .body)
    set(.frameset, .frameset)
    set(
      .block, .address, .article, .aside, .blockquote, .center, .details, .dialog, .dir, .div, .dl, .fieldset, .figcaption, .figure,
      .footer, .header, .hgroup, .main, .menu, .nav, .ol, .p, .search, .section, .summary, .ul)
    set(.heading, .h1, .h2, .h3, .h4, .h5, .h6)
    set(.preformatted, .pre, .listing)
    set(.form, .form)
    set(.listItem, .li)
    set(.description, .dd, .dt)
    set(.plaintext, .plaintext)
    set(.button, .button)
    set(.anchor, .a)
    set(.formatting, .b, .big, .code, .em, .font, .i, .s, .small, .strike, .strong, .tt, .u)
    set(.nobr, .nobr)
    set(.scoped, .applet, .marquee, .object)
    set(.table, .table)
    set(.void, .area, .br, .embed, .img, .keygen, .wbr)
    set(.input, .input)
    set(.parameter, .param, .source, .track)
    set(.rule, .hr)
    set(.image, .image)
    set(.textarea, .textarea)
    set(.xmp, .xmp)
    set(.iframe, .iframe)
    set(.noembed, .noembed)
    set(.select, .select)
    set(.option, .option)
    set(.optgroup, .optgroup)
    set(.rubyBase, .rb, .rtc)
    set(.rubyText, .rp, .rt)
    set(.math, .math)
    set(.svg, .svg)
    set(.ignored, .caption, .col, .colgroup, .frame, .head, .tbody, .td, .tfoot, .th, .thead, .tr)
    return table
  }()
}

/// Groups of end tags with the same rules in the insertion mode "in body".
enum BodyEndTag: UInt8 {
  case other, template, body, html, block, form, paragraph, listItem, description, heading, formatting, scoped, lineBreak

  static let byName: [BodyEndTag] = {
    var table = [BodyEndTag](repeating: .other, count: NameTable.known.count)
    func set(_ group: BodyEndTag, _ names: Name...) { for name in names { table[Int(name.raw)] = group } }
    set(.template, .template)
    set(.body, .body)
    set(.html, .html)
    set(
      .block, .address, .article, .aside, .blockquote, .button, .center, .details, .dialog, .dir, .div, .dl, .fieldset, .figcaption,
      .figure, .footer, .header, .hgroup, .listing, .main, .menu, .nav, .ol, .pre, .search, .section, .select, .summary, .ul)
    set(.form, .form)
    set(.paragraph, .p)
    set(.listItem, .li)
    set(.description, .dd, .dt)
    set(.heading, .h1, .h2, .h3, .h4, .h5, .h6)
    set(.formatting, .a, .b, .big, .code, .em, .font, .i, .nobr, .s, .small, .strike, .strong, .tt, .u)
    set(.scoped, .applet, .marquee, .object)
    set(.lineBreak, .br)
    return table
  }()
}
