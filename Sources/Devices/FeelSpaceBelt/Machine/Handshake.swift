import Bluetooth

/// What is left to do until the belt can be used, in an order that works against every known library's belt.
struct Handshake: Hashable, Sendable {
    /// One thing to do; the next begins when it is done.
    enum Step: Hashable, Sendable {
        /// Ask for notifications.
        case subscribe(CharacteristicID)
        /// Read a value.
        case read(CharacteristicID)
        /// Ask for a parameter and wait for its notification.
        case ask(Parameter)
    }

    /// How long the belt may take for one answer (pybelt waits as long).
    static let answerTime: Duration = .seconds(1)
    /// How long the whole may take (`FSConnectionManager`).
    static let time: Duration = .seconds(20)

    private var steps: ArraySlice<Step> = []

    /// Nothing is left to do.
    init() {}

    /// The whole handshake. Keep-alives come first, so that they are answered from the start.
    init(debug: Bool, orientation: Bool) {
        let subscriptions = [GATT.keepAlive, GATT.parameterNotification, GATT.button, GATT.battery]
        var steps = (subscriptions + (debug ? [GATT.debugOutput] : [])).map(Step.subscribe)
        steps += [
            .read(GATT.firmware), .read(GATT.battery), .ask(.mode), .ask(.intensity), .ask(.headingOffset),
            .ask(.accuracySignal),
        ]
        if orientation { steps.append(.subscribe(GATT.orientation)) }
        self.steps = steps[...]
    }

    /// The step under way; nil when all is done.
    var current: Step? { steps.first }

    /// The step is done.
    mutating func advance() { steps = steps.dropFirst() }

    /// Puts a step behind the one under way.
    mutating func insert(_ step: Step) { steps.insert(step, at: steps.startIndex + 1) }

    /// Whether the belt can be used without what the step brings.
    static func isOptional(_ step: Step) -> Bool {
        switch step {
        case .subscribe(let characteristic): characteristic == GATT.debugOutput
        case .read(let characteristic): characteristic == GATT.battery
        case .ask(let parameter): parameter != .mode && parameter != .intensity
        }
    }

    /// Whether a notification of the parameter is what the step under way waits for.
    func waits(for parameter: Parameter) -> Bool {
        switch current {
        case .ask(.intensity): parameter == .intensity || parameter == .extendedIntensity
        case .ask(.headingOffset): parameter == .headingOffset || parameter == .extendedHeadingOffset
        case .ask(let asked): parameter == asked
        default: false
        }
    }
}
