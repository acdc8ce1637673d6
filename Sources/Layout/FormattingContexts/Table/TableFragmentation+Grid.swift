internal import OffprintCSS
internal import OffprintCoreTypes

// The grid and its sections. https://drafts.csswg.org/css-tables-3/#repeated-headers
extension TableFragmentation {
  /// - Returns: nil if the grid must be laid out again.
  func sections(in builder: FragmentBuilder) throws -> Stack? {
    let sections = table.layout.grid.sections
    var stack = Stack(end: builder.startEdge)
    // In Chromium there is no spacing at the start of a fragment that continues.
    stack.isBegun = !builder.isResuming
    let header = sections.indices.first.flatMap { isRepeated($0, .tableHeaderGroup, builder) ? $0 : nil }
    let footer = sections.indices.last.flatMap { $0 != header && isRepeated($0, .tableFooterGroup, builder) ? $0 : nil }
    let spacing = table.layout.spacing.block
    if let footer {
      builder.repeated.end = table.sectionSizes[footer] + spacing
      stack.footer = footer
    }
    if let header {
      builder.repeated.start = table.sectionSizes[header] + spacing
      if builder.isResuming { repeatSection(try table.repeatedHeader ?? whole(header), header, at: stack.end, &stack, builder) }
    }
    let children = Children(numbers: sections.indices, number: { box in sections.firstIndex { $0.box == box } }, child: section)
    guard try add(children, to: &stack, in: builder) else { return nil }
    if let header, !builder.isResuming { table.repeatedHeader = stack.placed.first { $0.child.number == header }?.result }
    if let footer, builder.state.contains(.hasInFlowBreak) {
      let result = try table.repeatedFooter ?? whole(footer)
      table.repeatedFooter = result
      repeatSection(result, footer, at: stack.childrenEnd, &stack, builder)
    }
    return stack
  }

  private func whole(_ index: Int) throws -> LayoutResult {
    try engine.fragmenting(FragmentationInput(space: nil, token: nil), input) { try section(index, $0) }
  }

  /// Adds a repeated section, unless one of its own fragments is there.
  private func repeatSection(
    _ result: LayoutResult, _ index: Int, at offset: LayoutUnit, _ stack: inout Stack, _ builder: FragmentBuilder
  ) {
    let child = section(index)
    guard !stack.placed.contains(where: { $0.child.number == index }),
      builder.previous?.children.contains(where: { $0.box == child.box }) != true || !builder.isResuming
    else { return }
    stack.placed.append(Placed(child: child, result: result, offset: offset))
    stack.end = max(stack.end, offset + direction.logical(result.size).block)
    stack.isBegun = true
  }

  private func section(_ index: Int) -> Child {
    let section = table.layout.grid.sections[index]
    var child = Child(box: section.box, gap: section.rows.isEmpty ? .zero : table.layout.spacing.block, number: index) {
      try self.section(index, $0)
    }
    child.inline = table.layout.edges.inlineStart + table.layout.spacing.inline
    child.shift = rows.relativeOffset(section.box, table.unfragmentedGridSize)
    return child
  }

  /// Whether a header or footer repeats. Chromium requires that it avoids breaks and takes at most a quarter of the fragmentainer.
  private func isRepeated(_ index: Int, _ display: Display, _ builder: FragmentBuilder) -> Bool {
    let section = table.layout.grid.sections[index], style = engine.style(section.box)
    guard table.layout.grid.sections.count > 1, style.box.display == display, !section.isBody, let space = builder.space,
      let capacity = space.blockSize
    else { return false }
    let size = table.sectionSizes[index]
    return (builder.kind == .page || style.box.breakInside.isAvoided(builder.kind)) && size > .zero && size <= capacity / 4
  }

  func gridResult(_ builder: FragmentBuilder, _ input: LayoutInput, _ stack: Stack, size: LogicalSize) throws -> LayoutResult {
    let layout = table.layout, physicalSize = direction.physical(size)
    let columns = rows.columnFragments(physicalSize, rowsEnd: stack.end)
    let outOfFlow =
      builder.isResuming
      ? []
      : layout.grid.outOfFlow.map { box in
        OutOfFlowCandidate(
          box: box,
          staticPosition: direction.physical(
            LogicalOffset(inline: layout.edges.inlineStart, block: layout.edges.blockStart), outer: physicalSize, inner: .zero))
      }
    let edges = direction.physical(layout.edges)
    let border = layout.collapsed == nil ? Sizing.border(layout.style) : edges
    let parts = rowParts(stack)
    let baseline = builder.isResuming ? nil : firstBaseline
    return try result(
      layout.gridBox, builder, input, stack, size: size, border: border, extra: columns, outOfFlow: outOfFlow
    ) { fragment, result in
      fragment.border = border
      fragment.padding = layout.collapsed == nil ? edges - border : .zero
      fragment.baseline = baseline
      result.firstBaseline = baseline
      if !table.borders.isEmpty { fragment.collapsedBorders = engine.record(sharedBorders(parts, in: physicalSize)) }
    }
  }

  private var firstBaseline: LayoutUnit? {
    var result = TableRows.Result(fragment: .none, inlineSize: .zero, blockSize: .zero, outOfFlow: [])
    for (section, start) in zip(table.layout.grid.sections, rows.sectionOffsets().starts) { rows.note(section, at: start, in: &result) }
    return result.firstBaseline
  }

  /// The rows, relative to the start of the grid's fragment.
  private func rowParts(_ stack: Stack) -> [RowPart] {
    stack.placed.flatMap { section in
      (table.rowParts[section.result.fragment] ?? []).map { part in
        var part = part
        part.start += section.offset
        return part
      }
    }
  }
}
