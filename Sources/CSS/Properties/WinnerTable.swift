/// The last declaration of each property for the element being computed. Manually allocated memory avoids exclusivity checks on every write.
final class WinnerTable {
  private let winners: UnsafeMutablePointer<Int32>
  /// The stamp of the element for which the winner is valid.
  private let stamps: UnsafeMutablePointer<UInt32>
  private let touched: UnsafeMutablePointer<PropertyID>
  private let capacity: Int
  private let state: UnsafeMutablePointer<(stamp: UInt32, count: Int)>

  init(capacity: Int) {
    self.capacity = capacity
    winners = .allocate(capacity: capacity)
    winners.initialize(repeating: -1, count: capacity)
    stamps = .allocate(capacity: capacity)
    stamps.initialize(repeating: 0, count: capacity)
    touched = .allocate(capacity: capacity)
    touched.initialize(repeating: .custom, count: capacity)
    state = .allocate(capacity: 1)
    state.initialize(to: (0, 0))
  }

  deinit {
    winners.deallocate()
    stamps.deallocate()
    touched.deallocate()
    state.deallocate()
  }

  /// Clears the table for the next element.
  func begin() {
    state.pointee.stamp &+= 1
    state.pointee.count = 0
  }

  /// The number of declared properties.
  var count: Int { state.pointee.count }

  /// The declared properties, in the order of their first declaration.
  subscript(index: Int) -> PropertyID { index < capacity ? touched[index] : .custom }

  func touch(_ property: PropertyID, _ declaration: Int) {
    let place = Int(property.rawValue)
    guard place < capacity else { return }
    if stamps[place] != state.pointee.stamp {
      stamps[place] = state.pointee.stamp
      touched[state.pointee.count] = property
      state.pointee.count += 1
    } else if Int(winners[place]) > declaration {
      return
    }
    winners[place] = Int32(truncatingIfNeeded: declaration)
  }

  func winner(_ property: PropertyID) -> Int? {
    let place = Int(property.rawValue)
    return place < capacity && stamps[place] == state.pointee.stamp ? Int(winners[place]) : nil
  }
}
