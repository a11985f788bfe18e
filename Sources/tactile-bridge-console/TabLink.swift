import NIOCore
import NIOWebSocket
import Synchronization

/// The WebSocket of a page, usable from any thread.
///
/// It counts the unsent bytes of all frames, and the received bytes that the hub has not processed.
final class TabLink: Sendable {
    /// An event for the handlers of the channel: reading can resume, because the hub has caught up or the page's frame
    /// limit was reset.
    struct Relief {}

    /// The number of unprocessed messages and of their bytes at which reading from the page stops.
    private static let unreadLimits = (messages: 256, bytes: 256 << 10)
    /// The size of a frame in addition to its data, including the system's overhead, in bytes.
    private static let overhead = 64

    private let channel: any Channel
    private let waitingBytes = Atomic(0)
    private let unreadMessages = Atomic(0)
    private let unreadBytes = Atomic(0)
    private let isPaused = Atomic(false)
    private let isClosing = Atomic(false)
    /// The frames to write together in the next turn of the channel's loop.
    private let frames = Mutex<[(frame: WebSocketFrame, size: Int)]>([])

    init(_ channel: any Channel) { self.channel = channel }

    /// The number of bytes that the page has not received.
    var waiting: Int { waitingBytes.load(ordering: .relaxed) }

    func send(_ text: [UInt8]) { write(.text, ByteBuffer(bytes: text)) }

    /// Sends a ping, whose answer keeps the WebSocket open.
    func ping() { write(.ping, ByteBuffer()) }

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

    /// Closes the WebSocket after the sent messages are written, or after one second.
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

    /// Whether the hub has too many unprocessed messages of the page to continue reading.
    var isFull: Bool {
        unreadMessages.load(ordering: .relaxed) >= Self.unreadLimits.messages
            || unreadBytes.load(ordering: .relaxed) >= Self.unreadLimits.bytes
    }

    /// Counts a message of `count` bytes that is passed to the hub.
    func handsOn(_ count: Int) {
        unreadMessages.add(1, ordering: .relaxed)
        unreadBytes.add(count, ordering: .relaxed)
    }

    /// Counts a message of `count` bytes that the hub has processed.
    func wasRead(_ count: Int) {
        unreadMessages.subtract(1, ordering: .relaxed)
        unreadBytes.subtract(count, ordering: .relaxed)
        resumeIfRelieved()
    }

    /// Records that reading is stopped until the hub has caught up.
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
