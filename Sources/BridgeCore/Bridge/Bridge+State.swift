import Bluetooth
import BridgeContract
import BridgeParts
import DeviceKit
import HomeAssistant
import Messages

// The state that the bridge keeps across restarts.
extension Bridge {
    /// Changes the state that is kept across restarts, and schedules a save if the change makes a difference.
    func keep(_ change: (inout KeptState) -> Bool) {
        if change(&kept) { follow(kept.changed(at: ports.time.now)) }
    }

    func savingIsDue() { follow(kept.waited(at: ports.time.now)) }

    private func follow(_ step: KeptState.Step?) {
        switch step {
        case .save: spawn { await $0.save() }
        case .wait(let moment): startTimer(.saving, at: moment)
        case nil: break
        }
    }

    private func save() async {
        let (state, begin) = (kept.begin(), ports.time.now)
        let isKept = await ports.store.save(state)
        follow(kept.finish(isKept: isKept, from: begin, to: ports.time.now, isLast: isStopping))
    }

    /// Changes what the bridge keeps about a device across restarts.
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

    func noteCleared(_ topics: [String]) {
        let isDelivered = broker.status.isConnected
        keep { $0.clear(topics: topics, isDelivered: isDelivered) }
    }

    /// Clears a retained topic on the broker.
    func clear(_ topic: String) {
        ports.broker.publish(OutgoingMessage(topic: topic, payload: [], policy: .state))
    }

    /// Forgets the topics that an earlier run published for a device, because another bridge owns the device. Otherwise
    /// this bridge would clear these topics.
    func releaseKept(of session: DeviceSession) {
        var topics: [String] = []
        if let prefix = settings.homeAssistant?.prefix {
            topics.append(HomeAssistant.topic(prefix: prefix, id: HomeAssistant.id(session.address)))
        }
        // The list of state topics is composed only if it is needed, since few devices have kept topics.
        let availability = self.topics.report(session.name, Publisher.Common.availability.rawValue)
        if kept.state.retainedTopics.contains(availability) { topics += session.publisher.stateTopics }
        keep { $0.forget(topics: topics) }
    }
}
