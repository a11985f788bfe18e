import BridgeConfiguration
import Console
import EventLoop

// The connections that are not a page's WebSocket, and their limits.
extension Hub {
    /// Adds an open connection. May be called from any thread.
    ///
    /// - Parameters:
    ///   - peer: The address of the client; nil for a Unix socket.
    ///   - close: Closes the connection.
    nonisolated func entered(_ number: Int, _ peer: String?, _ close: @escaping @Sendable () -> Void) {
        deliver { hub, _ in
            hub.doors[number] = close
            let isProxy = hub.settings.console.trustedProxies.contains(peer ?? "unix")
            hub.close(hub.visitors.enter(number, from: isProxy ? nil : peer ?? "unix"))
        }
    }

    /// Determines the kind of a connection when the head of its request has arrived. May be called from any thread.
    ///
    /// - Parameter refuse: Called to answer a refused request before its body is read.
    nonisolated func know(
        _ number: Int, _ request: Request, _ refuse: @escaping @Sendable (Response) -> Void
    ) {
        deliver(isUrgent: request.isStop) { hub, _ in
            let isUser = hub.session(request).map { !$0.roles.isEmpty } ?? false
            let kind: Visitors.Kind = !isUser ? .guest : request.isStop ? .stop : .user
            hub.close(hub.visitors.know(number, kind, from: hub.entrance.client(request)))
            if request.isLogin, let refusal = hub.refusal(login: request) { refuse(refusal) }
        }
    }

    /// Removes a connection that is closed or has become a page's WebSocket. May be called from any thread.
    nonisolated func left(_ number: Int) {
        deliver { hub, _ in
            hub.visitors.leave(number)
            hub.doors[number] = nil
        }
    }

    private func close(_ numbers: [Int]) {
        for number in numbers { doors.removeValue(forKey: number)?() }
    }
}
