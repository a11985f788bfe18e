/// Says why bytes are not the packet, or a line not the one, that was declared.
///
/// Where several features hear one characteristic, most of them misfit most of the time: the words are made
/// when the caller reads them.
package struct PacketMisfit: Error, Hashable, Sendable, CustomStringConvertible {
    private enum Cause: Hashable, Sendable {
        case words(String)
        /// A raw value is another one.
        case value(Int128, allowed: Int128)
        /// So many bytes are needed beyond the end.
        case end(Int, needed: Int)
    }

    /// The field at which it was noticed; empty for the packet as a whole.
    package let place: String
    private let cause: Cause

    init(_ place: String?, _ reason: String) { self.init(place, .words(reason)) }
    init(_ place: String?, found: Int128, allowed: Int128) {
        self.init(place, .value(found, allowed: allowed))
    }
    init(_ place: String?, end count: Int, needed: Int) { self.init(place, .end(count, needed: needed)) }

    private init(_ place: String?, _ cause: Cause) {
        self.place = place ?? ""
        self.cause = cause
    }

    /// What was found and what is allowed.
    package var reason: String {
        switch cause {
        case .words(let words): words
        case .value(let found, let allowed): "found \(found); allowed: \(allowed)"
        case .end(let count, let needed): "the packet ends after \(count) bytes; \(needed) more are needed"
        }
    }

    /// `level: found 130; allowed: at most 100`
    package var description: String { place.isEmpty ? reason : "\(place): \(reason)" }
}
