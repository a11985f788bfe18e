import BridgeContract
import BridgeParts
import DeviceKit
import JSON
import Messages

// What all devices of a family can say and do is said once, and not by each of them.
extension Bridge {
    /// Says what the devices of a family can say and do, before the first of them refers to it.
    func reportFeatures(of family: any DeviceFamily) {
        guard reports.describe(family) else { return }
        let topic = topics.features(of: family.name)
        keep { $0.keep(topic: topic) }
        let payload = FeatureReference.family(family.name, family.features).bytes
        world.broker.publish(OutgoingMessage(topic: topic, payload: payload, policy: .state))
    }

    /// Clears what was said of families of which no device is left.
    func clearUnusedFeatures() {
        let gone = reports.forgetFamilies(besides: Set(fleet.all.map(\.family.name))).map(topics.features)
        guard !gone.isEmpty else { return }
        for topic in gone { clear(topic) }
        noteCleared(gone)
    }
}
