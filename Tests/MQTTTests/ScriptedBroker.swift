import EventLoop
import Glibc

/// A minimal broker that follows a script, for behavior that no real broker can be made to show.
///
/// It runs on a shared loop; everything except the initializer runs there.
final class ScriptedBroker: @unchecked Sendable {
    /// A packet from a client.
    struct Packet: Sendable {
        /// 1 CONNECT, 3 PUBLISH, 8 SUBSCRIBE, 10 UNSUBSCRIBE, 12 PINGREQ, 14 DISCONNECT.
        let type: UInt8
        let flags: UInt8
        let body: [UInt8]
        /// The number of the connection, starting at 0.
        let connection: Int
        /// Whether the client uses MQTT 5.
        let isVersion5: Bool

        /// The topic of a PUBLISH, or the protocol name of a CONNECT.
        var topic: String { String(decoding: body.dropFirst(2).prefix(topicLength), as: UTF8.self) }
        var level: UInt8 { body[6] }
        var identifier: [UInt8] {
            type == 3 ? Array(body.dropFirst(2 + topicLength).prefix(2)) : Array(body.prefix(2))
        }
        var payload: String {
            let start = 2 + topicLength + (qos > 0 ? 2 : 0) + (isVersion5 ? 1 : 0)
            return String(decoding: body.dropFirst(start), as: UTF8.self)
        }
        var qos: UInt8 { flags >> 1 & 3 }
        var filters: [String] {
            var (filters, rest) = ([String](), body.dropFirst(isVersion5 ? 3 : 2))
            while let high = rest.popFirst(), let low = rest.popFirst() {
                let length = Int(high) << 8 | Int(low)
                filters.append(String(decoding: rest.prefix(length), as: UTF8.self))
                // Each filter is followed by its options.
                rest = rest.dropFirst(length + 1)
            }
            return filters
        }
        /// Returns a SUBACK with a code for each filter; at most 127 codes.
        func subscribeAnswer(_ codes: [UInt8]) -> [UInt8] {
            let content = identifier + (isVersion5 ? [0] : []) + codes
            return [0x90, UInt8(content.count)] + content
        }
        private var topicLength: Int { Int(body[0]) << 8 | Int(body[1]) }
    }

    enum Answer: Sendable {
        /// Each in its own packet, as far as TCP allows.
        case sendEach([[UInt8]])
        case close
        case silence
        /// The answer of an ordinary broker.
        case usual

        static func send(_ bytes: [UInt8]) -> Answer { .sendEach([bytes]) }
    }

    static let loop: EventLoop = {
        guard let loop = try? EventLoop.start(name: "scripted") else {
            preconditionFailure("no thread is left")
        }
        return loop
    }()

    let port: UInt16
    let packets: AsyncStream<Packet>
    private let continuation: AsyncStream<Packet>.Continuation
    private let script: @Sendable (Packet) -> Answer
    private let listener: CInt
    // Accessed only on the loop.
    private var watches: [Watch] = []
    private var connections: [CInt] = []
    private var buffers: [CInt: [UInt8]] = [:]
    private var isVersion5: [CInt: Bool] = [:]

    init(script: @escaping @Sendable (Packet) -> Answer) {
        self.script = script
        (packets, continuation) = AsyncStream.makeStream(of: Packet.self)
        listener = socket(AF_INET, CInt(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        withUnsafeMutablePointer(to: &address) { [listener] in
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                _ = bind(listener, $0, size)
                _ = getsockname(listener, $0, &size)
            }
        }
        listen(listener, 16)
        port = UInt16(bigEndian: address.sin_port)
        Self.loop.execute { self.watchListener() }
    }

    /// The number of TCP segments received from the last client; only on the loop.
    var segments: (all: UInt32, withData: UInt32) {
        // `tcpi_segs_in` and `tcpi_data_segs_in` of <linux/tcp.h>; glibc's own tcp_info lacks these fields.
        var info = [UInt8](repeating: 0, count: 232)
        var size = socklen_t(info.count)
        guard let client = connections.last,
            getsockopt(client, CInt(IPPROTO_TCP), TCP_INFO, &info, &size) == 0
        else { return (0, 0) }
        return info.withUnsafeBytes {
            ($0.load(fromByteOffset: 140, as: UInt32.self), $0.load(fromByteOffset: 152, as: UInt32.self))
        }
    }

    private func watchListener() {
        watches.append(
            Self.loop.watch(listener, for: .readable) { _ in
                let client = accept(self.listener, nil, nil)
                guard client >= 0 else { return }
                self.connections.append(client)
                // The descriptor may have been used before.
                self.buffers[client] = []
                self.watchClient(client)
            })
    }

    private func watchClient(_ client: CInt) {
        var watch: Watch?
        watch = Self.loop.watch(client, for: .readable) { _ in
            var bytes = [UInt8](repeating: 0, count: 65536)
            let count = recv(client, &bytes, bytes.count, 0)
            guard count > 0, self.take(bytes[..<count], from: client) else {
                watch?.cancel()
                close(client)
                return
            }
        }
        if let watch { watches.append(watch) }
    }

    /// Handles received bytes; returns whether the connection stays open.
    private func take(_ bytes: ArraySlice<UInt8>, from client: CInt) -> Bool {
        var buffer = buffers[client, default: []] + bytes
        defer { buffers[client] = buffer }
        while let (type, flags, body) = Self.cutPacket(from: &buffer) {
            if type == 1 { isVersion5[client] = body[6] == 5 }
            let packet = Packet(
                type: type, flags: flags, body: body, connection: connections.lastIndex(of: client) ?? 0,
                isVersion5: isVersion5[client] ?? true)
            continuation.yield(packet)
            let answers: [[UInt8]]
            switch script(packet) {
            case .silence: answers = []
            case .close: return false
            case .sendEach(let bytes): answers = bytes
            case .usual: answers = [Self.usualAnswer(to: packet)].compactMap(\.self)
            }
            for answer in answers { _ = send(client, answer, answer.count, CInt(MSG_NOSIGNAL)) }
        }
        return true
    }

    static func usualAnswer(to packet: Packet) -> [UInt8]? {
        switch packet.type {
        case 1: packet.isVersion5 ? [0x20, 3, 0, 0, 0] : [0x20, 2, 0, 0]
        case 3 where packet.qos == 1: [0x40, 2] + packet.identifier
        case 8: packet.subscribeAnswer(packet.filters.map { _ in 1 })
        case 10: packet.isVersion5 ? [0xB0, 4] + packet.identifier + [0, 0] : [0xB0, 2] + packet.identifier
        case 12: [0xD0, 0]
        default: nil
        }
    }

    private static func cutPacket(from buffer: inout [UInt8]) -> (UInt8, UInt8, [UInt8])? {
        guard let first = buffer.first else { return nil }
        var length = 0
        var position = 1
        while true {
            guard position < buffer.count else { return nil }
            length |= Int(buffer[position] & 0x7F) << (7 * (position - 1))
            position += 1
            if buffer[position - 1] & 0x80 == 0 { break }
        }
        guard buffer.count >= position + length else { return nil }
        defer { buffer.removeSubrange(..<(position + length)) }
        return (first >> 4, first & 15, Array(buffer[position..<(position + length)]))
    }
}
