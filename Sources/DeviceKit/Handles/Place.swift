/// The location of a part, such as a property, in a Swift value.
///
/// A stored property is read and written at its offset. A computed property is accessed through its key path, which
/// costs some thousand instructions. Types that are published often should therefore use stored properties.
@usableFromInline
struct Place<Whole: Sendable, Part: Sendable>: Sendable {
    @usableFromInline let read: @Sendable (Whole) -> Part

    /// Finds the location for a key path.
    @inlinable
    init(_ path: any KeyPath<Whole, Part> & Sendable) {
        if let offset = MemoryLayout<Whole>.offset(of: path) {
            read = { whole in
                withUnsafeBytes(of: whole) { $0.load(fromByteOffset: offset, as: Part.self) }
            }
        } else {
            read = { $0[keyPath: path] }
        }
    }
}

/// The location of a part in a Swift value, such as a property, for reading and writing.
@usableFromInline
struct WritablePlace<Whole: Sendable, Part: Sendable>: Sendable {
    @usableFromInline let read: @Sendable (Whole) -> Part
    @usableFromInline let write: @Sendable (inout Whole, Part) -> Void

    /// Finds the location that a key path names.
    @inlinable
    init(_ path: any WritableKeyPath<Whole, Part> & Sendable) {
        read = Place(path).read
        if let offset = MemoryLayout<Whole>.offset(of: path) {
            write = { whole, part in
                withUnsafeMutableBytes(of: &whole) { bytes in
                    bytes.baseAddress?.advanced(by: offset).assumingMemoryBound(to: Part.self).pointee = part
                }
            }
        } else {
            write = { $0[keyPath: path] = $1 }
        }
    }
}
