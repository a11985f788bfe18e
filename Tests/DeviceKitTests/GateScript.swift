import DeviceKit
import JSON

/// A motion gate with its own clock, controlled step by step by tests.
struct GateScript {
    var gate: MotionGate
    private(set) var now = Duration.seconds(1000)
    private(set) var orders: [MotionGate.Order] = []
    private var count = 0

    init(_ limits: MotionGate.Limits = .init()) {
        gate = MotionGate(limits, echoTopic: "bridge/attic/echo")
    }

    /// Returns a gate whose device is linked and guarded, whose path is fresh and whose stops can arrive.
    static func open(_ limits: MotionGate.Limits = .init()) -> GateScript {
        var script = GateScript(limits)
        script.gate.connected(at: script.now)
        script.gate.subscriptions(missing: [], at: script.now)
        script.gate.linked(at: script.now)
        script.gate.guarded(true)
        script.echo()
        // The start of a bridge counts as a stop, which ends after the longest lease.
        script.pass(Int(limits.longestLease / .milliseconds(1)))
        return script
    }

    /// Sends an echo that comes back immediately.
    mutating func echo() {
        let value = send()
        gate.echoReturned(value, at: now)
    }

    /// Sends an echo and returns its value.
    mutating func send() -> String {
        count += 1
        gate.echoSent("e\(count)", at: now)
        return "e\(count)"
    }

    mutating func returned(_ value: String) { gate.echoReturned(value, at: now) }

    /// Advances the clock in steps of 50 ms. Echoes come back at each step if `echoes` is true.
    mutating func pass(_ milliseconds: Int, echoes: Bool = true) {
        let end = now + .milliseconds(milliseconds)
        while now < end {
            now = min(end, now + .milliseconds(50))
            advance(echoes: echoes)
            if echoes { echo() }
        }
    }

    /// Advances the gate to the current time, and sends the echo that the gate requests.
    mutating func advance(echoes: Bool = true) {
        let due = gate.advance(to: now)
        orders += due.filter { $0 != .echo }
        if due.contains(.echo), echoes { echo() }
    }

    mutating func stop(_ cause: MotionStop = .stop) { gate.stopped(cause, at: now) }

    /// Sends a command and returns its outcome: `admitted`, `rest`, or the code and reason of the refusal.
    @discardableResult
    mutating func command(
        _ demand: MotionDemand = .motion(lease: nil), hold: Int? = nil, echo: String? = nil,
        hasPower: Bool = false
    ) -> String {
        advance(echoes: false)
        let request = MotionRequest(demand, hold: hold, echo: echo)
        gate.observe(request, hasPower: hasPower, at: now)
        return switch gate.judge(request, at: now) {
        case .admitted: "admitted"
        case .alreadyAtRest: "rest"
        case .refused(let error):
            error.reason == nil || error.code == .stopped
                ? error.code.rawValue
                : "\(error.code.rawValue) \(error.reason?.rawValue ?? "")"
        }
    }

    /// Repeats a command and returns the outcomes in order, without repetitions.
    mutating func repeated(
        _ count: Int, every period: Int, _ demand: MotionDemand = .motion(lease: nil), hold: Int? = nil,
        hasPower: Bool = false
    ) -> [String] {
        var outcomes: [String] = []
        for _ in 0..<count {
            let outcome = command(demand, hold: hold, hasPower: hasPower)
            if outcomes.last != outcome { outcomes.append(outcome) }
            pass(period)
        }
        return outcomes
    }
}
