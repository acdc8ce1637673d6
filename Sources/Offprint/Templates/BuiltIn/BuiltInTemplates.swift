/// The templates that come with the library, as their files would be.
enum BuiltInTemplates {
  /// Sorted.
  static let names = ["badge", "card", "certificate", "label", "receipt", "snippet", "ticket"]

  static func source(_ name: String) -> String? {
    switch name {
    case "badge": badge
    case "card": card
    case "certificate": certificate
    case "label": label
    case "receipt": receipt
    case "snippet": snippet
    case "ticket": ticket
    default: nil
    }
  }
}
