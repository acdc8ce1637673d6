import Offprint
import OffprintCommandLine
import OffprintCoreTypes

// The functions of include/offprint.h, where they are documented.

/// Incremented when a function or a type of the header changes incompatibly; equal to the number in the shared library's SONAME.
private let abiVersion: UInt32 = 0

@_cdecl("offprint_abi_version")
public func offprint_abi_version() -> UInt32 { abiVersion }

@_cdecl("offprint_renderer_create")
public func offprint_renderer_create(
  _ configuration: UnsafeRawPointer?, _ length: Int, _ error: UnsafeMutablePointer<UnsafeMutableRawPointer?>?
) -> UnsafeMutableRawPointer? {
  prepareHost()
  error?.pointee = nil
  do throws(OffprintError) {
    return handle(try EmbeddedRenderer(configuration: bytes(configuration, length)))
  } catch let failure {
    error?.pointee = handle(ResultBox(failure))
    return nil
  }
}

@_cdecl("offprint_renderer_destroy")
public func offprint_renderer_destroy(_ renderer: UnsafeRawPointer?) {
  // In a forked child the renderer is not destroyed, which would wait for threads that do not exist.
  guard let renderer, object(renderer, as: EmbeddedRenderer.self).isOfThisProcess else { return }
  object(renderer, as: EmbeddedRenderer.self).close()
  release(renderer, as: EmbeddedRenderer.self)
}

@_cdecl("offprint_render")
public func offprint_render(
  _ renderer: UnsafeRawPointer?, _ job: UnsafeRawPointer?, _ jobLength: Int, _ html: UnsafeRawPointer?, _ htmlLength: Int,
  _ cancellation: UnsafeRawPointer?
) -> UnsafeMutableRawPointer {
  result { () throws(OffprintError) in
    try embedded(renderer).render(
      bytes(job, jobLength), html: html.map { bytes($0, htmlLength) }, cancellation.map { object($0, as: RenderCancellation.self) })
  }
}

@_cdecl("offprint_measure")
public func offprint_measure(
  _ renderer: UnsafeRawPointer?, _ job: UnsafeRawPointer?, _ jobLength: Int, _ html: UnsafeRawPointer?, _ htmlLength: Int,
  _ cancellation: UnsafeRawPointer?
) -> UnsafeMutableRawPointer {
  result { () throws(OffprintError) in
    try embedded(renderer).measure(
      bytes(job, jobLength), html: html.map { bytes($0, htmlLength) }, cancellation.map { object($0, as: RenderCancellation.self) })
  }
}

@_cdecl("offprint_list")
public func offprint_list(_ renderer: UnsafeRawPointer?, _ what: UnsafePointer<CChar>?) -> UnsafeMutableRawPointer {
  prepareHost()
  return result { () throws(OffprintError) in
    let name = what.map { String(cString: $0) } ?? ""
    if let renderer { return try object(renderer, as: EmbeddedRenderer.self).list(name) }
    return EmbeddedRenderer.Answer(json: try EmbeddedRenderer.list(name))
  }
}

@_cdecl("offprint_result_is_error")
public func offprint_result_is_error(_ result: UnsafeRawPointer?) -> Int32 {
  result.map { object($0, as: ResultBox.self).isError ? 1 : 0 } ?? 1
}

@_cdecl("offprint_result_data")
public func offprint_result_data(_ result: UnsafeRawPointer?, _ length: UnsafeMutablePointer<Int>?) -> UnsafePointer<UInt8>? {
  let data = result.map { object($0, as: ResultBox.self).data }
  length?.pointee = data?.count ?? 0
  return UnsafePointer(data?.baseAddress)
}

@_cdecl("offprint_result_json")
public func offprint_result_json(_ result: UnsafeRawPointer?, _ length: UnsafeMutablePointer<Int>?) -> UnsafePointer<CChar>? {
  let json = result.map { object($0, as: ResultBox.self).json }
  length?.pointee = max(0, (json?.count ?? 0) - 1)
  return json?.baseAddress.map { UnsafeRawPointer($0).assumingMemoryBound(to: CChar.self) }
}

@_cdecl("offprint_result_free")
public func offprint_result_free(_ result: UnsafeRawPointer?) { if let result { release(result, as: ResultBox.self) } }

@_cdecl("offprint_cancellation_create")
public func offprint_cancellation_create() -> UnsafeMutableRawPointer { handle(RenderCancellation()) }

@_cdecl("offprint_cancel")
public func offprint_cancel(_ cancellation: UnsafeRawPointer?) {
  if let cancellation { object(cancellation, as: RenderCancellation.self).cancel() }
}

@_cdecl("offprint_cancellation_destroy")
public func offprint_cancellation_destroy(_ cancellation: UnsafeRawPointer?) {
  if let cancellation { release(cancellation, as: RenderCancellation.self) }
}

@_cdecl("offprint_main")
public func offprint_main() -> Int32 { CommandLineProgram.main() }

/// Does nothing in our own programs, where `offprint_main` has set the role already.
private func prepareHost() { if Program.role == .swiftLibrary { Program.role = .cLibrary } }

private func embedded(_ renderer: UnsafeRawPointer?) throws(OffprintError) -> EmbeddedRenderer {
  guard let renderer else { throw OffprintError(.usage, "The argument 'renderer' is NULL.") }
  return object(renderer, as: EmbeddedRenderer.self)
}
