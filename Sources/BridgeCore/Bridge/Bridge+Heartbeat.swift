import BridgeContract
import BridgeParts
import Claims
import DeviceKit
import JSON
import Logging
import Messages

// That the bridge is there: by its heartbeat, and against a last will of a connection that is no more.
extension Bridge {
    /// Says that the bridge is there, and says it again after the interval.
    func beat() {
        guard let interval = settings.heartbeat, !isStopping else { return }
        startTimer(.heartbeat, at: world.time.now + interval)
        guard broker.status.isConnected else { return }
        let value: JSON.Value = [
            "time": .string(world.time.date.description),
            "interval_s": .integer(interval.milliseconds / 1000),
        ]
        keep { $0.keep(topic: heartbeatTopic) }
        world.broker.publish(
            OutgoingMessage(topic: heartbeatTopic, payload: value.bytes, policy: .state))
    }

    /// Takes up another interval; what was said last goes where none is to be said any more.
    func useHeartbeat() {
        clockwork.cancel(.heartbeat)
        guard settings.heartbeat == nil else { return beat() }
        clear(heartbeatTopic)
        noteCleared([heartbeatTopic])
    }

    /// The bridge's own availability came by.
    ///
    /// Of several brokers each has a last will of the bridge. One that loses the bridge without noticing publishes it
    /// when the bridge has long been at another one, and that is to be corrected.
    func heardOwnAvailability(_ message: IncomingMessage) {
        let isOffline = message.payload == Array("offline".utf8)
        guard !message.isRetained, !isStopping, broker.status.isConnected,
            isOffline || message.payload != Array("online".utf8)
        else { return }
        let topic = topics.own("availability")
        guard isOffline, corrections.mayPublish(at: world.time.now) else {
            return world.broker.restore(topic, insteadOf: message.payload)
        }
        logger.notice("a last will of a former connection reports this bridge offline; it is online")
        world.broker.publish(
            OutgoingMessage(
                topic: topic, payload: Array("online".utf8), policy: .state))
    }

    var heartbeatTopic: String { topics.own(BridgeFeatures.heartbeatName) }
}
