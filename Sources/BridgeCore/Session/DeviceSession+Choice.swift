import Bluetooth
import Claims
import DeviceKit
import JSON
import Messages

// Several hosts may hear the device: the one that hears it best connects, and a device that changes hosts does not go.
extension DeviceSession {
    /// How long a device that lost its link is not said to be away, while another bridge may take it up.
    static let handOverTime = Duration.seconds(2)

    // MARK: Who connects

    /// Until when this bridge does not connect; nil where it may. Offers the connection to the others then.
    func holdBack() -> Duration? {
        let step = choice.decide(
            HostChoice.Load(), isAlone: world.neighbors.online().isEmpty,
            chance: Rendezvous.share(of: ownership.bridge, for: address), at: now)
        switch step {
        case .wait(let moment): return moment
        case .connect(let offer):
            if let offer { sendOffer(offer) }
            return nil
        }
    }

    private func sendOffer(_ score: Int) {
        let offer = Offer(
            bridge: ownership.bridge, address: address, score: score, epoch: ownership.device.highest)
        world.broker.publish(
            OutgoingMessage(
                topic: world.topics.own(Topics.offerName), payload: offer.message.bytes, policy: .stream))
        world.changed(.offered)
    }

    /// Another bridge is about to connect.
    func heard(_ offer: Offer) { choice.heard(offer, at: now) }

    // MARK: Whether it is away

    /// Publishes whether the device can be used.
    ///
    /// A device that goes from one host to another is not away: its bridge says so only after a while, and the other one
    /// says that it is there.
    ///
    /// - Parameter isFinal: Whether that while is over.
    func reportAvailability(isFinal: Bool) {
        if isReady {
            clock.cancel(.absence)
            return send(publisher.publish(.availability, "online"))
        }
        let mayBeElsewhere =
            life == .open && publisher.isSaid(.availability, "online")
            && !connector.supervision.isUserDisconnected
            && !world.neighbors.online().isEmpty
        guard mayBeElsewhere, !isFinal else {
            clock.cancel(.absence)
            return send(publisher.publish(.availability, "offline"))
        }
        if !clock.runs(.absence) { startTimer(.absence, at: now + Self.handOverTime) }
    }
}

extension Offer {
    /// Reads a message; nil for what is none.
    init?(_ payload: [UInt8], bridge: String) {
        guard payload.count <= CommandGate.maximumPayload, let object = try? JSON.Value(parsing: payload),
            let address = object["address"]?.string.flatMap({ Address($0) }),
            let score = object["score"]?.integer, (-256...0).contains(score)
        else { return nil }
        self.init(bridge: bridge, address: address, score: score, epoch: object["epoch"]?.integer ?? 0)
    }

    /// The message.
    var message: JSON.Value {
        [
            "address": .string(address.description), "score": .integer(score), "epoch": .integer(epoch),
        ]
    }
}
