package import Bluetooth
package import BridgeContract
package import DeviceKit
package import JSON

/// Records the traffic with the devices while a recording runs, as lines of JSON.
///
/// The recorder buffers the lines that are not in the file yet; ``take()`` returns them. While no recording runs,
/// ``note(_:of:at:)`` costs one comparison.
package final class Recorder {
    /// What a recording contains.
    package struct Scope: Hashable, Sendable {
        /// The devices whose traffic is recorded; nil for all devices.
        package var devices: Set<Address>?
        /// Whether typed or spoken text is recorded, and addresses are written unchanged.
        package var includesPrivate = false

        package init(devices: Set<Address>? = nil, includesPrivate: Bool = false) {
            self.devices = devices
            self.includesPrivate = includesPrivate
        }
    }

    package struct Subject {
        package var name: String
        package var address: Address
        package var family: any DeviceFamily
        /// The device's configured settings.
        package var settings: Arguments

        package init(name: String, address: Address, family: any DeviceFamily, settings: Arguments) {
            self.name = name
            self.address = address
            self.family = family
            self.settings = settings
        }
    }

    /// The maximum size of a recording in bytes.
    package static let sizeLimit = 64 << 20
    /// The maximum number of bytes that wait to be written to disk.
    package static let waitingLimit = 4 << 20
    /// The version of the format of recordings.
    package static let version = 1

    private struct Reel {
        let scope: Scope
        let begin: Duration
        var waiting: [UInt8] = []
        var aliases: [Address: Alias] = [:]
        var end: RecordingEnd?
    }

    private var reel: Reel?
    private let sizeLimit: Int
    private let waitingLimit: Int

    package init(sizeLimit: Int = Recorder.sizeLimit, waitingLimit: Int = Recorder.waitingLimit) {
        self.sizeLimit = sizeLimit
        self.waitingLimit = waitingLimit
    }

    package var isRunning: Bool { reel != nil }
    package var end: RecordingEnd? { reel?.end }
    /// The number of bytes and lines of this recording, or of the last recording.
    package private(set) var length = (bytes: 0, lines: 0)

    /// Whether events of a device are recorded.
    package func takes(_ address: Address) -> Bool {
        guard let reel, reel.end == nil else { return false }
        return reel.scope.devices?.contains(address) ?? true
    }

    /// Starts a recording.
    ///
    /// - Parameter header: Members of the first line in addition to `recording` and `private`.
    package func begin(_ scope: Scope, header: JSON.Object, at now: Duration) {
        reel = Reel(scope: scope, begin: now)
        length = (0, 0)
        var line: JSON.Object = ["recording": .integer(Self.version)]
        for member in header.members { line[member.key] = member.value }
        line["private"] = .bool(scope.includesPrivate)
        add(Array(JSON.Value.object(line).bytes))
    }

    /// Records an event of a device.
    package func note(_ event: RecordedEvent, of subject: Subject, at now: Duration) {
        guard let reel, takes(subject.address) else { return }
        let alias = alias(of: subject.address)
        var line: JSON.Object = ["ms": milliseconds(now), "device": .string(subject.name)]
        event.write(
            to: &line, of: subject, address: alias?.address ?? subject.address,
            includesPrivate: reel.scope.includesPrivate)
        var text = JSON.Value.object(line).description
        if let alias { text = alias.hiding(in: text, name: subject.name) }
        add(Array(text.utf8))
    }

    /// Returns the bytes that are not in the file yet, and clears the buffer.
    package func take() -> [UInt8] {
        guard let bytes = reel?.waiting, !bytes.isEmpty else { return [] }
        reel?.waiting = []
        return bytes
    }

    /// Ends the recording.
    ///
    /// - Returns: The bytes that are not in the file yet.
    package func finish(_ end: RecordingEnd, at now: Duration) -> [UInt8] {
        guard reel != nil else { return [] }
        let line: JSON.Object = [
            "ms": milliseconds(now), "event": "end", "reason": .string(end.word),
        ]
        reel?.end = nil
        add(JSON.Value.object(line).bytes, isLast: true)
        defer { reel = nil }
        return take()
    }

    private func milliseconds(_ now: Duration) -> JSON.Value {
        .integer((now - (reel?.begin ?? now)).milliseconds)
    }

    private func add(_ line: [UInt8], isLast: Bool = false) {
        guard var reel else { return }
        self.reel = nil
        defer { self.reel = reel }
        if !isLast, length.bytes + line.count + 1 > sizeLimit - Self.reserve { return reel.end = .size }
        if !isLast, reel.waiting.count + line.count > waitingLimit {
            return reel.end = .disk("the disk did not keep up")
        }
        reel.waiting += line
        reel.waiting.append(UInt8(ascii: "\n"))
        length.bytes += line.count + 1
        length.lines += 1
    }

    /// The number of bytes that a full recording keeps free for its last line, which states why it ended.
    private static let reserve = 256

    /// The alias of a device's address; nil if addresses are written unchanged.
    private func alias(of address: Address) -> Alias? {
        guard let reel, !reel.scope.includesPrivate else { return nil }
        if let alias = reel.aliases[address] { return alias }
        let alias = Alias(of: address, number: reel.aliases.count + 1)
        self.reel?.aliases[address] = alias
        return alias
    }
}
