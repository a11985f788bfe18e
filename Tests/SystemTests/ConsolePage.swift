import EventLoop
import Glibc
import HostTesting
import JSON

/// A page of the console, simulated by a test: its plain HTTP requests and its WebSocket (RFC 6455).
final class ConsolePage {
    /// The answer to a plain request.
    struct Answer {
        var status: Int
        var headers: String
        var body: String

        /// The cookie that the answer sets.
        var cookie: String? { (try? /Set-Cookie: ([^;]+);/.firstMatch(in: headers))?.map { String($0.1) } }
    }

    private let descriptor: CInt
    private var received: [UInt8] = []
    /// The status of the answer to the WebSocket request: 101 on success.
    let status: Int
    /// The code with which the console closed the socket; nil while it is open.
    private(set) var closeCode: Int?

    /// Opens a WebSocket.
    ///
    /// - Parameters:
    ///   - origin: The Origin header; nil for the console's own page, empty for none.
    ///   - pooled: Files that the client requests first, over the same connection if the server keeps it
    ///     open.
    ///   - room: The size of the receive buffer in bytes; the system's default if nil.
    init(
        port: UInt16, cookie: String? = nil, origin: String? = nil, host: String? = nil,
        path: String = "/socket", headers: [String: String] = [:], pooled: [String] = [], room: CInt? = nil
    ) throws {
        let host = host ?? "127.0.0.1:\(port)"
        descriptor = try Self.connect(port, after: pooled, host)
        if var room {
            setsockopt(descriptor, SOL_SOCKET, SO_RCVBUF, &room, socklen_t(MemoryLayout<CInt>.size))
        }
        let origin = origin ?? "http://\(host)"
        var head =
            "GET \(path) HTTP/1.1\r\nHost: \(host)\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
            + "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\nSec-WebSocket-Version: 13\r\n"
        if !origin.isEmpty { head += "Origin: \(origin)\r\n" }
        if let cookie { head += "Cookie: \(cookie)\r\n" }
        for (name, value) in headers { head += "\(name): \(value)\r\n" }
        Self.send(Array("\(head)\r\n".utf8), to: descriptor)
        let answer = Self.head(from: descriptor)
        status = answer.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0
    }

    /// Reads the head of an answer.
    private static func head(from descriptor: CInt) -> String {
        let end = EventLoop.now + .seconds(10)
        let mark = Array("\r\n\r\n".utf8)
        var answer: [UInt8] = []
        // Reads byte by byte, as frames may follow at once.
        while !answer.suffix(4).elementsEqual(mark), let byte = receive(1, from: descriptor, until: end) {
            answer += byte
        }
        return String(decoding: answer, as: UTF8.self)
    }

    /// Connects and requests files first; connects again wherever the server closes the connection.
    private static func connect(_ port: UInt16, after files: [String], _ host: String) throws -> CInt {
        var descriptor = try connect(port)
        for file in files {
            send(Array("GET \(file) HTTP/1.1\r\nHost: \(host)\r\n\r\n".utf8), to: descriptor)
            let head = head(from: descriptor).lowercased()
            guard head.hasPrefix("http/1.1 200"),
                let count = head.firstMatch(of: /content-length: (\d+)/).flatMap({ Int($0.1) }),
                receive(count, from: descriptor, until: EventLoop.now + .seconds(10)) != nil
            else { throw Missing(what: file, seen: [head]) }
            guard head.contains("connection: close") else { continue }
            close(descriptor)
            descriptor = try connect(port)
        }
        return descriptor
    }

    deinit { close(descriptor) }

    /// The end of all remaining input, with frames undecoded, read as fast as possible.
    func remainder(within limit: Duration) -> String {
        let end = EventLoop.now + limit
        var buffer = [UInt8](repeating: 0, count: 1 << 18)
        var tail: [UInt8] = []
        while EventLoop.now < end {
            var entry = pollfd(fd: descriptor, events: CShort(POLLIN), revents: 0)
            guard poll(&entry, 1, 100) > 0 else { continue }
            let count = recv(descriptor, &buffer, buffer.count, CInt(MSG_DONTWAIT))
            guard count > 0 else { break }
            tail = (tail + buffer[..<count]).suffix(4096)
        }
        return String(decoding: tail, as: UTF8.self)
    }

    /// Reads and discards the input of pages for some time.
    ///
    /// - Returns: The number of bytes read.
    static func drain(_ pages: [ConsolePage], until end: Duration) -> Int {
        var buffer = [UInt8](repeating: 0, count: 1 << 18)
        var total = 0
        while EventLoop.now < end {
            var entries = pages.map { pollfd(fd: $0.descriptor, events: CShort(POLLIN), revents: 0) }
            guard poll(&entries, nfds_t(entries.count), 20) > 0 else { continue }
            for entry in entries where entry.revents != 0 {
                total += max(0, recv(entry.fd, &buffer, buffer.count, CInt(MSG_DONTWAIT)))
            }
        }
        return total
    }

    /// Shuts the connection down without a close frame.
    func cut() { shutdown(descriptor, CInt(SHUT_RDWR)) }

    func send(_ message: JSON.Value) { frame(1, message.bytes) }

    /// Sends a frame (RFC 6455, 5.2).
    func frame(_ code: UInt8, _ data: [UInt8], isLast: Bool = true) {
        Self.send(Self.bytes(code, data, isLast: isLast), to: descriptor)
    }

