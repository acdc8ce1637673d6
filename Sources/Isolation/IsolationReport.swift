/// The isolation of a worker process, as determined when it started.
public struct IsolationReport: Hashable, Sendable, Codable {
  /// The layers. Each is effective independently of the others.
  public enum Layer: String, Hashable, Sendable, Codable, CaseIterable {
    /// Limits of address space, open files and file sizes; no core files.
    case resourceLimits
    /// The worker ends with the process that started it.
    case endsWithOwner
    /// A network namespace of its own, without any network.
    case noNetwork
    /// No capabilities, and no way to gain any by executing a program (`no_new_privs`); other processes cannot read its memory.
    case noPrivileges
    /// Landlock: only fonts and the system's libraries can be read, and nothing can be written.
    case files
    /// seccomp: system calls that rendering does not need fail.
    case systemCalls
  }

  /// The state of a layer.
  public struct State: Hashable, Sendable, Codable {
    /// The layer.
    public var layer: Layer
    /// Whether it is in force.
    public var isInForce: Bool
    /// Why not, or its version; may be empty.
    public var detail: String
    public init(layer: Layer, isInForce: Bool, detail: String = "") { self.layer = layer; self.isInForce = isInForce; self.detail = detail }
  }

  /// All layers, in the order of `Layer`.
  public var layers: [State]
  public init(layers: [State]) { self.layers = layers }

  /// The layers that are not in force.
  public var missing: [State] { layers.filter { !$0.isInForce } }
  /// Whether a layer is in force.
  public func has(_ layer: Layer) -> Bool { layers.contains { $0.layer == layer && $0.isInForce } }
}
