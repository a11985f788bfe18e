/// Tracks the data that a device must send after a write.
struct Waiter: Hashable, Sendable {
    enum State: Hashable, Sendable {
        /// The awaited data has not arrived.
        case waiting
        case met
        /// The device rejected the write with this text.
        case refused(String)
    }

    let entry: WaitEntry
    private(set) var state = State.waiting
    /// The last received bytes, at most ``limit``.
    private var heard: [UInt8] = []
    private static let limit = 2048

    init(_ entry: WaitEntry) { self.entry = entry }

    mutating func take(_ bytes: [UInt8]) {
        guard state == .waiting else { return }
        heard += bytes
        if heard.count > Self.limit { heard.removeFirst(heard.count - Self.limit) }
        if let line = refusal { return state = .refused(line) }
        switch entry.target {
        case nil: state = .met
        case .bytes(let pattern): if pattern.isContained(in: heard) { state = .met }
        case .text(let text):
            if BytePattern(text.map { $0 }).isContained(in: heard) { state = .met }
        case .packet(let packet): if (try? packet.read(bytes)) != nil { state = .met }
        }
    }

    /// Marks the wait as met, for examples.
    mutating func meet() { state = .met }

    /// The received line in which the device rejects the write.
    private var refusal: String? {
        guard let failure = entry.failure else { return nil }
        let lines = heard.split { $0 == 0x0A || $0 == 0x0D }
        return lines.lazy.map { String(decoding: $0, as: UTF8.self) }.first { failure.matches($0) }
    }
}
