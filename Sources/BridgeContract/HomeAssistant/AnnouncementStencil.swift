import DeviceKit
package import HomeAssistant
import JSON

/// What the announcements of devices of one kind share, as it is published, with places for what differs: a device's name
/// in the topics, and its id.
///
/// That is nearly all of an announcement, and making it anew for each of 2,500 devices was most of a bridge's start.
package struct AnnouncementStencil: Sendable {
    /// What devices have in common that share a stencil.
    package struct Kind: Hashable, Sendable {
        private let family: String
        private let revision: String
        private let settings: Arguments
        private let lacking: Lacking
        private let icon: String?

        package init(_ device: HomeAssistant.Device) {
            (family, revision) = (device.family.name, device.family.revision)
            (settings, lacking, icon) = (device.settings, device.lacking, device.appearance.icon)
        }
    }

    private enum Place { case name, id }

    /// Texts that no device and no family has, which stand where the name and the id go.
    static let placeholders = (name: "\u{E000}", id: "\u{E001}")

    private let pieces: [[UInt8]]
    /// What goes behind each piece but the last one.
    private let places: [Place]
    /// The beginnings of titles, in small letters: a device that is called so changes how its entities are called.
    private let titles: Set<String>

    /// Cuts a message into pieces at the placeholders.
    ///
    /// - Parameters:
    ///   - message: The message without its device.
    ///   - titles: The titles of what is shown of such a device.
    init(_ message: JSON.Object, titles: [String]) {
        let text = JSON.Value.object(message).bytes
        let marks = [
            (Place.name, Self.escaped(Self.placeholders.name)), (.id, Self.escaped(Self.placeholders.id)),
        ]
        var (pieces, places): ([[UInt8]], [Place]) = ([], [])
        // The first brace is the device's, which stands in front.
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

    /// Whether it fits a device that people see under a name.
    func fits(_ shownName: String) -> Bool { !titles.contains(shownName.lowercased()) }

    /// The announcement of a device.
    ///
    /// - Parameter device: The message that tells of the device only.
    func payload(_ device: JSON.Object, name: String, id: String) -> [UInt8] {
        let (name, id) = (Self.escaped(name), Self.escaped(id))
        var payload = JSON.Value.object(device).bytes
        payload.reserveCapacity(
            payload.count + pieces.reduce(0) { $0 + $1.count } + places.count * max(name.count, id.count))
        payload[payload.count - 1] = UInt8(ascii: ",")
        for (index, piece) in pieces.enumerated() {
            payload += piece
            guard index < places.count else { break }
            payload += places[index] == .name ? name : id
        }
        return payload.withUnsafeBufferPointer { Array($0) }
    }

    /// A text as it stands within a text of a message.
    private static func escaped(_ text: String) -> [UInt8] {
        Array(JSON.Value.string(text).bytes.dropLast().dropFirst())
    }

    private static func beginnings(_ title: String) -> [String] {
        let title = title.lowercased()
        return title.indices.filter { title[$0] == " " }.map { String(title[..<$0]) } + [title]
    }
}
