import Console
import NIOCore
import NIOHTTP1
import NIOWebSocket

/// Reads the plain HTTP requests of a connection, passes the first request to the hub, and closes the connection after
/// the answer.
final class RequestHandler: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias OutboundOut = HTTPServerResponsePart

    private let hub: Hub
    private let visitor: Int
    private var request: Request?
    private var chunks = 0
    private var isAnswered = false

    /// - Parameter visitor: The number of the connection.
    init(hub: Hub, visitor: Int) {
        self.hub = hub
        self.visitor = visitor
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard !isAnswered else { return }
        switch unwrapInboundIn(data) {
        case .head(let head):
            let request = Request(head, peer: context.channel.remoteAddress?.ipAddress)
            self.request = request
            let channel = context.channel
            let bound = NIOLoopBound(self, eventLoop: channel.eventLoop)
            hub.know(visitor, request) { [hub] refusal in
                channel.eventLoop.execute {
                    guard bound.value.takeRequest() != nil else { return }
                    Self.answer(refusal, of: hub, on: channel, isHead: false)
                }
            }
        case .body(let buffer):
            request?.body += buffer.readableBytesView
            chunks += 1
            guard let limits = request?.bodyLimits, let count = request?.body.count,
                count > limits.bytes || chunks > limits.chunks, var request = takeRequest()
            else { return }
            if request.isStop {
                // A stop with a too large body is still carried out. Without its body it stops all devices, like every
                // stop whose body cannot be read.
                request.body = []
                return respond(to: request, context.channel)
            }
            Self.answer(
                .text(413, "too large: at most \(limits.bytes) bytes in \(limits.chunks) chunks"),
                of: hub, on: context.channel, isHead: false)
        case .end:
            guard let request = takeRequest() else { return }
            respond(to: request, context.channel)
        }
    }

    /// Returns the request to answer, and forgets it.
    private func takeRequest() -> Request? {
        isAnswered = true
        return request.take()
    }

    private func respond(to request: Request, _ channel: any Channel) {
        hub.respond(to: request) { [hub] in
            Self.answer($0, of: hub, on: channel, isHead: request.method == "HEAD")
        }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        // The upgrade to a WebSocket was refused. The request arrives here next, and is answered with the reason.
        guard !(error is NIOWebSocketUpgradeError) else { return }
        context.close(promise: nil)
    }

    private static func answer(_ response: Response, of hub: Hub, on channel: any Channel, isHead: Bool) {
        var headers = HTTPHeaders(hub.commonHeaders.map { ($0.name, $0.value) })
        for (name, value) in response.headers.sorted(by: { $0.key < $1.key }) {
            headers.add(name: name, value: value)
        }
        if response.status != 204 { headers.add(name: "Content-Length", value: "\(response.body.count)") }
        let head = HTTPResponseHead(
            version: .http1_1, status: HTTPResponseStatus(statusCode: response.status), headers: headers)
        channel.write(HTTPServerResponsePart.head(head), promise: nil)
        if !response.body.isEmpty, !isHead {
            channel.write(
                HTTPServerResponsePart.body(.byteBuffer(ByteBuffer(bytes: response.body))), promise: nil)
        }
        channel.writeAndFlush(HTTPServerResponsePart.end(nil)).whenComplete { _ in channel.close(promise: nil)
        }
    }
}

extension Request {
    init(_ head: HTTPRequestHead, peer: String?) {
        var headers: [String: String] = [:]
        for (name, value) in head.headers {
            let name = name.lowercased()
            headers[name] = headers[name].map { "\($0),\(value)" } ?? value
        }
        self.init(head.method.rawValue, head.uri, headers: headers, peer: peer)
    }
}
