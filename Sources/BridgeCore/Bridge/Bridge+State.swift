import Bluetooth
import BridgeContract
import BridgeParts
import DeviceKit
import HomeAssistant
import Messages

// What the bridge knows after a restart.
extension Bridge {
    /// Changes what is kept, and has the store keep it if that makes a difference.
    func keep(_ change: (inout KeptState) -> Bool) {
        if change(&kept) { follow(kept.changed(at: world.time.now)) }
    }

    /// The time to wait before the state is saved is over.
    func savingIsDue() { follow(kept.waited(at: world.time.now)) }

    private func follow(_ step: KeptState.Step?) {
        switch step {
        case .save: spawn { await $0.save() }
        case .wait(let moment): startTimer(.saving, at: moment)
        case nil: break
        }
    }

    private func save() async {
        let (state, begin) = (kept.begin(), world.time.now)
        let isKept = await world.store.save(state)
        follow(kept.finish(isKept: isKept, from: begin, to: world.time.now, isLast: isStopping))
    }

    /// Changes what is kept of a device.
    func remember(_ session: DeviceSession, _ change: (inout BridgeState.Device) -> Void) {
        let address = session.address
        let name = fleet.names[address] ?? session.family.name
        keep { kept in
            kept.remember(
                BridgeState.Device(
                    address: address, family: session.family.name, name: name, isJoined: false),
                at: address, change)
        }
    }

    // MARK: Retained topics

    /// Notes that retained topics were cleared.
    func noteCleared(_ topics: [String]) {
        let isDelivered = broker.status.isConnected
        keep { $0.clear(topics: topics, isDelivered: isDelivered) }
    }

    /// Clears a retained topic at the broker.
    func clear(_ topic: String) {
        world.broker.publish(OutgoingMessage(topic: topic, payload: [], policy: .state))
    }

    /// Leaves to the bridge that speaks for a device what an earlier start of this one published for it, so that this one
    /// does not clear it.
    func releaseKept(of session: DeviceSession) {
        var topics: [String] = []
        if let prefix = settings.homeAssistant?.prefix {
            topics.append(HomeAssistant.topic(prefix: prefix, id: HomeAssistant.id(session.address)))
        }
        // Few devices have any at all.
        let availability = self.topics.report(session.name, Publisher.Common.availability.rawValue)
        if kept.state.retainedTopics.contains(availability) { topics += session.publisher.stateTopics }
        keep { $0.forget(topics: topics) }
    }
}
