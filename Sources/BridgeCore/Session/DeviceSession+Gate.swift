import BridgeParts
import DeviceKit
import Logging

// The motion gate decides whether a device that can hurt you may move. The session passes events to the gate and
// carries out its orders.
extension DeviceSession {
    /// The motion gate of a device that can hurt you; nil for any other device.
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

    /// Records which stop topics the broker has not granted, so that stops on them cannot arrive.
    func stopsMissing(_ topics: [String], isRecallMissing: Bool = false) {
        motion?.subscriptions(missing: topics, isRecallMissing: isRecallMissing, at: now)
        updateGate()
    }

    /// Lets the gate decide again, after its inputs changed or some time passed, and carries out its orders.
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
