/// The longhands of `background` or `mask` as specified. The number of images determines the number of layers; other lists are repeated or truncated.
///
/// https://drafts.csswg.org/css-backgrounds-3/#layering
public struct LayerLists: Hashable, Sendable {
  public struct Repetition: Hashable, Sendable {
    public var x: BackgroundLayer.Repeat
    public var y: BackgroundLayer.Repeat
    public init(x: BackgroundLayer.Repeat, y: BackgroundLayer.Repeat) {
      self.x = x
      self.y = y
    }
  }

  public var images: [ImageValue] = [.none]
  public var positionsX: [LengthPercentage] = [.percentage(0)]
  public var positionsY: [LengthPercentage] = [.percentage(0)]
  public var sizes: [BackgroundLayer.Size] = [.explicit(nil, nil)]
  public var repeats = [Repetition(x: .repeat, y: .repeat)]
  public var attachments: [BackgroundLayer.Attachment] = [.scroll]
  public var origins: [BoxEdge] = [.paddingBox]
  public var clips: [BoxEdge] = [.borderBox]
  public var blendModes: [BlendMode] = [.normal]
  public var composites: [BackgroundLayer.Composite] = [.add]
  public var maskModes: [BackgroundLayer.MaskMode] = [.matchSource]
  public init() {}

  public static let mask: LayerLists = {
    var lists = LayerLists()
    lists.origins = [.borderBox]
    return lists
  }()

  var layers: [BackgroundLayer] {
    images.indices.map { index in
      func item<T>(_ list: [T], _ fallback: T) -> T { list.isEmpty ? fallback : list[index % list.count] }
      var layer = BackgroundLayer()
      layer.image = images[index]
      layer.position = Position(x: item(positionsX, .zero), y: item(positionsY, .zero))
      layer.size = item(sizes, layer.size)
      let repetition = item(repeats, Repetition(x: .repeat, y: .repeat))
      layer.repeatX = repetition.x
      layer.repeatY = repetition.y
      layer.attachment = item(attachments, .scroll)
      layer.origin = item(origins, .paddingBox)
      layer.clip = item(clips, .borderBox)
      layer.blendMode = item(blendModes, .normal)
      layer.composite = item(composites, .add)
      layer.maskMode = item(maskModes, .matchSource)
      return layer
    }
  }
}
