import BridgeParts
import DeviceKit
import Logging

// What the motion gate is told by the bridge, and what its orders mean.
extension DeviceSession {
    /// The motion gate; nil for a device that cannot hurt a person.
    var gate: MotionGate? { motion?.gate }

    /// Whether echoes are of use: while the device is connected, and while what the broker has in store is awaited.
    var wantsEchoes: Bool { motion != nil && (link != nil || publisher.isRecalling) }

    /// The broker is connected, or gone.
    func brokerChanged(isConnected: Bool) {
        motion?.brokerChanged(isConnected: isConnected, at: now)
        updateGate()
    }

    /// An echo was handed to the socket.
    func echoSent(_ value: String, at moment: Duration) {
        motion?.echoSent(value, at: moment)
        updateGate()
    }

    /// An echo came back.
    func echoReturned(_ value: String) {
        motion?.echoReturned(value, at: now)
        updateGate()
        finishRecall(isTimeOver: false)
    }

    /// Says which stops cannot arrive.
    func stopsMissing(_ topics: [String], isRecallMissing: Bool = false) {
        motion?.subscriptions(missing: topics, isRecallMissing: isRecallMissing, at: now)
        updateGate()
    }

    /// Does what follows from a change of the gate, or from time alone.
    func updateGate() { if motion != nil { advance() } }

    /// The input that an order of the gate means.
    func input(for order: MotionGate.Order) -> Input? {
        let limit: Logger.Metadata = ["limit_ms": "\(gate?.limits.maxPathDelay.milliseconds ?? 0)"]
        switch order {
        case .stop:
            logger.warning("the way from the broker is late: the device is stopped", metadata: limit)
            return .stop(.pathLost)
        case .cutPower:
            logger.warning("the way from the broker did not come back: power is taken", metadata: limit)
            return .stop(.pathGone)
        case .echo:
            world.changed(.wantsEcho)
            return nil
        }
    }
}
