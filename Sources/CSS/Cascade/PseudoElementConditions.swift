import OffprintCoreTypes
import OffprintDOM

/// Determines which pseudo-elements an element has.
///
/// https://drafts.csswg.org/css-pseudo-4/
struct PseudoElementConditions {
  let tree: ElementTree

  /// Elements that have no `::before` and `::after`, since their content is replaced.
  private static let withoutContents: Set<Name> = [
    .img, .input, .br, .textarea, .select, .iframe, .video, .audio, .canvas, .object, .embed, .wbr, .meter, .progress,
  ]

  /// Whether an element with this style can generate the pseudo-element.
  ///
  /// - Parameter declaresContent: Whether a matching rule declares `content`.
  func generatesBox(_ pseudo: PseudoElement, _ element: UInt32, _ style: ComputedStyle, declaresContent: @autoclosure () -> Bool) -> Bool {
    switch pseudo {
    case .before, .after:
      if tree[element].namespace == .html, Self.withoutContents.contains(tree[element].name), !isCheckable(element) { return false }
      return declaresContent()
    case .marker: return style.box.display.isListItem
    case .placeholder: return tree[element].namespace == .html && ElementStates.showsPlaceholder(tree, element)
    case .fileSelectorButton: return tree.isHTML(element, .input) && ElementStates.inputType(tree, element) == "file"
    case .detailsContent: return tree.isHTML(element, .details)
    case .firstLine, .firstLetter: return true
    case .sliderTrack, .sliderThumb: return style.box.appearance == .none && ElementStates.inputType(tree, element) == "range"
    case .progressBar, .progressValue, .meterBar, .meterOptimumValue, .meterSuboptimumValue, .meterPoorValue:
      return style.isPlainGauge
    case .pickerIcon: return tree.baseSelects.contains(element)
    case .checkmark: return !tree.baseSelects.isEmpty && tree.isHTML(element, .option)
    case .beforeMarker, .afterMarker, .detailsFirstLine, .detailsFirstLetter: return true
    case .scrollMarkerGroup: return style.isScroller && style.box.scrollMarkerGroup != .none
    case .columnScrollMarker: return style.isScroller && declaresContent()
    case .scrollMarker: return declaresContent()
    case .scrollButtonBlockStart: return style.isScroller && declaresContent()
    case .earlierScrollMarker, .currentScrollMarker, .laterScrollMarker, .currentColumnScrollMarker, .laterColumnScrollMarker,
      .scrollButtonInlineStart, .scrollButtonInlineEnd, .scrollButtonBlockEnd, .disabledButtonBlockStart, .disabledButtonInlineStart,
      .disabledButtonInlineEnd, .disabledButtonBlockEnd:
      return false
    case .backdrop, .selection: return false
    }
  }

  /// Whether the element is a checkbox or radio button. In Chromium these have `::before` and `::after`, unlike other inputs.
  private func isCheckable(_ element: UInt32) -> Bool {
    guard tree.isHTML(element, .input) else { return false }
    let type = ElementStates.inputType(tree, element)
    return type == "checkbox" || type == "radio"
  }

  /// Whether a pseudo-element with this style generates a box.
  func isShown(_ pseudo: PseudoElement, _ style: ComputedStyle) -> Bool {
    guard pseudo == .before || pseudo == .after || pseudo.isScrollPart && pseudo != .scrollMarkerGroup else { return true }
    guard style.box.display != .none else { return false }
    switch style.content.content {
    case .normal, .none: return false
    case .items: return true
    }
  }
}

extension ComputedStyle {
  /// Whether this is a scroll container, which can have scroll buttons and markers.
  /// https://drafts.csswg.org/css-overflow-3/#scroll-container
  package var isScroller: Bool { box.overflowX.isScrollable || box.overflowY.isScrollable }
}
