import DeviceKit
package import HomeAssistant
import JSON

/// The part of an announcement that all devices of one kind share, as bytes, with placeholders for the device's name,
/// its id, and the beginning of its entities' ids.
///
/// The shared part is nearly all of an announcement. Without stencils, encoding this part for each of 2,500 devices
/// would take most of the bridge's start time.
package struct AnnouncementStencil: Sendable {
    /// The properties of a device on which its stencil depends. Devices with equal properties share a stencil.
    package struct Kind: Hashable, Sendable {
        private let family: String
        private let revision: String
        private let settings: Arguments
        private let lacking: Lacking
        private let unpublished: Set<String>
        private let icon: String?
        private let announced: [String: String]

        package init(_ device: HomeAssistant.Device) {
            (family, revision) = (device.family.name, device.family.revision)
            (settings, icon) = (device.settings, device.appearance.icon)
            (lacking, unpublished, announced) = (device.lacking, device.unpublished, device.announced)
        }
    }

    private enum Place { case name, id, entityPrefix }

    /// Private-use characters that mark where the device's name and id go. They occur in no text of a device or family.
    static let placeholders = (name: "\u{E000}", id: "\u{E001}", entityPrefix: "\u{E002}")

    private let pieces: [[UInt8]]
    /// The placeholder that follows each piece; the last piece has none.
    private let places: [Place]
    /// The beginnings of entity titles, in lower case. If a device has one of them as its name, its entities are named
    /// differently, so it cannot use the stencil.
    private let titles: Set<String>

    /// Splits a message into pieces at the placeholders.
    ///
    /// - Parameters:
    ///   - message: The message without its `device` object.
    ///   - titles: The titles of the entities of a device of this kind.
    init(_ message: JSON.Object, titles: [String]) {
        let text = JSON.Value.object(message).bytes
        let marks = [
            (Place.name, Self.escaped(Self.placeholders.name)), (.id, Self.escaped(Self.placeholders.id)),
            (.entityPrefix, Self.escaped(Self.placeholders.entityPrefix)),
        ]
        var (pieces, places): ([[UInt8]], [Place]) = ([], [])
        // The first brace is omitted: the `device` object precedes the pieces.
        var (begin, next) = (1, 1)
        while next < text.count {
            guard let mark = marks.first(where: { text[next...].starts(with: $0.1) }) else {
                next += 1
                continue
            }
            pieces.append(Array(text[begin..<next]))
            places.append(mark.0)
            next += mark.1.count
            begin = next
        }
        self.pieces = pieces + [Array(text[begin...])]
        self.places = places
        self.titles = Set(titles.flatMap(Self.beginnings))
    }

    /// Whether the stencil is valid for a device with this displayed name.
    func fits(_ shownName: String) -> Bool { !titles.contains(shownName.lowercased()) }

    /// Returns the announcement of a device.
    ///
    /// - Parameter device: The part of the message that describes the device.
    func payload(_ device: JSON.Object, name: String, id: String) -> [UInt8] {
        let entityPrefix = Self.escaped(HomeAssistant.entityID(name))
        let (name, id) = (Self.escaped(name), Self.escaped(id))
        var payload = JSON.Value.object(device).bytes
        payload.reserveCapacity(
            payload.count + pieces.reduce(0) { $0 + $1.count } + places.count * max(name.count, id.count))
        payload[payload.count - 1] = UInt8(ascii: ",")
        for (index, piece) in pieces.enumerated() {
            payload += piece
            guard index < places.count else { break }
            switch places[index] {
            case .name: payload += name
            case .id: payload += id
            case .entityPrefix: payload += entityPrefix
            }
        }
        return payload.withUnsafeBufferPointer { Array($0) }
    }

    /// A text with JSON escapes, without the surrounding quotation marks.
    private static func escaped(_ text: String) -> [UInt8] {
        Array(JSON.Value.string(text).bytes.dropLast().dropFirst())
    }

    private static func beginnings(_ title: String) -> [String] {
        let title = title.lowercased()
        return title.indices.filter { title[$0] == " " }.map { String(title[..<$0]) } + [title]
    }
}
