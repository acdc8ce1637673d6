import OffprintCoreTypes

/// Combines the values that a property has in two styles. https://drafts.csswg.org/web-animations-1/#animating-properties
struct PropertyInterpolator {
  /// The style whose writing mode and direction map logical properties to physical ones.
  let style: ComputedStyle
  let registered: [Name: RegisteredProperty]

  private func resolved(_ animated: AnimatedProperty) -> PropertyID {
    let text = style.text
    return PropertyTable.shared[animated.property].logical?.target(text.writingMode, text.direction) ?? animated.property
  }

  /// Nil if the values cannot be interpolated.
  func interpolated(_ animated: AnimatedProperty, _ from: ComputedStyle, _ to: ComputedStyle, _ progress: Double) -> Declaration? {
    if let name = animated.customName { return interpolated(name, from, to, progress) }
    return combined(animated, from, to) { $0.interpolated($1, $2, progress) }
  }

  /// Nil if the values cannot be added.
  func sum(
    _ animated: AnimatedProperty, _ underlying: ComputedStyle, _ value: ComputedStyle, _ composition: AnimationStyle.Composition
  ) -> Declaration? {
    animated.customName == nil ? combined(animated, underlying, value) { $0.sum($1, $2, composition) } : nil
  }

  private func combined(
    _ animated: AnimatedProperty, _ a: ComputedStyle, _ b: ComputedStyle,
    _ body: (LonghandKind, UnsafeRawPointer, UnsafeRawPointer) -> StoredValue?
  ) -> Declaration? {
    let property = resolved(animated), row = PropertyTable.shared[property]
    guard let a = a.unzoomed.record.pointee.group(row.group), let b = b.unzoomed.record.pointee.group(row.group),
      let value = body(row.kind, a, b)
    else { return nil }
    return Declaration(property: property, value: .specified(value), important: false)
  }

  /// Custom properties can be interpolated only if they are registered.
  ///
  /// https://drafts.css-houdini.org/css-properties-values-api/#animation-behavior-of-custom-properties
  private func interpolated(_ name: Name, _ from: ComputedStyle, _ to: ComputedStyle, _ progress: Double) -> Declaration? {
    guard let registration = registered[name], progress.isFinite else { return nil }
    func value(_ style: ComputedStyle) -> [UInt8]? { style.record.pointee.custom?.pointee.values[name] ?? registration.initialValue }
    guard let a = value(from), let b = value(to), let text = registration.interpolated(a, b, progress) else { return nil }
    let buffer = Tokenizer.tokenize(text)
    let raw = RawValue(buffer: buffer, tokens: 0..<max(buffer.tokens.count - 1, 0), quirks: false, baseURL: "", hasSubstitutions: false)
    return Declaration(property: .custom, value: .custom(name, raw), important: false)
  }

  // MARK: Discrete values

  /// The value during a discrete transition: the element is visible while either end value makes it visible. Nil for other properties.
  ///
  /// https://drafts.csswg.org/css-display-4/#display-animation
  func discrete(_ animated: AnimatedProperty, _ from: ComputedStyle, _ to: ComputedStyle, _ progress: Double) -> Declaration? {
    func isHidden(_ style: ComputedStyle) -> Bool? {
      switch animated.property {
      case Self.display: style.box.display == .none
      case Self.contentVisibility: style.box.contentVisibility == .hidden
      case Self.visibility: style.text.visibility != .visible
      default: nil
      }
    }
    guard let isFromHidden = isHidden(from), let isToHidden = isHidden(to), isFromHidden != isToHidden else { return nil }
    let isShown = progress > 0 && progress < 1 || (progress <= 0 ? !isFromHidden : !isToHidden)
    let shown = isFromHidden ? to : from, hidden = isFromHidden ? from : to
    return copy(animated.property, of: isShown ? shown : hidden)
  }

  private func copy(_ property: PropertyID, of style: ComputedStyle) -> Declaration? {
    let row = PropertyTable.shared[property]
    guard let group = style.unzoomed.record.pointee.group(row.group), let value = row.kind.stored(group) else { return nil }
    return Declaration(property: property, value: .specified(value), important: false)
  }

  /// Interpolated like a number, although its values are keywords.
  static let visibility = PropertyID.named("visibility")
  private static let display = PropertyID.named("display"), contentVisibility = PropertyID.named("content-visibility")
}
