import OffprintCoreTypes

extension Float: ComputedText {
  func css(_ writer: ComputedTextWriter) -> String {
    ComputedTextWriter.number(Double(self)) + writer.unit
  }
}
extension ByteString: ComputedText {
  func css(_ writer: ComputedTextWriter) -> String { text }
}
extension Double: ComputedText {
  func css(_ writer: ComputedTextWriter) -> String { ComputedTextWriter.number(self) + writer.unit }
}
extension Int: ComputedText {
  func css(_ writer: ComputedTextWriter) -> String { String(self) }
}
extension String: ComputedText {
  func css(_ writer: ComputedTextWriter) -> String {
    writer.unit == "\"" ? ComputedTextWriter.quoted(self) : self
  }
}
extension Optional: ComputedText {
  func css(_ writer: ComputedTextWriter) -> String { map { writer.text($0) } ?? writer.absence }
}
extension Array: ComputedText {
  func css(_ writer: ComputedTextWriter) -> String { writer.list(self) }
}
extension PhysicalSides: ComputedText where Value: Equatable {
  func css(_ writer: ComputedTextWriter) -> String { writer.sides(self) }
}

/// https://drafts.csswg.org/css-color-4/#serializing-sRGB-values
extension Color: ComputedText {
  func css(_ writer: ComputedTextWriter) -> String {
    let (red, green, blue, _) = rgba8
    if isOpaque { return "rgb(\(red), \(green), \(blue))" }
    let alpha = (Double(alpha) * 1000).rounded() / 1000
    return "rgba(\(red), \(green), \(blue), \(ComputedTextWriter.number(alpha)))"
  }
}
extension ColorValue: ComputedText {
  func css(_ writer: ComputedTextWriter) -> String { resolve(writer.color).css(writer) }
}

// MARK: Lengths

extension LengthPercentage: ComputedText {
  func css(_ writer: ComputedTextWriter) -> String {
    switch self {
    case .length(let px): return ComputedTextWriter.px(px)
    case .percentage(let percent): return ComputedTextWriter.number(Double(percent)) + "%"
    case .sum(let px, let percent):
      let length = ComputedTextWriter.px(abs(px))
      return "calc(\(ComputedTextWriter.number(Double(percent)))% \(px < 0 ? "-" : "+") \(length))"
    case .math(let expression):
      // If negative values are invalid, the range is part of the expression and not of its text.
      var inner = expression
      if case .max(let terms) = expression, terms.count == 2, terms[0] == .number(0) {
        inner = terms[1]
      }
      let text = inner.css(writer)
      return text.hasPrefix("(") ? "calc" + text : text
    }
  }
}
extension MathExpression: ComputedText {
  func css(_ writer: ComputedTextWriter) -> String {
    func function(_ name: String, _ arguments: [MathExpression]) -> String {
      "\(name)(\(arguments.map { $0.css(writer) }.joined(separator: ", ")))"
    }
    switch self {
    case .number(let px): return ComputedTextWriter.number(px) + "px"
    case .percentage(let percent): return ComputedTextWriter.number(percent) + "%"
    case .dimension(let number, let unit): return ComputedTextWriter.number(number) + "\(unit)"
    case .sum(let terms): return "(\(sum(terms, writer)))"
    case .product(let term, let factor):
      return "(\(ComputedTextWriter.number(factor)) * \(term.css(writer)))"
    case .min(let terms): return function("min", terms)
    case .max(let terms): return function("max", terms)
    case .clamp(let low, let value, let high): return function("clamp", [low, value, high])
    case .round(let strategy, let value, let step):
      return
        "round(\(ComputedTextWriter.keyword("\(strategy)")), \(value.css(writer)), \(step.css(writer)))"
    case .mod(let a, let b): return function("mod", [a, b])
    case .rem(let a, let b): return function("rem", [a, b])
    case .abs(let term): return function("abs", [term])
    case .anchor(let anchor, let fallback):
      return "\(anchor.isSize ? "anchor-size" : "anchor")(\(anchor.css)\(fallback.map { ", " + $0.css(writer) } ?? ""))"
    case .sign(let term): return function("sign", [term])
    case .basisSize: return "size"
    }
  }
}
extension MathExpression {
  fileprivate func withoutParentheses(_ writer: ComputedTextWriter) -> String {
    let text = css(writer)
    return text.hasPrefix("(") ? String(text.dropFirst().dropLast()) : text
  }

