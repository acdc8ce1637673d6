public import OffprintCoreTypes

/// https://drafts.csswg.org/css-grid-2/#track-sizing
public enum TrackBreadth: Hashable, Sendable {
  case auto, minContent, maxContent
  case value(LengthPercentage)
  /// Valid only as a maximum.
  case flex(Float)
}

public enum TrackSize: Hashable, Sendable {
  case breadth(TrackBreadth)
  case minmax(TrackBreadth, TrackBreadth)
  case fitContent(LengthPercentage)
}

/// A component of a track list; line names are between tracks.
public enum TrackComponent: Hashable, Sendable {
  case lineNames([ByteString])
  case track(TrackSize)
  case `repeat`(RepeatCount, [TrackComponent])
}

public enum RepeatCount: Hashable, Sendable {
  case count(Int)
  case autoFill, autoFit
}

public enum GridTemplate: Hashable, Sendable {
  case none
  case tracks([TrackComponent])
  /// `subgrid` with its list of line names.
  case subgrid([TrackComponent])
}

/// A named area. Line numbers start at 1; the end lines are the edges of the area.
public struct GridArea: Hashable, Sendable {
  public var name: ByteString
  public var rowStart: Int, rowEnd: Int, columnStart: Int, columnEnd: Int
  public init(name: ByteString, rowStart: Int, rowEnd: Int, columnStart: Int, columnEnd: Int) {
    self.name = name
    self.rowStart = rowStart
    self.rowEnd = rowEnd
    self.columnStart = columnStart
    self.columnEnd = columnEnd
  }
}

public struct GridTemplateAreas: Hashable, Sendable {
  public var areas: [GridArea] = []
  public var rows = 0
  public var columns = 0
  public init() {}
}

/// https://drafts.csswg.org/css-grid-2/#typedef-grid-row-start-grid-line
public enum GridLine: Hashable, Sendable {
  case auto
  /// A line number; negative numbers count from the end.
  case line(Int)
  case named(ByteString, Int?)
  case span(Int)
  case spanNamed(ByteString, Int)
}

public struct GridAutoFlow: Hashable, Sendable {
  public var isColumn = false
  public var isDense = false
  public init() {}
}
