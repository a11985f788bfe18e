import BridgeContract
import BridgeParts
import DeviceKit
import JSON
import Messages

// The features of a family, published once for all its devices.
extension Bridge {
    /// Publishes the features of a family, unless they are published already. This must precede the first device that
    /// refers to them.
    func reportFeatures(of family: any DeviceFamily) {
        guard reports.describe(family) else { return }
        let topic = topics.features(of: family.name)
        keep { $0.keep(topic: topic) }
        let payload = FeatureReference.family(family.name, family.features).bytes
        ports.broker.publish(OutgoingMessage(topic: topic, payload: payload, policy: .state))
    }

    /// Clears the features of families that have no device left.
    func clearUnusedFeatures() {
        let gone = reports.forgetFamilies(besides: Set(fleet.all.map(\.family.name))).map(topics.features)
        guard !gone.isEmpty else { return }
        for topic in gone { clear(topic) }
        noteCleared(gone)
    }
}
