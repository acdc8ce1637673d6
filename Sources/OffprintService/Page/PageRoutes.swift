import HTTPTypes
import Hummingbird
import NIOCore
import Offprint

/// The preview page and what it loads.
enum PageRoutes {
  static let routes: [ServiceRoute] = []
}
