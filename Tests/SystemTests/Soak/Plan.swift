import HostTesting

/// The actions of a soak and their times, all derived from the seed.
struct Plan: Sendable {
    struct Step: Sendable {
        let at: Duration
        let action: SoakAction
    }

    private(set) var steps: [Step] = []
    private var random: RandomSource

    init(seed: UInt64, length: Duration) {
        random = RandomSource(seed: seed)
        // The last actions finish within the length.
        let end = length - .seconds(6)
        repeatedly(until: end, every: 40...160) { plan, at in
            let order = plan.order()
            plan.add(at, .command(order))
            // A robot drives only with power, which every reload removes.
            guard order.lease != nil, case .device(let robot) = order.target else { return }
            plan.add(at - .milliseconds(500), .command(plan.powerOn(robot)))
        }
        repeatedly(until: end, every: 50...250) { plan, at in
            let device = plan.device(.tap)
            plan.add(at, .tap(device))
        }
        repeatedly(until: end, every: 500...1500) { plan, at in
            let device = plan.device(.belt)
            plan.add(at, .press(device, plan.one(["home", "pause", "compass"])))
        }
        repeatedly(until: end, every: 400...1200) { plan, at in plan.addTrouble(at) }
        var deck: [Int] = []
        repeatedly(until: end, every: 3500...5500) { plan, at in
            if deck.isEmpty { deck = Array(0..<9).shuffled(using: &plan.random) }
            plan.addCalamity(deck.removeLast(), at)
        }
        // Actions at the same time stay in the order in which they were added.
        steps = steps.enumerated().sorted { ($0.element.at, $0.offset) < ($1.element.at, $1.offset) }
            .map(\.element)
    }

    private mutating func repeatedly(
        until end: Duration, every range: ClosedRange<Int>, _ body: (inout Plan, Duration) -> Void
    ) {
        var at = milliseconds(range)
        while at < end {
            body(&self, at)
            at += milliseconds(range)
        }
    }

    private mutating func add(_ at: Duration, _ action: SoakAction) {
        steps.append(Step(at: at, action: action))
    }

    private mutating func milliseconds(_ range: ClosedRange<Int>) -> Duration {
        .milliseconds(Int.random(in: range, using: &random))
    }

    mutating func one<Element>(_ choices: [Element]) -> Element {
        choices[Int.random(in: 0..<choices.count, using: &random)]
    }

    mutating func number(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &random) }

    mutating func device(
        _ family: Fleet.Family? = nil, where condition: (Fleet.Device) -> Bool = { _ in true }
    ) -> Fleet.Device {
        one(Fleet.devices.filter { (family == nil || $0.family == family) && condition($0) })
    }

    /// Adds a fault of one device.
    private mutating func addTrouble(_ at: Duration) {
        let device = device()
        switch number(0...9) {
        case 0...3: add(at, .drop(device))
        case 4...6:
            add(at, .mute(device, true))
            add(at + milliseconds(300...5000), .mute(device, false))
        case 7:
            for second in 0..<5 { add(at + .seconds(second), .drop(device)) }
        case 8: add(at, .burst(self.device(.tap)))
        default:
            let noisy = self.device { $0.isNoisy }
            add(at, .garbage(noisy, number(10...300)))
        }
    }

    /// Adds a fault of many devices.
    private mutating func addCalamity(_ kind: Int, _ at: Duration) {
        switch kind {
        case 0:
            let adapter = number(0...Fleet.adapters - 1)
            add(at, .adapter(adapter, isOn: false))
            add(at + milliseconds(200...3000), .adapter(adapter, isOn: true))
        case 1:
            add(at, .stopBroker)
            add(at + milliseconds(0...2000), .startBroker)
        case 2:
            add(at, .freezeBroker)
            add(at + milliseconds(200...3000), .thawBroker)
        case 3: add(at, .restartBlueZ)
        case 4, 5: addReload(at, .presence(device { $0.isMovable }))
        case 6: addReload(at, .name(device { $0.isMovable }))
        case 7: addReload(at, one([.setting(device { $0.isMovable }), .mistake]))
        default: addReload(at, .logLevel)
        }
    }

    private mutating func addReload(_ at: Duration, _ change: Fleet.Change) {
        add(at, .reload(change, byRequest: number(0...1) == 0))
        // A command to the device in between is answered too.
        let device =
            switch change {
            case .presence(let device), .name(let device), .setting(let device): device
            case .logLevel, .mistake: self.device()
            }
        for _ in 0..<10 {
            let order = order(to: device)
            add(at + milliseconds(0...400), .command(order))
        }
    }
}
