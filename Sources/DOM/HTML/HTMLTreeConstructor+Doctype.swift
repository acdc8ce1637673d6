import OffprintCoreTypes

extension HTMLTreeConstructor {
  /// Appends the doctype and determines the quirks mode. The node's data is the public identifier, and its only attribute the system
  /// identifier; without identifiers there is no attribute.
  mutating func insertDoctype() {
    let doctype = makeNode(.doctype)
    nodes[doctype.index].name = token.name
    if token.hasPublicIdentifier || token.hasSystemIdentifier {
      let first = tokenizer.attributes.count
      tokenizer.attributes.append(Attribute(name: .empty, value: token.systemIdentifier))
      nodes[doctype.index].attributes = TextRange(from: first, to: first + 1)
      nodes[doctype.index].data = token.data
    }
    append(doctype, to: .document)
    quirksMode = quirksModeOfDoctype()
  }

  /// https://html.spec.whatwg.org/multipage/parsing.html#the-initial-insertion-mode
  private func quirksModeOfDoctype() -> QuirksMode {
    let publicID = tokenizer.text[token.data.range].map(\.asciiLowercased)
    let systemID = tokenizer.text[token.systemIdentifier.range].map(\.asciiLowercased)
    if token.forceQuirks || token.name != .html { return .quirks }
    if token.hasPublicIdentifier {
      if quirkyPublicIdentifiers.contains(where: { publicID.elementsEqual($0.utf8) }) { return .quirks }
      if quirkyPublicPrefixes.contains(where: { publicID.starts(with: $0.utf8) }) { return .quirks }
      if limitedQuirksPrefixes.contains(where: { publicID.starts(with: $0.utf8) }) { return .limitedQuirks }
      if html4Prefixes.contains(where: { publicID.starts(with: $0.utf8) }) { return token.hasSystemIdentifier ? .limitedQuirks : .quirks }
    }
    let isIBM = systemID.elementsEqual("http://www.ibm.com/data/dtd/v11/ibmxhtml1-transitional.dtd".utf8)
    return token.hasSystemIdentifier && isIBM ? .quirks : .noQuirks
  }
}

private let quirkyPublicIdentifiers = ["-//w3o//dtd w3 html strict 3.0//en//", "-/w3c/dtd html 4.0 transitional/en", "html"]
private let limitedQuirksPrefixes = ["-//w3c//dtd xhtml 1.0 frameset//", "-//w3c//dtd xhtml 1.0 transitional//"]
private let html4Prefixes = ["-//w3c//dtd html 4.01 frameset//", "-//w3c//dtd html 4.01 transitional//"]
private let quirkyPublicPrefixes = [
  "+//silmaril//dtd html pro v0r11 19970101//", "-//as//dtd html 3.0 aswedit + extensions//",
  "-//advasoft ltd//dtd html 3.0 aswedit + extensions//", "-//ietf//dtd html 2.0 level 1//", "-//ietf//dtd html 2.0 level 2//",
  "-//ietf//dtd html 2.0 strict level 1//", "-//ietf//dtd html 2.0 strict level 2//", "-//ietf//dtd html 2.0 strict//",
  "-//ietf//dtd html 2.0//", "-//ietf//dtd html 2.1e//", "-//ietf//dtd html 3.0//", "-//ietf//dtd html 3.2 final//",
  "-//ietf//dtd html 3.2//", "-//ietf//dtd html 3//", "-//ietf//dtd html level 0//", "-//ietf//dtd html level 1//",
  "-//ietf//dtd html level 2//", "-//ietf//dtd html level 3//", "-//ietf//dtd html strict level 0//",
  "-//ietf//dtd html strict level 1//", "-//ietf//dtd html strict level 2//", "-//ietf//dtd html strict level 3//",
  "-//ietf//dtd html strict//", "-//ietf//dtd html//", "-//metrius//dtd metrius presentational//",
  "-//microsoft//dtd internet explorer 2.0 html strict//", "-//microsoft//dtd internet explorer 2.0 html//",
  "-//microsoft//dtd internet explorer 2.0 tables//", "-//microsoft//dtd internet explorer 3.0 html strict//",
  "-//microsoft//dtd internet explorer 3.0 html//", "-//microsoft//dtd internet explorer 3.0 tables//",
  "-//netscape comm. corp.//dtd html//", "-//netscape comm. corp.//dtd strict html//", "-//o'reilly and associates//dtd html 2.0//",
  "-//o'reilly and associates//dtd html extended 1.0//", "-//o'reilly and associates//dtd html extended relaxed 1.0//",
  "-//sq//dtd html 2.0 hotmetal + extensions//", "-//softquad software//dtd hotmetal pro 6.0::19990601::extensions to html 4.0//",
  "-//softquad//dtd hotmetal pro 4.0::19971010::extensions to html 4.0//", "-//spyglass//dtd html 2.0 extended//",
  "-//sun microsystems corp.//dtd hotjava html//", "-//sun microsystems corp.//dtd hotjava strict html//",
  "-//w3c//dtd html 3 1995-03-24//", "-//w3c//dtd html 3.2 draft//", "-//w3c//dtd html 3.2 final//", "-//w3c//dtd html 3.2//",
  "-//w3c//dtd html 3.2s draft//", "-//w3c//dtd html 4.0 frameset//", "-//w3c//dtd html 4.0 transitional//",
  "-//w3c//dtd html experimental 19960712//", "-//w3c//dtd html experimental 970421//", "-//w3c//dtd w3 html//",
  "-//w3o//dtd w3 html 3.0//", "-//webtechs//dtd mozilla html 2.0//", "-//webtechs//dtd mozilla html//",
]
