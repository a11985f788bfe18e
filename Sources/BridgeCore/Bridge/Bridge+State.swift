import Bluetooth
import DeviceKit

// What the bridge must know after a restart.
extension Bridge {
    /// Keeps the state, the newest that there is when the store is free.
    func save() {
        needsSaving = true
        guard !isSaving else { return }
        isSaving = true
        spawn { [weak self] in await self?.saveAll() }
    }

    private func saveAll() async {
        while needsSaving {
            needsSaving = false
            await world.store.save(state)
        }
        isSaving = false
    }

    /// Changes what is kept of a device.
    func remember(_ session: DeviceSession, _ change: (inout BridgeState.Device) -> Void) {
        let address = session.address
        let known = state.devices.firstIndex { $0.address == address }
        var device =
            known.map { state.devices[$0] }
            ?? BridgeState.Device(
                address: address, family: session.family.name,
                name: names[address] ?? session.family.name, isJoined: false)
        change(&device)
        if let known {
            guard state.devices[known] != device else { return }
            state.devices[known] = device
        } else {
            state.devices.append(device)
        }
        save()
    }

    // MARK: Retained topics

    /// A retained topic was published, perhaps for the first time.
    func keep(topic: String) {
        if state.retainedTopics.insert(topic).inserted { save() }
    }

    /// Retained topics are cleared, or another bridge speaks on them.
    func forget(topics: [String]) {
        guard !state.retainedTopics.isDisjoint(with: topics) else { return }
        state.retainedTopics.subtract(topics)
        save()
    }

    /// Clears what was published for devices that were removed or renamed while the bridge was down.
    func clearStaleTopics() {
        var current = Set(Self.ownStates.map(topics.own))
        for session in sessions.values { current.formUnion(session.assumeIsolated { $0.stateTopics }) }
        let stale = state.retainedTopics.subtracting(current)
        for topic in stale.sorted() {
            world.broker.publish(OutgoingMessage(topic: topic, payload: [], policy: .state))
        }
        forget(topics: Array(stale))
    }
}
