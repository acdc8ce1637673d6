import NIOCore
import Synchronization

/// Notifies the tasks of a connection when it closes.
final class ConnectionMonitor: Sendable {
  private struct State {
    var isClosed = false
    var next = 0
    var listeners: [Int: @Sendable () -> Void] = [:]
  }

  private let state = Mutex(State())

  /// - Returns: A number for unregistering; nil if the connection is already closed, in which case `body` was called.
  func listen(_ body: @escaping @Sendable () -> Void) -> Int? {
    let number = state.withLock { state -> Int? in
      guard !state.isClosed else { return nil }
      state.next += 1
      state.listeners[state.next] = body
      return state.next
    }
    if number == nil { body() }
    return number
  }

  func stop(_ number: Int?) { if let number { state.withLock { _ = $0.listeners.removeValue(forKey: number) } } }

  func close() {
    let listeners = state.withLock { state in
      state.isClosed = true
      defer { state.listeners = [:] }
      return state.listeners
    }
    listeners.values.forEach { $0() }
  }

  /// Runs `operation` and cancels it when the connection closes.
  func watching<Value: Sendable>(_ operation: @escaping @Sendable () async throws -> Value) async throws -> Value {
    let task = Task { try await operation() }
    let number = listen { task.cancel() }
    defer { stop(number) }
    return try await withTaskCancellationHandler {
      try await task.value
    } onCancel: {
      task.cancel()
    }
  }
}

/// The monitors of open connections. Needed because Hummingbird passes request handlers nothing of a connection but its channel.
final class ConnectionRegistry: Sendable {
  private let monitors = Mutex<[ObjectIdentifier: ConnectionMonitor]>([:])
  let responseBuffers = CacheFastPath.ResponseBuffers()

  var count: Int { monitors.withLock { $0.count } }

  func add(_ channel: any Channel) -> ConnectionMonitor {
    let monitor = ConnectionMonitor()
    monitors.withLock { $0[ObjectIdentifier(channel)] = monitor }
    return monitor
  }

  func remove(_ channel: any Channel) { monitors.withLock { $0.removeValue(forKey: ObjectIdentifier(channel)) }?.close() }

  func monitor(_ channel: any Channel) -> ConnectionMonitor {
    monitors.withLock { $0[ObjectIdentifier(channel)] } ?? ConnectionMonitor()
  }
}