    /// Sends the same frame as often as the console accepts it.
    ///
    /// - Returns: The number of bytes accepted.
    func flood(_ code: UInt8, _ data: [UInt8], until end: Duration) -> Int {
        let one = Self.bytes(code, data)
        let many = [UInt8]((0..<max(1, 16_384 / one.count)).map { _ in one }.joined())
        var (sent, offset) = (0, 0)
        while EventLoop.now < end {
            var entry = pollfd(fd: descriptor, events: CShort(POLLOUT), revents: 0)
            guard poll(&entry, 1, 50) > 0 else { continue }
            let count = many.withUnsafeBytes {
                Glibc.send(
                    descriptor, $0.baseAddress.map { $0 + offset }, $0.count - offset,
                    CInt(MSG_NOSIGNAL) | CInt(MSG_DONTWAIT))
            }
            guard count > 0 else { break }
            sent += count
            offset = (offset + count) % many.count
        }
        return sent
    }

    private static func bytes(_ code: UInt8, _ data: [UInt8], isLast: Bool = true) -> [UInt8] {
        var head: [UInt8] = [(isLast ? 0x80 : 0) | code]
        switch data.count {
        case ..<126: head.append(0x80 | UInt8(data.count))
        case ..<65_536: head += [0x80 | 126, UInt8(data.count >> 8), UInt8(data.count & 255)]
        default: head += [0x80 | 127] + (0..<8).map { UInt8(truncatingIfNeeded: data.count >> (56 - 8 * $0)) }
        }
        // A masking key of zeros leaves the data unchanged.
        return head + [0, 0, 0, 0] + data
    }

    /// Reads batches until `last` arrives, which was published after `count` other topics.
    func expectAll(_ count: Int, _ last: String) throws {
        var topics: Set<String> = []
        try expect("\(count) topics", within: .seconds(60)) { message in
            topics.formUnion(message["messages"]?.array?.compactMap { $0.array?.first?.string } ?? [])
            return topics.count > count && topics.contains(last)
        }
    }

    /// The next message; nil when the socket is closed or none arrives in time.
    func next(within limit: Duration = .seconds(5)) -> JSON.Value? {
        let end = EventLoop.now + limit
        while let head = Self.receive(2, from: descriptor, until: end) {
            var count = Int(head[1] & 0x7F)
            let more = count == 126 ? 2 : count == 127 ? 8 : 0
            if more > 0 {
                guard let bytes = Self.receive(more, from: descriptor, until: end) else { return nil }
                count = bytes.reduce(0) { $0 << 8 | Int($1) }
            }
            guard let data = Self.receive(count, from: descriptor, until: end) else { return nil }
            switch head[0] & 0x0F {
            case 1: return try? JSON.Value(parsing: data)
            case 9: frame(10, data)
            case 8:
                closeCode = data.prefix(2).reduce(0) { $0 << 8 | Int($1) }
                return nil
            default: continue
            }
        }
        return nil
    }

    /// Returns the first message from here on that meets a condition.
    @discardableResult
    func expect(
        _ what: String, within limit: Duration = .seconds(5), _ condition: (JSON.Value) -> Bool
    ) throws -> JSON.Value {
        let end = EventLoop.now + limit
        var seen: [String] = []
        while let message = next(within: end - EventLoop.now) {
            if condition(message) { return message }
            seen = seen.suffix(20) + [message.description]
        }
        throw Missing(what: what, seen: seen)
    }

    /// The payload of a topic, from the first batch that contains it.
    func expectMessage(_ topic: String, within limit: Duration = .seconds(5)) throws -> String {
        var payload = ""
        try expect(topic, within: limit) { message in
            let found = message["messages"]?.array?.first { $0.array?.first?.string == topic }
            payload = found?.array?[1].string ?? ""
            return found != nil
        }
        return payload
    }

    /// Sends a plain HTTP request.
    static func ask(
        _ port: UInt16, _ method: String, _ path: String, body: String = "", headers: [String: String] = [:]
    ) throws -> Answer {
        let socket = try LoopbackSocket(port: port)
        var all = [
            "Host": "127.0.0.1:\(port)", "Origin": "http://127.0.0.1:\(port)",
            "Content-Length": "\(body.utf8.count)", "Connection": "close",
        ]
        all.merge(headers) { $1 }
        let lines = all.filter { !$0.value.isEmpty }.map { "\($0.key): \($0.value)\r\n" }.joined()
        socket.send("\(method) \(path) HTTP/1.1\r\n\(lines)\r\n\(body)")
        let text = socket.readToEnd() ?? ""
        let parts = text.split(separator: "\r\n\r\n", maxSplits: 1, omittingEmptySubsequences: false)
        return Answer(
            status: text.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0,
            headers: parts.first.map { "\($0)\r\n" } ?? "", body: parts.count == 2 ? String(parts[1]) : "")
    }

    private static func connect(_ port: UInt16) throws -> CInt {
        let descriptor = socket(AF_INET, CInt(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        let status = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                Glibc.connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard status == 0 else {
            close(descriptor)
            throw Missing(what: "a connection to port \(port)", seen: [])
        }
        return descriptor
    }

    private static func send(_ bytes: [UInt8], to descriptor: CInt) {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes {
                Glibc.send(descriptor, $0.baseAddress, $0.count, CInt(MSG_NOSIGNAL))
            }
            guard count > 0 else { return }
            rest = rest.dropFirst(count)
        }
    }

    private static func receive(_ count: Int, from descriptor: CInt, until end: Duration) -> [UInt8]? {
        var bytes = [UInt8](repeating: 0, count: count)
        var filled = 0
        while filled < count {
            var entry = pollfd(fd: descriptor, events: CShort(POLLIN), revents: 0)
            let left = max(0, (end - EventLoop.now) / .milliseconds(1))
            guard poll(&entry, 1, CInt(left.rounded(.up))) > 0 else { return nil }
            let taken = bytes.withUnsafeMutableBytes {
                recv(descriptor, $0.baseAddress.map { $0 + filled }, count - filled, 0)
            }
            guard taken > 0 else { return nil }
            filled += taken
        }
        return bytes
    }
}
