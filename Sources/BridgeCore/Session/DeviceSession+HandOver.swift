import BridgeContract
import BridgeParts
import Claims
import DeviceKit
import JSON
import Logging
import Messages

// What the device does goes along when another bridge gets it.
extension DeviceSession {
    /// How often the claim tells what is new of that: a direction may change many times a second.
    private static let intentPeriod = Duration.seconds(1)

    /// What the device does now that another bridge would go on with.
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

    /// Something that would go along may have changed.
    func noteIntent(of feature: String) {
        guard family.handedOver.contains(feature), !clock.runs(.intent) else { return }
        sendClaim(isRepeated: false)
        startTimer(.intent, at: now + Self.intentPeriod)
    }

    /// Another bridge says what the device does there.
    func noteDeeds(_ message: ClaimMessage, arrival: Duration) {
        guard message.claim.bridge != ownership.bridge else { return }
        handOver.heard(message.claim, message.intent, at: arrival, date: world.time.date)
        handOverWatch.heard(message.claim, at: arrival)
    }

    /// Counts the device if another bridge had it; it can be used here now.
    func countHandOver() {
        guard ownership.wasElsewhere else { return }
        let (reason, time) = handOverWatch.take(at: now)
        world.changed(.handedOver(reason, after: time))
    }

    /// Goes on with what the device did at the bridge that had it before.
    func takeUpIntent() {
        guard ownership.wasElsewhere else { return handOver.cancel() }
        switch handOver.take(life: handOverLife, at: now) {
        case .nothing: break
        case .lapsed(let features):
            logger.info("what the device did elsewhere is over", metadata: ["features": "\(features)"])
            world.changed(.lapsed(features))
        case .resume(let values, let arrival):
            for (feature, value) in values.sorted(by: { $0.key < $1.key })
            where family.handedOver.contains(feature) {
                logger.info("goes on with what it did elsewhere", metadata: ["feature": "\(feature)"])
                let request = CommandRequest(feature: feature, payload: value.bytes, arrival: arrival)
                execute(desk.found(request))
            }
        }
    }
}
