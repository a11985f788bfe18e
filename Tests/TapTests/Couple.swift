import Bluetooth
import DeviceKit
import JSON
import VirtualDevices

@testable import Tap

/// The TAP's state machine and the virtual TAP, each written from the protocol by itself, on one virtual clock with a
/// link between them whose every operation takes a connection interval or two.
struct Couple {
    private static let latency: Duration = .milliseconds(15)

    private var machine: TapMachine
    private var tap: VirtualTap
    private let family = TapFamily()
    private var now = Duration.zero
    private var machineTimers: [TimerName: Duration] = [:]
    private var tapTimers: [String: Duration] = [:]
    private var normal: [Effect] = []
    private var ahead: [Effect] = []
    private var nextOperation = Duration.zero
    private var isLinked = false
    private var lastCommand: UInt64 = 0

    private(set) var isReady = false
    private(set) var info = DeviceInfo()
    /// The newest value of every report.
    private(set) var reports: [String: JSON.Value] = [:]
    /// Every event and stream message, in order.
    private(set) var events: [String] = []
    private(set) var answers: [UInt64: DeviceKit.Answer] = [:]
    /// What the TAP tells of itself, in order.
    private(set) var told: [(time: Duration, event: String, details: [String: String])] = []
    /// When it began and ended to vibrate.
    private(set) var vibrations: [(time: Duration, isOn: Bool)] = []
    /// Whether writes and reads reach the TAP.
    var isDead = false

    init(_ choices: VirtualTap.Choices = .init(), settings: Arguments = [:]) {
        tap = VirtualTap(choices)
        machine = TapMachine(settings: settings)
        stimulate(.poweredOn)
    }

    /// What the TAP is in, in its own words.
    var mode: String { told.last { $0.event == "mode" }?.details["mode"] ?? "" }

    /// How often the TAP told of something.
    func count(_ event: String) -> Int { told.count { $0.event == event } }

    /// Connects and runs until the TAP is ready and in its mode.
    mutating func connect() {
        isReady = false
        isLinked = true
        stimulate(.connected(mtu: 247))
        stimulate(.bonded)
        var profile = LinkProfile(characteristics: [:], mtu: 247, isPaired: true)
        for service in tap.services where !service.isClaimed {
            for characteristic in service.characteristics {
                profile.characteristics[characteristic.id] = characteristic.properties
            }
        }
        let requirements = family.requirements
        let known = Set(requirements.required + requirements.optional)
        profile.characteristics = profile.characteristics.filter { known.contains($0.key) }
        feed(.connected(profile))
        run(.seconds(2))
    }

    /// The link breaks.
    mutating func drop() {
        isLinked = false
        (normal, ahead) = ([], [])
        stimulate(.disconnected)
        feed(.disconnected)
    }

    mutating func close() {
        feed(.close)
        run(.milliseconds(1500))
    }

    mutating func act(_ words: String) {
        stimulate(.act(words.split(separator: " ").map { String($0) }))
        run(.milliseconds(100))
    }

    @discardableResult
    mutating func command(_ feature: String, _ payload: String, run time: Duration = .seconds(1))
        -> DeviceKit.Answer?
    {
        lastCommand += 1
        guard let command = family.feature(feature)?.command,
            let arguments = try? command.parse(Array(payload.utf8)).arguments
        else { return nil }
        feed(.command(CommandID(lastCommand), feature: feature, arguments))
        let id = lastCommand
        run(time)
        return answers[id]
    }

    /// Takes the events so far.
    mutating func takeEvents() -> [String] {
        defer { events = [] }
        return events
    }

    /// Lets time pass.
    mutating func run(_ time: Duration) {
        let end = now + time
        while true {
            let waits = isLinked && !isDead && !(normal.isEmpty && ahead.isEmpty)
            let operation = waits ? max(now, nextOperation) : nil
            let moments = [operation, isDead ? nil : machineTimers.values.min(), tapTimers.values.min()]
            guard let next = moments.compactMap({ $0 }).min(), next <= end else { break }
            now = max(now, next)
            if operation == next {
                nextOperation = now + Self.latency
                operate(ahead.isEmpty ? normal.removeFirst() : ahead.removeFirst())
            } else if !isDead, let timer = machineTimers.first(where: { $0.value == next }) {
                machineTimers[timer.key] = nil
                feed(.timer(timer.key))
            } else if let timer = tapTimers.first(where: { $0.value == next }) {
                tapTimers[timer.key] = nil
                stimulate(.timer(timer.key))
            }
        }
        now = end
    }

    private mutating func operate(_ operation: Effect) {
        switch operation {
        case .write(let write):
            let hasResponse = write.kind == .withResponse
            let reactions = stimulate(.write(write.characteristic, write.value, withResponse: hasResponse))
            feed(.writeCompleted(write.token, write.characteristic, Self.result(reactions).map { _ in }))
        case .read(let id): feed(.readCompleted(id, Self.result(stimulate(.read(id)))))
        case .subscribe(let id):
            feed(.subscribed(id, Self.result(stimulate(.subscribed(id, true))).map { _ in }))
        case .unsubscribe(let id): stimulate(.subscribed(id, false))
        default: break
        }
    }

    private static func result(_ reactions: [Reaction]) -> Result<[UInt8], OperationError> {
        for reaction in reactions {
            switch reaction {
            case .value(let bytes): return .success(bytes)
            case .refused(let code): return .failure(OperationError(.failed, "\(code)"))
            default: break
            }
        }
        return .success([])
    }

    @discardableResult
    private mutating func stimulate(_ stimulus: Stimulus) -> [Reaction] {
        var reactions: [Reaction] = []
        tap.handle(stimulus, at: now, reactions: &reactions)
        for reaction in reactions {
            switch reaction {
            case .notify(let id, let bytes): if isLinked, !isDead { feed(.notification(id, bytes)) }
            case .disconnect: if isLinked { drop() }
            case .startTimer(let name, let delay): tapTimers[name] = now + delay
            case .cancelTimer(let name): tapTimers[name] = nil
            case .report(.vibrate(let isOn)): vibrations.append((now, isOn))
            case .report(.other(let event, let details)): told.append((now, event, details))
            case .value, .written, .refused, .advertise, .report, .misunderstood: break
            }
        }
        return reactions
    }

    private mutating func feed(_ input: Input) {
        for effect in machine.effects(of: input, at: now) {
            switch effect {
            case .write(let write):
                if write.priority == .normal { normal.append(effect) } else { ahead.append(effect) }
            case .read, .subscribe, .unsubscribe: normal.append(effect)
            case .publish(let feature, let value):
                reports[feature] = value
                if family.feature(feature)?.report?.kind != .state { events.append("\(feature) \(value)") }
            case .answer(let id, let answer): answers[id.number] = answer
            case .startTimer(let name, let delay): machineTimers[name] = now + delay
            case .cancelTimer(let name): machineTimers[name] = nil
            case .ready: isReady = true
            case .identify(let info): self.info = info
            case .fail, .disconnect: drop()
            case .withdraw, .remember, .latch, .count, .remark, .awaitClearance: break
            }
        }
    }
}
