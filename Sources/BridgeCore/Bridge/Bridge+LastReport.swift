import BridgeContract
import BridgeParts
import DeviceKit
import JSON

// The request `last_report` returns the newest message of a stream. A stream is not retained on the broker, so a client
// could not read it otherwise.
extension Bridge {
    func lastReport(_ asked: BridgeFeatures.LastReport) throws(CommandError) -> JSON.Object {
        let session = try device(named: asked.device)
        let feature = asked.feature
        let streams = session.family.features.filter { $0.report?.kind == .stream && !$0.isPrivate }
        guard streams.contains(where: { $0.name == feature }) else {
            if session.features[feature]?.report?.kind == .state {
                throw CommandError(
                    .unknownFeature,
                    "\(feature): a state, which is retained on \(topics.report(session.name, feature)); allowed: "
                        + streams.map(\.name).joined(separator: " "))
            }
            throw CommandError.unknown(.unknownFeature, feature, among: streams.map(\.name))
        }
        let newest = session.publisher.newest(feature)
        return [
            "device": .string(session.name), "feature": .string(feature), "value": newest?.value ?? .null,
            "published_at": newest.map { .string($0.time.description) } ?? .null,
        ]
    }
}
