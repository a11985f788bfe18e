import NIOCore
import NIOWebSocket
import Synchronization

/// The way to one page: its socket, as any thread may use it.
///
/// Every byte on its way to the page is counted, whatever it belongs to, and so is what the page has sent and the hub has
/// not read.
final class TabLink: Sendable {
    /// Fired into the pipeline when reading may go on: the hub has read so much, or the page has rested.
    struct Relief {}

    /// How much of a page may wait to be read by the hub before its socket is left alone.
    private static let unreadLimits = (messages: 256, bytes: 256 << 10)
    /// What a frame has beside its data, and what the system keeps with it.
    private static let overhead = 64

    private let channel: any Channel
    private let waitingBytes = Atomic(0)
    private let unreadMessages = Atomic(0)
    private let unreadBytes = Atomic(0)
    private let isPaused = Atomic(false)
    private let isClosing = Atomic(false)
    /// What is to be written in the next turn of the channel's loop, all at once.
    private let frames = Mutex<[(frame: WebSocketFrame, size: Int)]>([])

    init(_ channel: any Channel) { self.channel = channel }

    /// How many bytes the page has not taken yet.
    var waiting: Int { waitingBytes.load(ordering: .relaxed) }

    /// Sends a text.
    func send(_ text: [UInt8]) { write(.text, ByteBuffer(bytes: text)) }

    /// Asks whether the page is still there; its answer keeps the socket open.
    func ping() { write(.ping, ByteBuffer()) }

    /// Answers the newest ping.
    func pong(_ data: ByteBuffer) { write(.pong, data) }

    private func write(_ code: WebSocketOpcode, _ data: ByteBuffer) {
        guard !isClosing.load(ordering: .relaxed) else { return }
        let count = data.readableBytes + Self.overhead
        waitingBytes.add(count, ordering: .relaxed)
        let isFirst = frames.withLock {
            $0.append((WebSocketFrame(fin: true, opcode: code, data: data), count))
            return $0.count == 1
        }
        if isFirst { channel.eventLoop.execute { self.writeFrames() } }
    }

    private func writeFrames() {
        let frames = frames.withLock { frames in
            defer { frames = [] }
            return frames
        }
        for (frame, size) in frames {
            channel.write(frame).whenComplete { _ in self.waitingBytes.subtract(size, ordering: .relaxed) }
        }
        channel.flush()
    }

    /// Closes the socket: behind what was sent if the page takes it within a second, else then.
    func close(_ code: WebSocketErrorCode = .policyViolation) {
        guard !isClosing.exchange(true, ordering: .relaxed) else { return }
        let channel = channel
        channel.eventLoop.execute {
            self.writeFrames()
            var data = ByteBuffer()
            data.write(webSocketErrorCode: code)
            channel.writeAndFlush(WebSocketFrame(fin: true, opcode: .connectionClose, data: data))
                .whenComplete { _ in channel.close(promise: nil) }
        }
        channel.eventLoop.scheduleTask(in: .seconds(1)) { channel.close(promise: nil) }
    }

    /// Whether so much waits to be read by the hub that the socket is left alone.
    var isFull: Bool {
        unreadMessages.load(ordering: .relaxed) >= Self.unreadLimits.messages
            || unreadBytes.load(ordering: .relaxed) >= Self.unreadLimits.bytes
    }

    /// Counts a message of the page that is handed on.
    func handsOn(_ count: Int) {
        unreadMessages.add(1, ordering: .relaxed)
        unreadBytes.add(count, ordering: .relaxed)
    }

    /// Counts a message that was read.
    func wasRead(_ count: Int) {
        unreadMessages.subtract(1, ordering: .relaxed)
        unreadBytes.subtract(count, ordering: .relaxed)
        resumeIfRelieved()
    }

    /// Notes that the socket is left alone until the hub has read enough.
    func pause() {
        isPaused.store(true, ordering: .sequentiallyConsistent)
        resumeIfRelieved()
    }

    private func resumeIfRelieved() {
        let isRelieved =
            unreadMessages.load(ordering: .relaxed) <= Self.unreadLimits.messages / 2
            && unreadBytes.load(ordering: .relaxed) <= Self.unreadLimits.bytes / 2
        guard isRelieved, isPaused.exchange(false, ordering: .sequentiallyConsistent) else { return }
        let channel = channel
        channel.eventLoop.execute { channel.pipeline.fireUserInboundEventTriggered(Relief()) }
    }
}