  /// Percentages come first, in Chromium's order of serialized sums.
  private func sum(_ terms: [MathExpression], _ writer: ComputedTextWriter) -> String {
    func isPercentage(_ term: MathExpression) -> Bool {
      if case .percentage = term { true } else { false }
    }
    var text = ""
    for term in terms.filter(isPercentage) + terms.filter({ !isPercentage($0) }) {
      let part = term.css(writer)
      if text.isEmpty {
        text = part
      } else {
        text += part.hasPrefix("-") ? " - \(part.dropFirst())" : " + \(part)"
      }
    }
    return text
  }
}
extension LengthPercentageAuto: ComputedText {
  func css(_ writer: ComputedTextWriter) -> String {
    switch self {
    case .auto: "auto"
    case .value(let value): value.css(writer)
    }
  }
}
extension SizeValue: ComputedText {
  func css(_ writer: ComputedTextWriter) -> String {
    switch self {
    case .value(let value): value.css(writer)
    case .calcSize(let size): "calc-size(\(size.basis.css(writer)), \(size.calculation.withoutParentheses(writer)))"
    case .auto, .none, .minContent, .maxContent, .fitContent, .stretch, .content:
      ComputedTextWriter.keyword("\(self)")
    }
  }
}
extension Position: ComputedText {
  func css(_ writer: ComputedTextWriter) -> String { "\(x.css(writer)) \(y.css(writer))" }
}
extension LineHeight: ComputedText {
  func css(_ writer: ComputedTextWriter) -> String {
    switch self {
    case .normal: "normal"
    case .number(let factor): ComputedTextWriter.number(Double(factor))
    case .length(let px): ComputedTextWriter.px(px)
    }
  }
}
extension VerticalAlign: ComputedText {
  func css(_ writer: ComputedTextWriter) -> String {
    if case .raise(let length) = self { return length.css(writer) }
    return ComputedTextWriter.keyword("\(self)")
  }
}
extension CornerRadius: ComputedText {
  func css(_ writer: ComputedTextWriter) -> String {
    horizontal == vertical
      ? horizontal.css(writer) : "\(horizontal.css(writer)) \(vertical.css(writer))"
  }
}
extension BoxStyle.AspectRatio: ComputedText {
  func css(_ writer: ComputedTextWriter) -> String {
    let text = ratio.map { "\(ComputedTextWriter.number(Double($0))) / 1" }
    return ([auto ? "auto" : nil, text].compactMap { $0 }).joined(separator: " ")
  }
}

// MARK: Keywords that differ from their case names

extension Display: ComputedText {
  func css(_ writer: ComputedTextWriter) -> String {
    switch self {
    case .inlineListItem: "inline list-item"
    case .flowRootListItem: "flow-root list-item"
    case .inlineFlowRootListItem: "inline flow-root list-item"
    case .webkitBox: "-webkit-box"
    case .webkitInlineBox: "-webkit-inline-box"
    default: ComputedTextWriter.keyword("\(self)")
    }
  }
}
extension Alignment: ComputedText {
  func css(_ writer: ComputedTextWriter) -> String {
    let name =
      switch keyword {
      case .lastBaseline: "last baseline"
      case .legacyLeft: "legacy left"
      case .legacyRight: "legacy right"
      case .legacyCenter: "legacy center"
      default: ComputedTextWriter.keyword("\(keyword)")
      }
    return overflow == .default ? name : "\(overflow) \(name)"
  }
}
