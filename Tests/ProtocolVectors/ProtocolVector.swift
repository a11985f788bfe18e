package import JSON

/// A worked example of a protocol: bytes and their meaning.
package struct ProtocolVector: Sendable, CustomStringConvertible {
    /// A value of a characteristic.
    package struct Packet: Hashable, Sendable {
        /// The characteristic, by its 16-bit UUID or by the first eight digits of its UUID.
        package var at: String
        package var bytes: [UInt8]
    }

    /// A step of an example with several steps.
    package enum Step: Sendable {
        /// The client writes. The time is in milliseconds from the start, if the example contains it.
        case client(Packet, at: Int?)
        /// The device notifies.
        case device(Packet)
        /// The wearer performs an action, described in words.
        case wearer(String)
        /// The application sends a command or receives a report: a feature and its value.
        case application(feature: String, JSON.Value)
        /// Time passes, in milliseconds.
        case pause(Int)
    }

    package let name: String
    /// One of the file's kinds.
    package let kind: String
    package let what: String
    package let at: String?
    /// The value; empty for an example that consists of steps or a meaning only.
    package let bytes: [UInt8]
    /// Whether the code writes these bytes for this meaning. Otherwise, it only reads them.
    package let isWritten: Bool
    /// The decoded value; `null` if the code must ignore the bytes.
    package let means: JSON.Value
    /// The next packet of the other side.
    package let answer: Packet?
    package let steps: [Step]
    /// The marks of the file's sources.
    package let sources: [String]
    /// The example's original JSON.
    package let json: JSON.Object

    package var description: String { "\(name) (\(what))" }
}

/// An error in a file of worked examples.
package struct VectorError: Error, CustomStringConvertible {
    package let description: String

    init(_ description: String) { self.description = description }
}

extension JSON.Value {
    /// Whether two values have the same meaning. The order of keys and the notation of numbers do not matter.
    package func agrees(with other: JSON.Value) -> Bool {
        switch (self, other) {
        case (.array(let left), .array(let right)):
            left.count == right.count && zip(left, right).allSatisfy { $0.agrees(with: $1) }
        case (.object(let left), .object(let right)):
            left.count == right.count
                && left.members.allSatisfy { member in
                    right[member.key].map { member.value.agrees(with: $0) } ?? false
                }
        default:
            if let left = double, let right = other.double { abs(left - right) < 1e-9 } else { self == other }
        }
    }

    /// The value without some keys, at all levels.
    package func without(_ keys: [String]) -> JSON.Value {
        switch self {
        case .array(let elements): .array(elements.map { $0.without(keys) })
        case .object(let object):
            .object(
                JSON.Object(
                    object.members.filter { !keys.contains($0.key) }.map { ($0.key, $0.value.without(keys)) })
            )
        default: self
        }
    }
}
