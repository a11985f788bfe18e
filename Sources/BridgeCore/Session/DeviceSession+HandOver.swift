import BridgeContract
import BridgeParts
import Claims
import DeviceKit
import JSON
import Logging
import Messages

// Handover of a device: another bridge that connects to it continues the device's activity.
extension DeviceSession {
    /// The minimum time between two claims with a changed ``intent``. For example, a direction may change many times a
    /// second.
    private static let intentPeriod = Duration.seconds(1)

    /// The current activity of the device that another bridge would continue: values by feature.
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

    /// Publishes the ``intent`` in a claim after a change of a feature that another bridge would continue.
    func noteIntent(of feature: String) {
        guard family.handedOver.contains(feature), !clock.runs(.intent) else { return }
        sendClaim(isRepeated: false)
        startTimer(.intent, at: now + Self.intentPeriod)
    }

    /// Takes the device's activity that another bridge publishes in its claim.
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

    /// Continues the activity of the device from its previous bridge.
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
                    "resumes the activity from the previous bridge", metadata: ["feature": "\(feature)"])
                let request = CommandRequest(feature: feature, payload: value.bytes, arrival: arrival)
                execute(desk.found(request))
            }
        }
    }
}
