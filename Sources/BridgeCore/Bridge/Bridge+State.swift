import Bluetooth
import DeviceKit

// What the bridge must know after a restart.
extension Bridge {
    /// After how long a state that could not be kept is tried again: a full disk stays full for a while.
    static let pauseOfSaving = Duration.seconds(5)

    /// Keeps the state, the newest that there is when the store is free.
    func save() {
        needsSaving = true
        guard !isSaving, timers.deadline(.saving) == nil else { return }
        if let pause = saving.pause(at: world.time.now) { return startTimer(.saving, at: pause) }
        isSaving = true
        spawn { await $0.saveAll() }
    }

    private func saveAll() async {
        needsSaving = false
        let begin = world.time.now
        let isKept = await world.store.save(state)
        isSaving = false
        let end = world.time.now
        saving.took(end - begin, until: end)
        guard isKept else {
            needsSaving = true
            if !isStopping { startTimer(.saving, at: end + Self.pauseOfSaving) }
            return
        }
        if needsSaving { save() }
    }

    /// Changes what is kept of a device.
    func remember(_ session: DeviceSession, _ change: (inout BridgeState.Device) -> Void) {
        let address = session.address
        let known = state[address]
        var device =
            known
            ?? BridgeState.Device(
                address: address, family: session.family.name,
                name: names[address] ?? session.family.name, isJoined: false)
        change(&device)
        guard known != device else { return }
        state[address] = device
        save()
    }

    // MARK: Retained topics

    /// A retained topic was published, perhaps for the first time.
    func keep(topic: String) {
        staleTopics.remove(topic)
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
        current.formUnion(announcementTopics)
        current.formUnion(describedFamilies.map(topics.features))
        for session in sessions.values { current.formUnion(session.stateTopics) }
        let stale = state.retainedTopics.subtracting(current)
        for topic in stale.sorted() {
            world.broker.publish(OutgoingMessage(topic: topic, payload: [], policy: .state))
        }
        forgetCleared(Array(stale))
    }

    /// Topics were cleared: while the broker is away they are remembered, so that they are cleared at the next start
    /// if the bridge does not live to see its return.
    func forgetCleared(_ topics: [String]) {
        guard brokerVersion == nil else { return forget(topics: topics) }
        staleTopics.formUnion(topics)
    }

    /// The broker is there, and with it what was published while it was away.
    func forgetStaleTopics() {
        forget(topics: Array(staleTopics))
        staleTopics = []
    }
}
