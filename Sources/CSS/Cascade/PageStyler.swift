public import OffprintCoreTypes
import OffprintDOM

/// The styles of a page and of its margin boxes. https://drafts.csswg.org/css-page-3/#page-properties
public struct PageContextStyle {
  public struct MarginBox {
    public var box: PageMarginBox
    public var style: ComputedStyle
    /// The style of the content generated in the box.
    public var contents: ComputedStyle
  }

  /// The background of the whole page.
  public var page: ComputedStyle
  /// The border and padding around the page area.
  public var frame: ComputedStyle
  /// The margin boxes that are generated.
  public var boxes: [MarginBox] = []
}

/// Computes page styles from the `@page` rules of a document.
public struct PageStyler {
  private let rules: [PageRule]
  private let arena: StyleArena
  private let computer: StyleComputer
  /// The style of the root element, from which the page context inherits.
  private let root: ComputedStyle

  private static let verticalAlign = PropertyID.named("vertical-align")

  public init(_ styled: StyledDocument, fontMetrics: any FontMetricsProvider, deadline: Deadline = .never) {
    rules = styled.pageRules
    arena = styled.arena
    let element = styled.document.documentElement
    root = element.isNone ? styled.arena.initialStyle : styled.style(of: element)
    computer = StyleComputer(
      arena: styled.arena, viewport: (Float(styled.media.width), Float(styled.media.height)), fontMetrics: fontMetrics,
      names: NameInterner(table: styled.document.names), quirks: false, isDark: styled.media.isDark, resolution: styled.media.resolution,
      meter: WorkMeter(deadline: deadline))
  }

  /// Whether any rule declares more than sizes and margins.
  public var isNeeded: Bool { rules.contains { !$0.boxes.isEmpty || !$0.page.normal.isEmpty || !$0.page.important.isEmpty } }

  public func style(_ classes: Set<PageRule.PseudoClass>, name: ByteString?) -> PageContextStyle {
    let matching = PageRule.matching(rules, classes, name: name)
    let page = compute(matching.map(\.page), parent: root)
    var result = PageContextStyle(page: pageBackground(page), frame: frame(page))
    for box in PageMarginBox.allCases {
      let blocks = matching.compactMap { $0.boxes[box] }
      if !blocks.isEmpty, let box = marginBox(box, blocks, page) { result.boxes.append(box) }
    }
    return result
  }

  private func compute(_ blocks: [DeclarationBlock], parent: ComputedStyle) -> ComputedStyle {
    let cascaded = (blocks.flatMap(\.normal) + blocks.flatMap(\.important)).map {
      CascadedDeclaration(declaration: $0, origin: .author, layer: 0)
    }
    return computer.compute(cascaded, parent: parent, root: root, isRootElement: false)
  }

  /// Nil if `content` is `none` or `normal`. https://drafts.csswg.org/css-page-3/#populating-margin-boxes
  private func marginBox(_ box: PageMarginBox, _ blocks: [DeclarationBlock], _ page: ComputedStyle) -> PageContextStyle.MarginBox? {
    let parent = arena.modified(page) { record in
      var text = record.text.pointee
      text.textAlign = box.textAlign
      record.text = arena.allocate(text)
    }
    let own = compute(blocks, parent: parent)
    guard case .items = own.content.content, own.box.display != .none else { return nil }
    let declaresAlign = blocks.contains { ($0.normal + $0.important).contains { $0.property == Self.verticalAlign } }
    let style = placed(own) { record in
      var align = record.align.pointee
      align.alignContent = Alignment(Self.alignment(declaresAlign ? own.box.verticalAlign : box.verticalAlign))
      record.align = arena.allocate(align)
    }
    var contents = ContentStyle()
    contents.content = own.content.content
    let inline = arena.modified(arena.anonymousStyle(inheriting: own, display: .inline)) { $0.content = arena.allocate(contents) }
    return .init(box: box, style: style, contents: inline)
  }

  private static func alignment(_ value: VerticalAlign) -> Alignment.Keyword {
    switch value {
    case .middle: .center
    case .bottom: .end
    default: .start
    }
  }

  /// An in-flow block with the given style.
  private func placed(_ style: ComputedStyle, _ change: (inout StyleRecord) -> Void = { _ in }) -> ComputedStyle {
    arena.modified(style) { record in
      var box = record.box.pointee
      box.display = .flowRoot
      box.position = .static
      box.float = .none
      record.box = arena.allocate(box)
      change(&record)
    }
  }

  private func pageBackground(_ page: ComputedStyle) -> ComputedStyle {
    let plain = arena.anonymousStyle(inheriting: page, display: .flowRoot)
    return arena.modified(plain) { record in
      record.background = page.record.pointee.background
      record.content = page.record.pointee.content
    }
  }

  private func frame(_ page: ComputedStyle) -> ComputedStyle {
    let plain = arena.anonymousStyle(inheriting: page, display: .flowRoot)
    return arena.modified(plain) { record in
      record.border = page.record.pointee.border
      var box = record.box.pointee
      box.padding = page.box.padding
      record.box = arena.allocate(box)
    }
  }
}
