import BridgeParts
import DeviceKit
import Logging

// The motion gate decides whether a device that can hurt you may move. The events that it receives from the bridge, and
// the effects of its orders.
extension DeviceSession {
    /// The motion gate; nil for a device that cannot hurt you.
    var gate: MotionGate? { motion?.gate }

    /// Whether the device needs echoes: while it is connected, and while the bridge waits for the device's retained
    /// emergency stop.
    var wantsEchoes: Bool { motion != nil && (link != nil || publisher.isRecalling) }

    /// Handles that the broker connection was established or lost.
    func brokerChanged(isConnected: Bool) {
        motion?.brokerChanged(isConnected: isConnected, at: now)
        updateGate()
    }

    /// Handles that an echo (a message of the bridge to itself) was written to the socket.
    func echoSent(_ value: String, at moment: Duration) {
        motion?.echoSent(value, at: moment)
        updateGate()
    }

    func echoReturned(_ value: String) {
        motion?.echoReturned(value, at: now)
        updateGate()
        finishRecall(isTimeOver: false)
    }

    /// Updates the topics on which stops cannot arrive, because a subscription is missing.
    func stopsMissing(_ topics: [String], isRecallMissing: Bool = false) {
        motion?.subscriptions(missing: topics, isRecallMissing: isRecallMissing, at: now)
        updateGate()
    }

    /// Carries out the orders of the gate after a change of its inputs or after some time.
    func updateGate() { if motion != nil { advance() } }

    /// Returns the input for the state machine that an order of the gate requires.
    func input(for order: MotionGate.Order) -> Input? {
        let limit: Logger.Metadata = ["limit_ms": "\(gate?.limits.maxPathDelay.milliseconds ?? 0)"]
        switch order {
        case .stop:
            logger.warning("messages from the broker are delayed: the device is stopped", metadata: limit)
            return .stop(.pathLost)
        case .cutPower:
            logger.warning(
                "messages from the broker are still delayed: the power is switched off", metadata: limit)
            return .stop(.pathGone)
        case .echo:
            context.changed(.wantsEcho)
            return nil
        }
    }
}
