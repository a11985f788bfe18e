import BridgeContract
import DeviceKit
package import JSON
import Messages

/// The message on a device's claim topic: `{"v":1,"bridge":"attic","epoch":7,"state":"linked",…}`.
package struct ClaimMessage: Hashable, Sendable {
    /// The newest version of the message format that this bridge knows.
    package static let version = 1

    package var claim: Claim
    /// What the device is doing: the values of the features that another bridge would continue.
    package var intent: [String: JSON.Value] = [:]

    package init(claim: Claim, intent: [String: JSON.Value] = [:]) {
        self.claim = claim
        self.intent = intent
    }
}

extension ClaimMessage {
    /// Parses a message; nil if it is invalid.
    package init?(_ payload: [UInt8], isStored: Bool) {
        guard payload.count <= IncomingMessage.maximumPayload, let object = try? JSON.Value(parsing: payload),
            let bridge = object["bridge"]?.string, !bridge.isEmpty,
            let epoch = object["epoch"]?.integer, (0...Claim.highestEpoch).contains(epoch),
            let state = object["state"]?.string.flatMap(Claim.State.init)
        else { return nil }
        claim = Claim(
            bridge: bridge, epoch: epoch, state: state, since: object["since"]?.string,
            adapter: object["adapter"]?.string, name: object["name"]?.string,
            family: object["family"]?.string, isConfigured: object["configured"]?.bool ?? false,
            score: object["score"]?.integer.flatMap { Offer.scores.contains($0) ? $0 : nil },
            moves: (object["moves"]?.array?.prefix(60) ?? []).compactMap {
                $0.string.flatMap { TimeStamp($0) }
            },
            isStored: isStored)
        for member in object["intent"]?.object?.members ?? [] { intent[member.key] = member.value }
    }

    package var payload: [UInt8] {
        var object: JSON.Object = [
            "v": .integer(Self.version), "bridge": .string(claim.bridge), "epoch": .integer(claim.epoch),
            "state": .string(claim.state.rawValue),
        ]
        object["since"] = claim.since.map { .string($0) }
        object["adapter"] = claim.adapter.map { .string($0) }
        object["name"] = claim.name.map { .string($0) }
        object["family"] = claim.family.map { .string($0) }
        if claim.isConfigured { object["configured"] = true }
        object["score"] = claim.score.map { .integer($0) }
        if !claim.moves.isEmpty { object["moves"] = .array(claim.moves.map { .string($0.description) }) }
        if !intent.isEmpty {
            object["intent"] = .object(
                JSON.Object(intent.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }))
        }
        return JSON.Value.object(object).bytes
    }
}
