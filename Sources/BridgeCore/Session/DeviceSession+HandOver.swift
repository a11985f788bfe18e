import BridgeContract
import BridgeParts
import Claims
import DeviceKit
import JSON
import Logging
import Messages

// Handover of a device: another bridge that connects to it continues the device's activity.
extension DeviceSession {
    /// The minimum time between two claims that report a changed ``intent``. Without this limit, a direction that
    /// changes many times a second would cause as many claims.
    private static let intentPeriod = Duration.seconds(1)

    /// What the device is doing and another bridge would continue if it took over the device: values by feature.
    var intent: [String: JSON.Value] {
        guard !family.handedOver.isEmpty, handOverLife != nil else { return [:] }
        var intent: [String: JSON.Value] = [:]
        for feature in family.handedOver {
            if let value = publisher.state(feature), family.isHandedOver(feature, value) {
                intent[feature] = value
            }
        }
        return intent
    }

    private var handOverLife: Duration? { family.handOverTime(settings) }

    /// Publishes a claim with the new ``intent`` if another bridge would continue this feature, which has changed.
    func noteIntent(of feature: String) {
        guard family.handedOver.contains(feature), !clock.runs(.intent) else { return }
        sendClaim(isRepeated: false)
        startTimer(.intent, at: now + Self.intentPeriod)
    }

    /// Records the activity of the device that another bridge published in its claim, so that this bridge can continue
    /// it.
    func noteActions(_ message: ClaimMessage, arrival: Duration) {
        guard message.claim.bridge != ownership.bridge else { return }
        handOver.heard(message.claim, message.intent, at: arrival, date: context.time.date)
        handOverWatch.heard(message.claim, at: arrival)
    }

    /// Counts the handover if the device came from another bridge and is online on this bridge now.
    func countHandOver() {
        guard ownership.wasElsewhere else { return }
        let (reason, time) = handOverWatch.take(at: now)
        context.changed(.handedOver(reason, after: time))
    }

    /// Continues what the device was doing on its previous bridge, unless that is too long ago.
    func takeUpIntent() {
        guard ownership.wasElsewhere else { return handOver.cancel() }
        switch handOver.take(life: handOverLife, at: now) {
        case .nothing: break
        case .lapsed(let features):
            logger.info(
                "the activity from the previous bridge is not resumed: it is too old",
                metadata: ["features": "\(features)"])
            context.changed(.lapsed(features))
        case .resume(let values, let arrival):
            for (feature, value) in values.sorted(by: { $0.key < $1.key })
            where family.handedOver.contains(feature) {
                logger.info(
                    "the activity from the previous bridge is resumed", metadata: ["feature": "\(feature)"])
                let request = CommandRequest(feature: feature, payload: value.bytes, arrival: arrival)
                execute(desk.found(request))
            }
        }
    }
}
