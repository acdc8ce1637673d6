import COffprintLibXML2
import OffprintCoreTypes
import Glibc

extension XMLTreeBuilder {
  fileprivate static func from(_ context: UnsafeMutableRawPointer?) -> XMLTreeBuilder? {
    context.map { Unmanaged<XMLTreeBuilder>.fromOpaque($0).takeUnretainedValue() }
  }

  func setEvents(of handler: inout xmlSAXHandler) {
    handler.internalSubset = { context, name, publicID, systemID in
      XMLTreeBuilder.from(context)?.doctype(bytes(name), publicID.map { bytes($0) }, systemID.map { bytes($0) })
    }
    handler.characters = { XMLTreeBuilder.from($0)?.appendText(bytes($1, $2)) }
    handler.ignorableWhitespace = { XMLTreeBuilder.from($0)?.appendText(bytes($1, $2)) }
    handler.cdataBlock = { XMLTreeBuilder.from($0)?.appendText(bytes($1, $2)) }
    handler.comment = { context, value in
      guard let builder = XMLTreeBuilder.from(context) else { return }
      let data = builder.appendBytes(bytes(value))
      _ = builder.appendNode(.comment) { $0.data = data }
    }
    handler.processingInstruction = { context, target, data in
      guard let builder = XMLTreeBuilder.from(context) else { return }
      let name = builder.intern(bytes(target))
      let range = builder.appendBytes(bytes(data))
      _ = builder.appendNode(.processingInstruction) {
        $0.name = name
        $0.data = range
      }
    }
    handler.startElementNs = { context, name, _, uri, namespaceCount, namespaces, attributeCount, defaultedCount, attributes in
      guard let builder = XMLTreeBuilder.from(context) else { return }
      let first = builder.attributeCount
      builder.appendNamespaces(namespaces, Int(namespaceCount))
      builder.appendAttributes(attributes, Int(attributeCount) - Int(defaultedCount))
      let range = TextRange(from: first, to: builder.attributeCount)
      builder.startElement(builder.intern(bytes(name)), knownNamespace(of: bytes(uri)), range)
    }
    handler.endElementNs = { context, _, _, _ in XMLTreeBuilder.from(context)?.endElement() }
    handler.serror = { context, error in
      guard let error, Int(error.pointee.level) == Int(XML_ERR_FATAL) else { return }
      let message = error.pointee.message.map { String(cString: $0) } ?? "unknown error"
      XMLTreeBuilder.from(context)?.report(message.split(byte: "\n").joined(separator: " "))
    }
  }

  private func doctype(_ name: UnsafeBufferPointer<UInt8>, _ publicID: UnsafeBufferPointer<UInt8>?, _ systemID: UnsafeBufferPointer<UInt8>?)
  {
    let name = intern(name)
    let first = attributeCount
    let data = publicID.map { appendBytes($0) } ?? .empty
    if publicID != nil || systemID != nil { appendAttribute(.empty, .none, systemID.map { appendBytes($0) } ?? .empty) }
    let attributes = TextRange(from: first, to: attributeCount)
    _ = appendNode(.doctype) {
      $0.name = name
      $0.data = data
      $0.attributes = attributes
    }
  }

  /// Appends namespace declarations: pairs of prefix and URI.
  private func appendNamespaces(_ pairs: UnsafeMutablePointer<UnsafePointer<UInt8>?>?, _ count: Int) {
    guard let pairs, count > 0 else { return }
    for index in 0..<count {
      let name = pairs[index * 2].map { intern(bytes($0)) } ?? .xmlns
      appendAttribute(name, .xmlns, appendBytes(bytes(pairs[index * 2 + 1])))
    }
  }

  /// Appends attributes: local name, prefix, URI, and the start and end of the value.
  private func appendAttributes(_ fields: UnsafeMutablePointer<UnsafePointer<UInt8>?>?, _ count: Int) {
    guard let fields, count > 0 else { return }
    for index in 0..<count {
      let field = fields + index * 5
      guard let start = field[3], let end = field[4] else { continue }
      let value = appendBytes(UnsafeBufferPointer(start: start, count: max(end - start, 0)))
      let namespace = field[2].map { uri in knownNamespace(of: bytes(uri)) } ?? Namespace.none
      appendAttribute(intern(bytes(field[0])), namespace, value)
    }
  }
}

private func bytes(_ text: UnsafePointer<UInt8>?) -> UnsafeBufferPointer<UInt8> {
  guard let text else { return UnsafeBufferPointer(start: nil, count: 0) }
  return UnsafeBufferPointer(start: text, count: strlen(UnsafeRawPointer(text).assumingMemoryBound(to: CChar.self)))
}

private func bytes(_ text: UnsafePointer<UInt8>?, _ length: Int32) -> UnsafeBufferPointer<UInt8> {
  UnsafeBufferPointer(start: text, count: text == nil ? 0 : Int(max(length, 0)))
}

private func knownNamespace(of uri: UnsafeBufferPointer<UInt8>) -> Namespace {
  if uri.isEmpty { return .none }
  let namespaces: [(String, Namespace)] = [
    ("http://www.w3.org/1999/xhtml", .html), ("http://www.w3.org/2000/svg", .svg), ("http://www.w3.org/1998/Math/MathML", .mathML),
    ("http://www.w3.org/1999/xlink", .xlink), ("http://www.w3.org/XML/1998/namespace", .xml), ("http://www.w3.org/2000/xmlns/", .xmlns),
  ]
  return namespaces.first { uri.elementsEqual($0.0.utf8) }?.1 ?? .other
}
