import BridgeContract
import BridgeParts
import Claims
import DeviceKit
import JSON
import Logging
import Messages

// The heartbeat of the bridge, and the correction of a last will that the broker published too late.
extension Bridge {
    /// Publishes the heartbeat and schedules the next one.
    func beat() {
        guard let interval = settings.heartbeat, !isStopping else { return }
        startTimer(.heartbeat, at: ports.time.now + interval)
        guard broker.status.isConnected else { return }
        let value: JSON.Value = [
            "time": .string(ports.time.date.description),
            "interval_s": .integer(interval.milliseconds / 1000),
        ]
        keep { $0.keep(topic: heartbeatTopic) }
        ports.broker.publish(
            OutgoingMessage(topic: heartbeatTopic, payload: value.bytes, policy: .state))
    }

    /// Applies a new heartbeat interval. If the heartbeat is disabled, its retained message is cleared.
    func useHeartbeat() {
        timers.cancel(.heartbeat)
        guard settings.heartbeat == nil else { return beat() }
        clear(heartbeatTopic)
        noteCleared([heartbeatTopic])
    }

    /// Takes a message on the bridge's own `availability` topic.
    ///
    /// If several brokers are configured, each of them may still have a last will of the bridge. A broker that detects
    /// a lost connection late publishes the last will when the bridge is already connected to another broker. The
    /// bridge then publishes its availability again.
    func heardOwnAvailability(_ message: IncomingMessage) {
        let isOffline = message.payload == Array("offline".utf8)
        guard !message.isRetained, !isStopping, broker.status.isConnected,
            isOffline || message.payload != Array("online".utf8)
        else { return }
        let topic = topics.own("availability")
        guard isOffline, corrections.mayPublish(at: ports.time.now) else {
            return ports.broker.restore(topic, insteadOf: message.payload)
        }
        logger.notice(
            "the last will of an earlier connection reported this bridge offline: online is published again")
        ports.broker.publish(
            OutgoingMessage(
                topic: topic, payload: Array("online".utf8), policy: .state))
    }

    var heartbeatTopic: String { topics.own(BridgeFeatures.heartbeatName) }
}
