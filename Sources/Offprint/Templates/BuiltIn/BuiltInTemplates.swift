/// The templates that are part of the library, as if read from files.
enum BuiltInTemplates {
  /// Sorted.
  static let names = ["badge", "card", "certificate", "countdown", "label", "loader", "receipt", "snippet", "ticket"]

  static func source(_ name: String) -> String? {
    switch name {
    case "badge": badge
    case "card": card
    case "certificate": certificate
    case "countdown": countdown
    case "label": label
    case "loader": loader
    case "receipt": receipt
    case "snippet": snippet
    case "ticket": ticket
    default: nil
    }
  }
}
