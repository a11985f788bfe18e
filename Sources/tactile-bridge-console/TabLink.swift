import NIOCore
import NIOWebSocket
import Synchronization

/// The way to one page: its socket, as any thread may use it.
final class TabLink: Sendable {
    private let channel: any Channel
    private let waitingBytes = Atomic(0)
    private let unreadMessages = Atomic(0)

    init(_ channel: any Channel) { self.channel = channel }

    /// How many bytes the page has not taken yet.
    var waiting: Int { waitingBytes.load(ordering: .relaxed) }

    /// Sends a text.
    func send(_ text: [UInt8]) {
        let count = text.count
        waitingBytes.add(count, ordering: .relaxed)
        let promise = channel.eventLoop.makePromise(of: Void.self)
        promise.futureResult.whenComplete { _ in self.waitingBytes.subtract(count, ordering: .relaxed) }
        channel.writeAndFlush(
            WebSocketFrame(fin: true, opcode: .text, data: ByteBuffer(bytes: text)), promise: promise)
    }

    /// Asks whether the page is still there; its answer keeps the socket open.
    func ping() {
        channel.writeAndFlush(WebSocketFrame(fin: true, opcode: .ping, data: ByteBuffer()), promise: nil)
    }

    /// Closes the socket: behind what was sent if the page takes it within a second, else then.
    func close() {
        var data = ByteBuffer()
        data.write(webSocketErrorCode: .policyViolation)
        let channel = channel
        channel.writeAndFlush(WebSocketFrame(fin: true, opcode: .connectionClose, data: data))
            .whenComplete { _ in channel.close(promise: nil) }
        channel.eventLoop.scheduleTask(in: .seconds(1)) { channel.close(promise: nil) }
    }

    /// Counts a message of the page that is handed on; false if too many wait to be read.
    func handsOn() -> Bool { unreadMessages.add(1, ordering: .relaxed).newValue <= 256 }

    /// Counts a message that was read.
    func wasRead() { unreadMessages.subtract(1, ordering: .relaxed) }
}
