import OffprintCoreTypes
import OffprintLayout

/// Paints one kind of content: reads fragments and records commands into the display list.
protocol FragmentPainter {
  var context: PaintContext { get }
}

// Shorthands for the context, the recorder and the other painters.
extension FragmentPainter {
  var fragments: FragmentTree { context.fragments }
  var tree: BoxTree { context.tree }
  var images: ImageStore { context.images }
  var scale: Double { context.scale }
  var recorder: DisplayListRecorder { context.recorder }
  var transform: AffineTransform { recorder.transform }

  func x(_ value: LayoutUnit) -> Double { context.x(value) }
  func y(_ value: LayoutUnit) -> Double { context.y(value) }
  func length(_ value: Float) -> Double { context.length(value) }
  func snap(_ rect: LayoutRect) -> PixelRect { context.snap(rect) }
  func borderWidth(_ width: LayoutUnit) -> Int { context.borderWidth(width) }

  func add(_ command: DisplayCommand, _ bounds: PixelRect) { recorder.add(command, bounds) }
  func fill(_ rect: PixelRect, _ color: Color) { recorder.fill(rect, color) }
  func fill(_ shape: RoundedRect, _ color: Color) { recorder.fill(shape, color) }
  func fill(_ path: VectorPath, _ color: Color) { recorder.fill(path, color) }
  func fillRing(_ outer: RoundedRect, _ inner: RoundedRect, _ color: Color) { recorder.fillRing(outer, inner, color) }
  func stroke(_ path: VectorPath, _ stroke: Stroke, _ color: Color) { recorder.stroke(path, stroke, color) }
  func pushClip(_ shape: ClipShape) { recorder.pushClip(shape) }
  func popClip() { recorder.popClip() }
  func pushTransform(_ next: AffineTransform) { recorder.pushTransform(next) }
  func popTransform() { recorder.popTransform() }
  func pushGroup(_ group: Group) { recorder.pushGroup(group) }
  func popGroup() { recorder.popGroup() }

  var backgrounds: BackgroundPainter { BackgroundPainter(context: context) }
  var borders: BorderPainter { BorderPainter(context: context) }
  var boxes: BoxDecorationPainter { BoxDecorationPainter(context: context) }
  var canvas: CanvasPainter { CanvasPainter(context: context) }
  var masks: MaskPainter { MaskPainter(context: context) }
  var outlines: OutlinePainter { OutlinePainter(context: context) }
  var gapRules: GapRulePainter { GapRulePainter(context: context) }
  var replaced: ReplacedPainter { ReplacedPainter(context: context) }
  var tables: TablePainter { TablePainter(context: context) }
  var text: TextPainter { TextPainter(context: context) }
}
