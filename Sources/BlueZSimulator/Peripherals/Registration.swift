/// Says what is to be asked of bluetoothd next until a device is served by an adapter as it should be; pure.
struct Registration: Hashable, Sendable {
    /// What bluetoothd can be asked.
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

    /// What has to be done once, in this order.
    private static let preparations: [Step] = [
        .power, .alias, .pairable, .agent, .defaultAgent, .application,
    ]

    /// Whether the adapter is there.
    private(set) var isAdapterThere = false
    /// Whether the device wants to be heard.
    var wantsToAdvertise = false
    private(set) var isAdvertising = false
    private(set) var done: Set<Step> = []
    /// The step whose answer is waited for.
    private(set) var running: Step?

    /// Whether clients can find the device, or it does not want to be found.
    var isSettled: Bool {
        isAdapterThere && running == nil && done.isSuperset(of: Self.preparations)
            && isAdvertising == wantsToAdvertise
    }

    /// Takes it that the adapter came, or is gone with all that was registered there.
    mutating func setAdapter(there isThere: Bool) {
        guard isThere != isAdapterThere else { return }
        let wanted = wantsToAdvertise
        self = Self()
        isAdapterThere = isThere
        wantsToAdvertise = wanted
    }

    /// Takes it that bluetoothd has ended the advertisement.
    mutating func advertisementReleased() { isAdvertising = false }

    /// Returns the next step, which counts as running from now on; nil if there is nothing to do now.
    mutating func next() -> Step? {
        guard isAdapterThere, running == nil else { return nil }
        if let step = Self.preparations.first(where: { !done.contains($0) }) {
            running = step
        } else if wantsToAdvertise != isAdvertising {
            running = wantsToAdvertise ? .advertise : .unadvertise
        }
        return running
    }

    /// Takes a step's answer; a step that failed comes again. An answer of before the adapter went is ignored.
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
