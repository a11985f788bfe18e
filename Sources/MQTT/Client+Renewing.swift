import EventLoop

// Beginning anew without losing what was sent meanwhile.
extension Client {
    /// A connection that is read out before it is left.
    struct Renewal {
        /// The packet whose acknowledgement stands behind all that was sent before it.
        var marker: CInt
        /// Whether messages came that the broker keeps in a queue of its own, so that more of them may
        /// follow.
        var foundQueue = false
        let timer: LoopTimer
    }

    /// A filter without a subscriber; ending the subscription to it only asks the broker for an answer.
    static let nowhere = "tactile-bridge/nowhere"

    /// Reads what the broker has sent so far, then does as ``reconnect()``: for one who was late and must not
    /// go by what piled up, but must not miss a stop in it either.
    ///
    /// - Parameter limit: After which time it reconnects whatever is still to be read.
    public nonisolated func drainAndReconnect(within limit: Duration = .seconds(1)) {
        perform { client in
            guard case .connected(let connection, _) = client.phase, client.renewal == nil else { return }
            let timer = client.loop.schedule(after: limit) { client.reconnect() }
            client.renewal = Renewal(marker: connection.unsubscribe(Self.nowhere), timer: timer)
            connection.write()
        }
    }

    /// Everything before the marker has been read.
    func markerArrived(_ identifier: CInt, _ connection: Connection) {
        guard let renewal, renewal.marker == identifier else { return }
        if renewal.foundQueue {
            self.renewal?.foundQueue = false
            self.renewal?.marker = connection.unsubscribe(Self.nowhere)
        } else {
            // Not from in here, where what arrived is being handed out.
            renewal.timer.cancel()
            loop.execute { self.reconnect() }
        }
    }
}
