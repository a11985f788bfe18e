import DeviceKit
import JSON

/// Checks whether a device sends the data that it must send after a write.
struct Waiter: Hashable, Sendable {
    enum State: Hashable, Sendable {
        /// The awaited data has not arrived.
        case waiting
        /// The awaited data has arrived, with these values.
        case met(JSON.Object)
        /// The device rejected the write with this line.
        case refused(String)
        /// The device rejected the write with these values.
        case rejected(JSON.Object)
    }

    let entry: WaitEntry
    private(set) var state = State.waiting
    /// The last received bytes, at most ``limit``.
    private var heard: [UInt8] = []
    private static let limit = 2048

    /// - Parameter written: The written bytes. Some devices repeat some of these bytes in their answer.
    init(_ entry: WaitEntry, written: [UInt8]) {
        var entry = entry
        if case .packet(let packet) = entry.target { entry.target = .packet(packet.answering(written)) }
        entry.refusal = entry.refusal?.answering(written)
        self.entry = entry
    }

    mutating func take(_ bytes: [UInt8]) {
        guard state == .waiting else { return }
        heard += bytes
        if heard.count > Self.limit { heard.removeFirst(heard.count - Self.limit) }
        if let line = refusal { return state = .refused(line) }
        switch entry.target {
        case nil: state = .met([:])
        case .bytes(let pattern): if pattern.isContained(in: heard) { state = .met([:]) }
        case .text(let text):
            if BytePattern(text).isContained(in: heard) { state = .met([:]) }
        case .packet(let packet):
            if let reading = try? packet.read(bytes) { state = .met(reading.values) }
        }
        if state == .waiting, let refusal = entry.refusal, let reading = try? refusal.read(bytes) {
            state = .rejected(reading.values)
        }
    }

    /// Marks the wait as met; called when the examples of a device file run.
    mutating func meet() { state = .met([:]) }

    /// The received line in which the device rejects the write.
    private var refusal: String? {
        guard let failure = entry.failure else { return nil }
        let lines = heard.split { $0 == 0x0A || $0 == 0x0D }
        return lines.lazy.map { String(decoding: $0, as: UTF8.self) }.first { failure.matches($0) }
    }
}

extension PacketFormat {
    /// Returns the format of the answer to a write of these bytes: a number that must repeat a written byte is compared
    /// with this byte.
    fileprivate func answering(_ written: [UInt8]) -> PacketFormat {
        let items = items.map { item in
            guard case .number(var field) = item.content, let index = field.written else { return item }
            var item = item
            // If the write is too short, the required value is one that no packet can contain, so no answer matches.
            field.equals = index < written.count ? Int128(written[index]) : Int128(UInt64.max) + 1
            item.content = .number(field)
            return item
        }
        return PacketFormat(items, isExact: isExact)
    }
}
