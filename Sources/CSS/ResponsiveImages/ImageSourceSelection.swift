import OffprintCoreTypes
public import OffprintDOM

/// The image source selected for an `<img>`.
public struct SelectedImage: Sendable, Equatable {
  /// The URL as in the attribute, without surrounding whitespace.
  public var url: String
  /// Image pixels per CSS px.
  public var density: Double
  /// The element that provides the `width` and `height` attributes: the `<img>` or the selected `<source>`.
  public var dimensions: NodeID
}

/// Selects among the sources of `<img>` and `<picture>`.
///
/// https://html.spec.whatwg.org/multipage/images.html#updating-the-source-set
public struct ImageSourceSelection {
  private let document: Document
  private let environment: MediaEnvironment
  /// The choice for each `<source>`, if it does not depend on the `<img>`.
  private var known: [NodeID: Choice?] = [:]

  /// Maximum number of children of a `<picture>` to examine for one `<img>`.
  private static let childLimit = 1000

  private struct Choice {
    var url: String
    var density: Double
  }

  public init(_ document: Document, _ environment: MediaEnvironment) {
    self.document = document
    self.environment = environment
  }

  /// Selects the source of an `<img>`; nil if absent.
  ///
  /// - Parameter autoSize: The width of the image's box in CSS px, for `sizes="auto"`.
  public mutating func select(_ image: NodeID, autoSize: () -> Double? = { nil }) -> SelectedImage? {
    let auto = allowsAutoSizes(image) ? autoSize : { nil }
    if let source = chosenSource(of: image, auto) {
      let hasSize = document.hasAttribute(.width, of: source.node) || document.hasAttribute(.height, of: source.node)
      return SelectedImage(url: source.choice.url, density: source.choice.density, dimensions: hasSize ? source.node : image)
    }
    return ownChoice(image, auto).map { SelectedImage(url: $0.url, density: $0.density, dimensions: image) }
  }

  /// https://html.spec.whatwg.org/multipage/images.html#allows-auto-sizes
  private func allowsAutoSizes(_ image: NodeID) -> Bool {
    guard let loading = document.attribute(.loading, of: image), equalsIgnoringCase(loading, "lazy") else { return false }
    return document.attribute(.sizes, of: image).map(SourceSizes.isAuto) ?? false
  }

  /// The first suitable `<source>` before the `<img>`.
  private mutating func chosenSource(of image: NodeID, _ auto: () -> Double?) -> (node: NodeID, choice: Choice)? {
    let parent = document.parentElement(of: image)
    guard !parent.isNone, document.isHTMLElement(parent, .picture) else { return nil }
    for child in document.elementChildren(of: parent).prefix(Self.childLimit) {
      if child == image { return nil }
      guard document.isHTMLElement(child, .source), let choice = choice(source: child, auto) else { continue }
      return (child, choice)
    }
    return nil
  }

  private mutating func choice(source: NodeID, _ auto: () -> Double?) -> Choice? {
    if let known = known[source] { return known }
    let result = sourceChoice(source, auto)
    if !(document.attribute(.sizes, of: source).map(SourceSizes.isAuto) ?? false) { known[source] = .some(result) }
    return result
  }

  private func sourceChoice(_ source: NodeID, _ auto: () -> Double?) -> Choice? {
    guard let srcset = document.attribute(.srcset, of: source) else { return nil }
    if let media = document.attribute(.media, of: source),
      !MediaQueryEvaluator.matches(String(decoding: media, as: UTF8.self), environment)
    {
      return nil
    }
    if let type = document.attribute(.type, of: source), !type.isEmpty, !SupportedImageTypes.areDecoded(type) { return nil }
    return best(SourceSetParser.parse(srcset), source, auto)
  }

  /// https://html.spec.whatwg.org/multipage/images.html#create-a-source-set
  private func ownChoice(_ image: NodeID, _ auto: () -> Double?) -> Choice? {
    var candidates = document.attribute(.srcset, of: image).map(SourceSetParser.parse) ?? []
    let hasWidth = candidates.contains { if case .width = $0.descriptor { true } else { false } }
    if let src = document.attribute(.src, of: image), !src.isEmpty, !hasWidth { candidates.append(ImageCandidate(url: src)) }
    return best(candidates, image, auto)
  }

  // MARK: Choosing by density

  /// https://html.spec.whatwg.org/multipage/images.html#normalizing-the-source-densities and #select-an-image-source
  private func best(_ candidates: [ImageCandidate], _ element: NodeID, _ auto: () -> Double?) -> Choice? {
    guard !candidates.isEmpty else { return nil }
    var size: Double?
    let densities = candidates.map { candidate in
      switch candidate.descriptor {
      case .none: return 1.0
      case .density(let density): return density
      case .width(let width):
        let known = size ?? sourceSize(element, auto)
        size = known
        return known > 0 ? width / known : .infinity
      }
    }
    var order = densities.indices.sorted { (densities[$0], $0) < (densities[$1], $1) }
    // Among equal densities the first candidate is kept.
    var last = -1.0
    order.removeAll { index in
      defer { last = densities[index] }
      return densities[index] == last
    }
    let chosen = order[Self.choose(order.map { densities[$0] }, for: environment.resolution)]
    return Choice(url: String(decoding: candidates[chosen].url.trimmingSpaces, as: UTF8.self), density: densities[chosen])
  }

  private func sourceSize(_ element: NodeID, _ auto: () -> Double?) -> Double {
    guard let sizes = document.attribute(.sizes, of: element) else { return environment.width }
    return SourceSizes.parse(sizes, environment, auto: auto)
  }

  /// Selects a density. The HTML standard leaves this to the user agent; Chromium switches to the next density at the geometric mean of two
  /// candidates.
  private static func choose(_ densities: [Double], for device: Double) -> Int {
    for index in densities.indices.dropLast() where densities[index + 1] >= device {
      let (current, next) = (densities[index], densities[index + 1])
      let isTooCoarse = device <= 1 && device > current
      return isTooCoarse || device >= (current * next).squareRoot() ? index + 1 : index
    }
    return densities.count - 1
  }
}
