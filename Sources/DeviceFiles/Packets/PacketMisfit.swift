/// The reason why bytes or a line do not match their declaration.
///
/// If several features share a characteristic, each packet fails to match most of them. Mismatches are therefore
/// frequent, and their text is created only when a caller reads it.
package struct PacketMisfit: Error, Hashable, Sendable, CustomStringConvertible {
    private enum Cause: Hashable, Sendable {
        case words(String)
        /// The raw value differs from the allowed value.
        case value(Int128, allowed: Int128)
        /// The packet ends after this number of bytes, and `needed` more bytes are required.
        case end(Int, needed: Int)
    }

    /// The field where the mismatch was found; empty for the whole packet.
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

    /// What was found and what is allowed, as text.
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
