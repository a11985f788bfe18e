import NIOCore
import NIOWebSocket

/// Reads the frames of a page's WebSocket, and passes texts to the hub.
final class SocketHandler: ChannelInboundHandler {
    typealias InboundIn = WebSocketFrame

    private let hub: Hub
    private let session: String
    private var link: TabLink?
    private var text: ByteBuffer?
    private var isReading = true
    /// The data of the newest unanswered ping; older pings need no answer (RFC 6455, 5.5.3).
    private var ping: ByteBuffer?

    /// The time after which a page that sends nothing is disconnected. The page receives three pings in this time.
    static let patience = TimeAmount.seconds(65)

    /// The maximum number of frames of a page that are read in a period; further frames wait in the socket. A page that
    /// drives a robot sends three frames in a period.
    private static let allowance = (frames: 64, period: TimeAmount.milliseconds(250))
    private var frames = 0
    private var periodEnd = NIODeadline.uptimeNanoseconds(0)
    private var isReliefDue = false

    init(hub: Hub, session: String) {
        self.hub = hub
        self.session = session
    }

    func handlerAdded(context: ChannelHandlerContext) {
        let link = TabLink(context.channel)
        self.link = link
        hub.opened(link, session: session)
    }

    func channelInactive(context: ChannelHandlerContext) {
        if let link { hub.closed(link) }
        context.fireChannelInactive()
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let frame = unwrapInboundIn(data)
        var data = frame.unmaskedData
        let now = NIODeadline.now()
        if now >= periodEnd { (frames, periodEnd) = (0, now + Self.allowance.period) }
        frames += 1
        switch frame.opcode {
        case .text where text == nil && frame.fin: handOn(&data, context)
        case .text where text == nil: text = data
        case .continuation where text != nil:
            text?.writeBuffer(&data)
            guard let count = text?.readableBytes, count <= Hub.messageLimit else {
                return end(.messageTooLarge, context)
            }
            guard frame.fin, var whole = text else { return }
            text = nil
            handOn(&whole, context)
        case .ping: ping = data
        case .pong: break
        case .connectionClose: end(.normalClosure, context)
        default: end(.unacceptableData, context)
        }
    }

    func channelReadComplete(context: ChannelHandlerContext) {
        if let ping { link?.pong(ping) }
        ping = nil
        updateReading(context)
        context.fireChannelReadComplete()
    }

    func channelWritabilityChanged(context: ChannelHandlerContext) {
        updateReading(context)
        context.fireChannelWritabilityChanged()
    }

    /// Stops or resumes reading from a page. Reading stops if the page does not read, sends more than allowed, or sends
    /// faster than the hub processes.
    private func updateReading(_ context: ChannelHandlerContext) {
        guard let link else { return }
        let isFull = link.isFull
        let isResting = frames >= Self.allowance.frames && NIODeadline.now() < periodEnd
        let reads = context.channel.isWritable && !isFull && !isResting
        if reads != isReading {
            isReading = reads
            try? context.channel.syncOptions?.setOption(.autoRead, value: reads)
        }
        if isFull { link.pause() }
        guard isResting, !isReliefDue else { return }
        isReliefDue = true
        let channel = context.channel
        channel.eventLoop.scheduleTask(deadline: periodEnd) {
            channel.pipeline.fireUserInboundEventTriggered(TabLink.Relief())
        }
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if event is TabLink.Relief {
            isReliefDue = false
            return updateReading(context)
        }
        if event is IdleStateHandler.IdleStateEvent { return context.close(promise: nil) }
        context.fireUserInboundEventTriggered(event)
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        end((error as? NIOWebSocketError).map { WebSocketErrorCode($0) } ?? .protocolError, context)
    }

    private func handOn(_ data: inout ByteBuffer, _ context: ChannelHandlerContext) {
        guard let link else { return }
        hub.received(data.readBytes(length: data.readableBytes) ?? [], from: link)
    }

    private func end(_ code: WebSocketErrorCode, _ context: ChannelHandlerContext) { link?.close(code) }
}

extension WebSocketErrorCode {
    fileprivate init(_ error: NIOWebSocketError) {
        switch error {
        case .invalidFrameLength: self = .messageTooLarge
        default: self = .protocolError
        }
    }
}
