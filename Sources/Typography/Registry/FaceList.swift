internal import Synchronization

/// The faces of a registry, some of which are created on first use.
final class FaceStore: @unchecked Sendable {
  // Each slot is written atomically and only once.
  private let faces: [FontFace]
  private let catalog: FontCatalog?
  private let slots: UnsafeMutableBufferPointer<AtomicLazyReference<FontFace>>

  init(_ faces: [FontFace]) {
    self.faces = faces
    catalog = nil
    slots = UnsafeMutableBufferPointer(start: nil, count: 0)
  }

  init(_ catalog: FontCatalog) {
    faces = []
    self.catalog = catalog
    slots = .allocate(capacity: catalog.faceCount)
    for index in slots.indices { (slots.baseAddress.unsafelyUnwrapped + index).initialize(to: AtomicLazyReference()) }
  }

  deinit {
    slots.deinitialize()
    slots.deallocate()
  }

  var count: Int { catalog?.faceCount ?? faces.count }

  func face(_ index: Int) -> FontFace {
    guard let catalog else { return faces[index] }
    if let cached = slots[index].load() { return cached }
    return slots[index].storeIfNil(catalog.face(index))
  }
}

/// Faces in an order.
public struct FaceList: RandomAccessCollection, Sendable {
  let store: FaceStore
  /// Nil for the stored order.
  var order: [Int]?

  public var startIndex: Int { 0 }
  public var endIndex: Int { store.count }
  public subscript(position: Int) -> FontFace { store.face(order?[position] ?? position) }
}
