package import JSON

/// One worked example of a protocol: bytes, and what they mean.
package struct ProtocolVector: Sendable, CustomStringConvertible {
    /// A value at a characteristic.
    package struct Packet: Hashable, Sendable {
        /// The characteristic, by its 16-bit UUID or the first eight digits.
        package var at: String
        package var bytes: [UInt8]
    }

    /// One step of an example that has several.
    package enum Step: Sendable {
        /// The client writes; the milliseconds from the start where the example gives them.
        case client(Packet, at: Int?)
        /// The device notifies.
        case device(Packet)
        /// The wearer does something to the device, in words.
        case wearer(String)
        /// The application commands something or learns of something: a feature and its value.
        case application(feature: String, JSON.Value)
        /// Time passes, in milliseconds.
        case pause(Int)
    }

    package let name: String
    /// One of the file's kinds.
    package let kind: String
    package let what: String
    package let at: String?
    /// The value; empty for an example that has only steps or a meaning.
    package let bytes: [UInt8]
    /// Whether the code writes these bytes for this meaning; otherwise it only reads them.
    package let isWritten: Bool
    /// The value decoded; `null` if the code must ignore it.
    package let means: JSON.Value
    /// What the other side sends next.
    package let answer: Packet?
    package let steps: [Step]
    /// Marks of the file's sources.
    package let sources: [String]
    /// The example as it stands in the file.
    package let json: JSON.Object

    package var description: String { "\(name) (\(what))" }
}

/// What is wrong with a file of worked examples.
package struct VectorError: Error, CustomStringConvertible {
    package let description: String

    init(_ description: String) { self.description = description }
}

extension JSON.Value {
    /// Whether two values say the same: the order of keys, and whether a number is written with a point, do not matter.
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

    /// The value without some keys, in all of its objects.
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
