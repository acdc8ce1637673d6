package import OffprintCoreTypes

/// What a document has besides what is painted: its pages, and what readers show of it.
package struct VectorDocument: Sendable {
  /// A sheet of paper, and what of the display list is on it.
  package struct Page: Sendable {
    /// CSS px.
    package var width: Double
    package var height: Double
    /// The part of the list, in its pixels.
    package var area: PixelRect
    /// Where that begins on the sheet, in CSS px.
    package var left: Double
    package var top: Double
    /// What is around that: the part of the list of margins, in its pixels.
    package var margins: PixelRect?

    package init(width: Double, height: Double, area: PixelRect, left: Double = 0, top: Double = 0) {
      self.width = width; self.height = height; self.area = area; self.left = left; self.top = top
    }
  }

  package enum Target: Hashable, Sendable {
    case address(String)
    /// A point of the list.
    case point(DisplayPoint)
  }

  /// Rectangles are in the list's pixels.
  package struct Link: Sendable {
    package var rect: PixelRect
    package var target: Target
    package init(rect: PixelRect, target: Target) { self.rect = rect; self.target = target }
  }

  /// A heading: 1 is the highest level.
  package struct Heading: Sendable {
    package var level: Int
    package var title: String
    package var point: DisplayPoint
    package init(level: Int, title: String, point: DisplayPoint) { self.level = level; self.title = title; self.point = point }
  }

  package var pages: [Page]
  /// The list's pixels of a CSS px.
  package var scale: Double
  package var links: [Link] = []
  package var headings: [Heading] = []
  package var title = ""
  package var author = ""
  package var subject = ""
  package var keywords = ""
  /// As in `lang`: https://www.rfc-editor.org/rfc/rfc5646
  package var language = ""

  package init(pages: [Page], scale: Double) { self.pages = pages; self.scale = scale }
}
