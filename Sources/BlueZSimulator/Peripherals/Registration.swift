/// Determines which request to bluetoothd is next, until an adapter serves its device completely. The type has no clock
/// and performs no I/O.
struct Registration: Hashable, Sendable {
    /// The requests that the simulator sends to bluetoothd for one device.
    enum Step: Hashable, Sendable, CaseIterable {
        case power
        case alias
        case pairable
        case agent
        case defaultAgent
        case application
        case advertise
        case unadvertise
    }

    /// The requests that are made once after the adapter appears, in this order.
    private static let preparations: [Step] = [
        .power, .alias, .pairable, .agent, .defaultAgent, .application,
    ]

    private(set) var isAdapterThere = false
    /// Whether the device needs to advertise.
    var wantsToAdvertise = false
    private(set) var isAdvertising = false
    private(set) var done: Set<Step> = []
    /// The request that bluetoothd has not answered yet; nil if there is none.
    private(set) var running: Step?

    /// Whether all registrations are complete, so that clients can find the device unless it does not advertise.
    var isSettled: Bool {
        isAdapterThere && running == nil && done.isSuperset(of: Self.preparations)
            && isAdvertising == wantsToAdvertise
    }

    /// Records that the adapter is present, or absent with all its registrations.
    mutating func setAdapter(there isThere: Bool) {
        guard isThere != isAdapterThere else { return }
        let wanted = wantsToAdvertise
        self = Self()
        isAdapterThere = isThere
        wantsToAdvertise = wanted
    }

    /// Records that bluetoothd has ended the advertisement.
    mutating func advertisementReleased() { isAdvertising = false }

    /// Returns the next request and marks it as running; nil if no request is due.
    mutating func next() -> Step? {
        guard isAdapterThere, running == nil else { return nil }
        if let step = Self.preparations.first(where: { !done.contains($0) }) {
            running = step
        } else if wantsToAdvertise != isAdvertising {
            running = wantsToAdvertise ? .advertise : .unadvertise
        }
        return running
    }

    /// Records the answer to a request. A failed request is repeated. Answers from before the adapter was removed are
    /// ignored.
    mutating func finish(_ step: Step, succeeded: Bool) {
        guard running == step else { return }
        running = nil
        guard succeeded else { return }
        switch step {
        case .advertise: isAdvertising = true
        case .unadvertise: isAdvertising = false
        default: done.insert(step)
        }
    }
}
