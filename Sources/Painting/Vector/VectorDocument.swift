package import OffprintCoreTypes

/// The pages of a document and its metadata, outline and links.
package struct VectorDocument: Sendable {
  /// A page, and the part of the display list it shows.
  package struct Page: Sendable {
    /// Size in CSS px.
    package var width: Double
    package var height: Double
    /// The part of the list, in pixels of the list.
    package var area: PixelRect
    /// Position of that part on the page, in CSS px.
    package var left: Double
    package var top: Double
    /// The part of the list of margin content, in pixels of that list.
    package var margins: PixelRect?

    package init(width: Double, height: Double, area: PixelRect, left: Double = 0, top: Double = 0) {
      self.width = width; self.height = height; self.area = area; self.left = left; self.top = top
    }
  }

  package enum Target: Hashable, Sendable {
    case address(String)
    /// A point in pixels of the list.
    case point(DisplayPoint)
  }

  /// A clickable area, in pixels of the list.
  package struct Link: Sendable {
    package var rect: PixelRect
    package var target: Target
    package init(rect: PixelRect, target: Target) { self.rect = rect; self.target = target }
  }

  /// A heading; level 1 is the highest.
  package struct Heading: Sendable {
    package var level: Int
    package var title: String
    package var point: DisplayPoint
    package init(level: Int, title: String, point: DisplayPoint) { self.level = level; self.title = title; self.point = point }
  }

  package var pages: [Page]
  /// Pixels of the list per CSS px.
  package var scale: Double
  package var links: [Link] = []
  package var headings: [Heading] = []
  package var title = ""
  package var author = ""
  package var subject = ""
  package var keywords = ""
  /// A language tag (BCP 47), as in `lang`. https://www.rfc-editor.org/rfc/rfc5646
  package var language = ""

  package init(pages: [Page], scale: Double) { self.pages = pages; self.scale = scale }
}
