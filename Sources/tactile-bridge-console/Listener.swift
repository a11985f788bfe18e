import BridgeConfiguration
import Console
import Glibc
import HostServices
import Logging
import NIOCore
import NIOHTTP1
import NIOPosix
import NIOWebSocket
import Synchronization

/// Accepts connections, and sets up each connection for plain HTTP requests or as a page's WebSocket.
struct Listener {
    /// The number of unsent bytes at which reading from a page stops, and the number at which it resumes. The limits
    /// exceed the size of all retained messages that a page requests. So reading, which includes drive commands, does
    /// not stop because of a slow network.
    private static let waterMark = ChannelOptions.Types.WriteBufferWaterMark(low: 256 << 10, high: 640 << 10)
    /// The time limit for a connection to become a WebSocket or to be answered.
    static let patience = TimeAmount.seconds(15)

    let hub: Hub
    let group: MultiThreadedEventLoopGroup

    /// Starts to listen.
    ///
    /// - Parameter address: An address and a port, or the path of a Unix socket.
    func listen(_ address: String) async throws(CommandFailure) -> any Channel {
        do {
            if address.hasPrefix("/") {
                let channel = try await bootstrap.bind(
                    unixDomainSocketPath: address, cleanupExistingSocketFile: true
                ).get()
                // The group gets access, because a proxy in the group may need it; other users get none.
                chmod(address, 0o660)
                return channel
            }
            guard let colon = address.lastIndex(of: ":"),
                let port = Int(address[address.index(after: colon)...])
            else {
                throw CommandFailure(
                    .configuration, "console.listen: found \(address); allowed: ADDRESS:PORT")
            }
            let host = address[..<colon].trimmingBrackets
            return try await bootstrap.bind(host: host == "localhost" ? "127.0.0.1" : host, port: port).get()
        } catch let failure as CommandFailure {
            throw failure
        } catch {
            throw CommandFailure(.unavailable, "cannot listen on \(address): \(error)")
        }
    }

    private var bootstrap: ServerBootstrap {
        let (hub, count) = (hub, Count())
        return ServerBootstrap(group: group)
            .serverChannelOption(.backlog, value: 64)
            .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
            // TCP_NODELAY is not set here, because accepted sockets inherit it from the listening socket, where NIO
            // sets it.
            .childChannelOption(.maxMessagesPerRead, value: 1)
            .childChannelOption(.writeBufferWaterMark, value: Self.waterMark)
            // The buffer is small, because a stop waits while the bytes of all other connections are decoded in one
            // turn.
            .childChannelOption(
                .recvAllocator,
                value: AdaptiveRecvByteBufferAllocator(minimum: 64, initial: 1024, maximum: 2048)
            )
            .childChannelInitializer { channel in
                let number = count.next()
                hub.entered(number, channel.remoteAddress?.ipAddress) { channel.close(promise: nil) }
                channel.closeFuture.whenComplete { _ in hub.left(number) }
                return Self.setUp(channel, hub, number)
            }
    }

    private static func setUp(_ channel: any Channel, _ hub: Hub, _ number: Int) -> EventLoopFuture<Void> {
        let session = Shared()
        let patience = channel.eventLoop.scheduleTask(in: patience) { channel.close(promise: nil) }
        // The timer is canceled, because it would retain the closed connection with all its received bytes.
        channel.closeFuture.whenComplete { _ in patience.cancel() }
        let upgrader = NIOWebSocketServerUpgrader(
            maxFrameSize: Hub.messageLimit, automaticErrorHandling: false,
            shouldUpgrade: { channel, head in
                let promise = channel.eventLoop.makePromise(of: HTTPHeaders?.self)
                hub.admit(Request(head, peer: channel.remoteAddress?.ipAddress)) { id in
                    session.set(id)
                    promise.succeed(id == nil ? nil : HTTPHeaders())
                }
                return promise.futureResult
            },
            upgradePipelineHandler: { channel, _ in
                patience.cancel()
                hub.left(number)
                return channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandlers([
                        IdleStateHandler(readTimeout: SocketHandler.patience),
                        SocketHandler(hub: hub, session: session.get ?? ""),
                    ])
                }
            })
        return channel.eventLoop.makeCompletedFuture {
            let requests = RequestHandler(hub: hub, visitor: number)
            let bound = NIOLoopBound(requests, eventLoop: channel.eventLoop)
            try channel.pipeline.syncOperations.configureHTTPServerPipeline(
                withPipeliningAssistance: false,
                withServerUpgrade: (
                    upgraders: [upgrader],
                    completionHandler: { context in
                        context.pipeline.syncOperations.removeHandler(bound.value, promise: nil)
                    }
                ))
            try channel.pipeline.syncOperations.addHandler(requests)
        }
    }
}

/// Counts the connections, so that each gets a number.
private final class Count: Sendable {
    private let last = Atomic(0)

    func next() -> Int { last.add(1, ordering: .relaxed).newValue }
}

/// The state that the two steps of a connection's upgrade to a WebSocket share.
private final class Shared: Sendable {
    private let value = Mutex<String?>(nil)

    var get: String? { value.withLock { $0 } }
    func set(_ new: String?) { value.withLock { $0 = new } }
}

extension Substring {
    fileprivate var trimmingBrackets: String {
        hasPrefix("[") && hasSuffix("]") ? String(dropFirst().dropLast()) : String(self)
    }
}
