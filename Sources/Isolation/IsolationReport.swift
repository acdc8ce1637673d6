/// What keeps a worker process from doing harm, as it found it when it started.
public struct IsolationReport: Hashable, Sendable, Codable {
  /// The layers. Each holds without the others.
  public enum Layer: String, Hashable, Sendable, Codable, CaseIterable {
    /// Address space, open files, size of files, no core files.
    case resourceLimits
    /// It ends with the process that started it.
    case endsWithOwner
    /// A network namespace of its own, without any network.
    case noNetwork
    /// No capabilities, and no program that would give any (`no_new_privs`); nobody else looks into its memory.
    case noPrivileges
    /// Landlock: fonts and the system's libraries can be read, nothing else, and nothing be written.
    case files
    /// seccomp: system calls that a renderer has no use for fail.
    case systemCalls
  }

  /// A layer as it is.
  public struct State: Hashable, Sendable, Codable {
    /// Which.
    public var layer: Layer
    /// Whether it holds.
    public var isInForce: Bool
    /// Why not, or its version; may be empty.
    public var detail: String
    public init(layer: Layer, isInForce: Bool, detail: String = "") { self.layer = layer; self.isInForce = isInForce; self.detail = detail }
  }

  /// All layers, in the order of `Layer`.
  public var layers: [State]
  public init(layers: [State]) { self.layers = layers }

  /// What does not hold here.
  public var missing: [State] { layers.filter { !$0.isInForce } }
  /// Whether a layer holds.
  public func has(_ layer: Layer) -> Bool { layers.contains { $0.layer == layer && $0.isInForce } }
}
