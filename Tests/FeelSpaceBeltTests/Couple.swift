import Bluetooth
import DeviceKit
import JSON
import VirtualDevices

@testable import FeelSpaceBelt

/// The belt's state machine and the virtual belt, each written from the protocol by itself, on one virtual clock with
/// a link between them whose every operation takes a connection interval or two.
struct Couple {
    private static let latency: Duration = .milliseconds(15)

    private(set) var machine = BeltMachine(settings: [:])
    private var belt: VirtualBelt
    private let family = BeltFamily()
    private var now = Duration.zero
    private var machineTimers: [TimerName: Duration] = [:]
    private var beltTimers: [String: Duration] = [:]
    private var normal: [Effect] = []
    private var ahead: [Effect] = []
    private var nextOperation = Duration.zero
    private var isLinked = false
    private(set) var lastCommand: UInt64 = 0

    private(set) var isReady = false
    private(set) var failures: [DeviceFailure] = []
    /// The newest value of every report.
    private(set) var reports: [String: JSON.Value] = [:]
    /// Every event, in order.
    private(set) var events: [String] = []
    private(set) var answers: [UInt64: DeviceKit.Answer] = [:]
    /// The motors that run.
    private(set) var felt: [Int] = []
    /// Every set of motors that ran, in order.
    private(set) var feelings: [[Int]] = []
    /// What the belt itself thought wrong.
    private(set) var rejected: [[String: String]] = []
    /// When vibration commands arrived, and their bytes.
    private(set) var vibrations: [(time: Duration, bytes: [UInt8])] = []

    init(_ choices: VirtualBelt.Choices = .init()) {
        belt = VirtualBelt(choices)
        stimulate(.poweredOn)
    }

    var mode: String { reports["mode"]?.string ?? "" }
    var navigation: String { reports["navigation"]?["state"]?.string ?? "" }

    /// Connects and runs until the belt is ready or refused.
    mutating func connect(bonded: Bool = false) {
        isReady = false
        isLinked = true
        stimulate(.connected(mtu: 23))
        if bonded { stimulate(.bonded) }
        var profile = LinkProfile(characteristics: [:])
        for service in belt.services {
            for characteristic in service.characteristics {
                profile.characteristics[characteristic.id] = characteristic.properties
            }
        }
        feed(.connected(profile))
        run(.seconds(1))
    }

    /// The link breaks.
    mutating func drop() {
        isLinked = false
        (normal, ahead) = ([], [])
        stimulate(.disconnected)
        feed(.disconnected)
    }

    /// The bridge stops everything, for a reason.
    mutating func stop(_ cause: StopCause, run time: Duration = .milliseconds(500)) {
        feed(.stop(cause))
        run(time)
    }

    /// The bridge ends in good order.
    mutating func shutDown() {
        feed(.stop(.shutdown))
        feed(.close)
        run(.milliseconds(500))
    }

    /// The bridge dies: the guardian carries out the will and closes the link.
    mutating func die() {
        (normal, ahead) = ([], [])
        machineTimers = [:]
        for write in machine.will.writes {
            stimulate(.write(write.characteristic, write.value, withResponse: true))
        }
        isLinked = false
        stimulate(.disconnected)
        run(.milliseconds(500))
    }

    mutating func act(_ words: String) {
        stimulate(.act(words.split(separator: " ").map { String($0) }))
        run(.milliseconds(300))
    }

    @discardableResult
    mutating func command(_ feature: String, _ payload: String, run time: Duration = .milliseconds(500))
        -> UInt64
    {
        lastCommand += 1
        guard let command = family.feature(feature)?.command,
            let arguments = try? command.parse(Array(payload.utf8)).arguments
        else { return lastCommand }
        feed(.command(CommandID(lastCommand), feature: feature, arguments))
        let id = lastCommand
        run(time)
        return id
    }

    /// Lets time pass.
    mutating func run(_ time: Duration) {
        let end = now + time
        while true {
            let operation = isLinked && !(normal.isEmpty && ahead.isEmpty) ? max(now, nextOperation) : nil
            let moments = [operation, machineTimers.values.min(), beltTimers.values.min()].compactMap { $0 }
            guard let next = moments.min(), next <= end else { break }
            now = max(now, next)
            if operation == next {
                nextOperation = now + Self.latency
                operate(ahead.isEmpty ? normal.removeFirst() : ahead.removeFirst())
            } else if let timer = machineTimers.first(where: { $0.value == next }) {
                machineTimers[timer.key] = nil
                feed(.timer(timer.key))
            } else if let timer = beltTimers.first(where: { $0.value == next }) {
                beltTimers[timer.key] = nil
                stimulate(.timer(timer.key))
            }
        }
        now = end
    }

    private mutating func operate(_ operation: Effect) {
        switch operation {
        case .write(let write):
            if write.characteristic == GATT.vibration { vibrations.append((now, write.value)) }
            let reactions = stimulate(.write(write.characteristic, write.value, withResponse: true))
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
            case .refused(let code):
                let wantsBond = [0x02, 0x03, 0x05, 0x08, 0x0C, 0x0F].contains(code)
                return .failure(OperationError(wantsBond ? .notPermitted : .failed, "\(code)"))
            default: break
            }
        }
        return .success([])
    }

    @discardableResult
    private mutating func stimulate(_ stimulus: Stimulus) -> [Reaction] {
        var reactions: [Reaction] = []
        belt.handle(stimulus, at: now, reactions: &reactions)
        for reaction in reactions {
            switch reaction {
            case .notify(let id, let bytes): if isLinked { feed(.notification(id, bytes)) }
            case .disconnect: if isLinked { drop() }
            case .startTimer(let name, let delay): beltTimers[name] = now + delay
            case .cancelTimer(let name): beltTimers[name] = nil
            case .report(.feel(let motors)):
                felt = motors.map(\.motor)
                feelings.append(felt)
            case .report(.other(event: "rejected", let details)): rejected.append(details)
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
                if feature == "button" || feature == "home" { events.append("\(feature) \(value)") }
            case .answer(let id, let answer): answers[id.number] = answer
            case .startTimer(let name, let delay): machineTimers[name] = now + delay
            case .cancelTimer(let name): machineTimers[name] = nil
            case .ready: isReady = true
            case .fail(let failure):
                failures.append(failure)
                drop()
            case .disconnect: drop()
            case .withdraw, .identify, .remember, .latch, .count, .remark, .awaitClearance: break
            }
        }
    }
}
