/// Flexbox, grid, multi-column layout and box alignment.
public struct AlignStyle: Hashable, Sendable {
  public var flexDirection = FlexDirection.row
  public var flexWrap = FlexWrap.nowrap
  /// `flex-wrap: balance`, combined with `wrap` or `wrap-reverse`.
  public var flexWrapBalances = false
  /// At least 1.
  public var flexLineCount = 1
  public var flexGrow: Float = 0
  public var flexShrink: Float = 1
  public var flexBasis = SizeValue.auto
  public var order = 0
  public var alignItems = Alignment(.normal)
  public var alignSelf = Alignment(.auto)
  public var alignContent = Alignment(.normal)
  public var justifyItems = Alignment(.normal)
  public var justifySelf = Alignment(.auto)
  public var justifyContent = Alignment(.normal)
  /// Nil for `normal`.
  public var rowGap: LengthPercentage?
  public var columnGap: LengthPercentage?
  public var gridTemplateRows = GridTemplate.none
  public var gridTemplateColumns = GridTemplate.none
  public var gridTemplateAreas: GridTemplateAreas?
  public var gridAutoRows: [TrackSize] = [.breadth(.auto)]
  public var gridAutoColumns: [TrackSize] = [.breadth(.auto)]
  public var gridAutoFlow = GridAutoFlow()
  public var gridRowStart = GridLine.auto
  public var gridRowEnd = GridLine.auto
  public var gridColumnStart = GridLine.auto
  public var gridColumnEnd = GridLine.auto
  /// Nil for `auto`.
  public var columnCount: Int?
  /// In CSS px; nil for `auto`.
  public var columnWidth: Float?
  public var columnFill = ColumnFill.balance
  /// In CSS px; nil for `auto`.
  public var columnHeight: Float?
  public var columnWrap = ColumnWrap.auto
  public var columnSpan = ColumnSpan.none
  public var columnRule = GapRule()
  public var rowRule = GapRule()
  public var ruleOverlap = RuleOverlap.rowOverColumn
  /// The legacy `-webkit-box` properties. Those of `-webkit-box` containers and their items are also mapped to the properties above.
  public var webkitBox = WebkitBox()
  public init() {}

  /// https://drafts.csswg.org/css-multicol-2/#multi-column-container
  public var isMultiColumn: Bool { columnCount != nil || columnWidth != nil || columnHeight != nil }

  public struct WebkitBox: Hashable, Sendable {
    public var isVertical = false
    public var isReverse = false
    public var align = Alignment.Keyword.stretch
    public var pack = Alignment.Keyword.start
    public var flex: Float = 0
    public var ordinal = 1
    public init() {}
  }
}
