/// Says why bytes are not the packet, or a line not the one, that was declared.
package struct PacketMisfit: Error, Hashable, Sendable, CustomStringConvertible {
    /// The field at which it was noticed; empty for the packet as a whole.
    package var place: String
    /// What was found and what is allowed.
    package var reason: String

    init(_ place: String?, _ reason: String) {
        self.place = place ?? ""
        self.reason = reason
    }

    /// `level: found 130; allowed: at most 100`
    package var description: String { place.isEmpty ? reason : "\(place): \(reason)" }
}
