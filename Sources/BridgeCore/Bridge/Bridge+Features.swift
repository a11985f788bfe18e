import DeviceKit
import JSON

// What all devices of a family can say and do is said once, and not by each of them.
extension Bridge {
    /// Says what the devices of a family can say and do, before the first of them refers to it.
    func reportFeatures(of family: any DeviceFamily) {
        guard describedFamilies.insert(family.name).inserted else { return }
        let topic = topics.features(of: family.name)
        keep(topic: topic)
        let payload = FeatureReference.family(family, topics).bytes
        world.broker.publish(OutgoingMessage(topic: topic, payload: payload, policy: .state))
    }

    /// Clears what was said of families of which no device is left.
    func clearUnusedFeatures() {
        let unused = describedFamilies.subtracting(sessions.values.map(\.family.name))
        let gone = unused.sorted().map(topics.features)
        guard !gone.isEmpty else { return }
        describedFamilies.subtract(unused)
        for topic in gone {
            world.broker.publish(OutgoingMessage(topic: topic, payload: [], policy: .state))
        }
        forgetCleared(gone)
    }
}
