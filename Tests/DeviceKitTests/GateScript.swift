import DeviceKit
import JSON

/// A motion gate on a clock of its own, told in the words of a table: what happens, and what the gate says then.
struct GateScript {
    var gate: MotionGate
    private(set) var now = Duration.seconds(1000)
    private(set) var orders: [MotionGate.Order] = []
    private var count = 0

    init(_ limits: MotionGate.Limits = .init()) {
        gate = MotionGate(limits, echoTopic: "bridge/attic/echo")
    }

    /// One whose device is linked and guarded, whose way is fresh and whose stops can arrive.
    static func open(_ limits: MotionGate.Limits = .init()) -> GateScript {
        var script = GateScript(limits)
        script.gate.connected(at: script.now)
        script.gate.subscriptions(missing: [], at: script.now)
        script.gate.linked(at: script.now)
        script.gate.guarded(true)
        script.echo()
        // The start of a bridge is a stop, which ends when the longest lease is over.
        script.pass(Int(limits.longestLease / .milliseconds(1)))
        return script
    }

    /// Sends an echo that comes back at once.
    mutating func echo() {
        let value = send()
        gate.echoReturned(value, at: now)
    }

    /// Sends an echo and says which.
    mutating func send() -> String {
        count += 1
        gate.echoSent("e\(count)", at: now)
        return "e\(count)"
    }

    mutating func returned(_ value: String) { gate.echoReturned(value, at: now) }

    /// Lets time pass in steps at which echoes come back, if they do.
    mutating func pass(_ milliseconds: Int, echoes: Bool = true) {
        let end = now + .milliseconds(milliseconds)
        while now < end {
            now = min(end, now + .milliseconds(50))
            advance(echoes: echoes)
            if echoes { echo() }
        }
    }

    /// Tells the time, and sends the echo that is asked for.
    mutating func advance(echoes: Bool = true) {
        let due = gate.advance(to: now)
        orders += due.filter { $0 != .echo }
        if due.contains(.echo), echoes { echo() }
    }

    mutating func stop(_ cause: MotionStop = .stop) { gate.stopped(cause, at: now) }

    /// Gives a command, and says what becomes of it: `admitted`, `rest`, or the code of its refusal and the reason.
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

    /// Repeats a command, and says what became of each, in order, without repetition.
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
