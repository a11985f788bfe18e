import Bluetooth
import DeviceKit
import JSON
import Testing
import VirtualDevices

@testable import MecanumRobot

/// The robot's state machine and the virtual robot, each written from the protocol by itself, on one virtual clock
/// with a link between them whose every operation takes some milliseconds.
struct Couple {
    /// A value as it arrived at the robot.
    struct Arrival: Hashable {
        var time: Duration
        var characteristic: String
        var value: String
        var priority: Write.Priority
    }

    private(set) var machine: RobotMachine
    private var robot: VirtualRobot
    private let family = RobotFamily()
    private(set) var now = Duration.seconds(100)
    private var machineTimers: [TimerName: Duration] = [:]
    private var robotTimers: [String: Duration] = [:]
    private var normal: [Effect] = []
    private var urgent: [Effect] = []
    private var nextOperation = Duration.zero
    private(set) var isLinked = false
    private var lastCommand: UInt64 = 0

    /// How long an operation takes.
    var latency: Duration = .milliseconds(2)
    /// Lets operations fail instead of reaching the robot.
    var failure: OperationError?
    /// Lets nothing be completed: the host's Bluetooth hangs.
    var isStuck = false
    /// How long the disk takes for a change; nil where it hangs.
    var diskTime: Duration? = .milliseconds(3)
    /// Why the disk refuses changes.
    var diskFailure: String?
    /// What the disk has of the emergency stop, and what is on its way there.
    private(set) var latch: Latch
    private(set) var latching: (isSet: Bool, start: Duration)?

    /// Whether nothing blocks motion, so that the robot's power may come by itself.
    var isClear = true
    private static let clearance: TimerName = "clearance"
    private(set) var isReady = false
    private(set) var failures: [DeviceFailure] = []
    /// Every status, in order, with the time.
    private(set) var reports: [(time: Duration, status: JSON.Value)] = []
    private(set) var answers: [UInt64: [DeviceKit.Answer]] = [:]
    private(set) var wheels = [0, 0, 0, 0]
    /// When the wheels changed last.
    private(set) var wheelsAt = Duration.zero
    private(set) var hasWeapon = false
    private(set) var arrivals: [Arrival] = []
    private(set) var pose: [String: String] = [:]

    init(
        _ settings: Arguments = [:], latch: Latch = .clear, isRecalled: Bool = true,
        choices: VirtualRobot.Choices = .init()
    ) {
        machine = RobotMachine(settings: settings, latch: latch)
        self.latch = latch
        robot = VirtualRobot(choices)
        stimulate(.poweredOn)
        if isRecalled { feed(.recalling(false)) }
    }

    var status: JSON.Value { reports.last?.status ?? .null }
    var stands: Bool { wheels == [0, 0, 0, 0] }

    // MARK: The link

    /// Connects and runs until the robot is ready.
    mutating func connect(run time: Duration = .milliseconds(500)) {
        (isReady, isLinked) = (false, true)
        stimulate(.connected(mtu: 23))
        feed(.connected(profile))
        run(time)
    }

    var profile: LinkProfile {
        var profile = LinkProfile(characteristics: [:])
        for service in robot.services {
            for characteristic in service.characteristics {
                profile.characteristics[characteristic.id] = characteristic.properties
            }
        }
        return profile
    }

    /// The link breaks.
    mutating func drop() {
        (isLinked, isReady) = (false, false)
        (normal, urgent) = ([], [])
        stimulate(.disconnected)
        feed(.disconnected)
    }

    /// Connects and switches the power on.
    static func powered(_ settings: Arguments = [:], choices: VirtualRobot.Choices = .init()) -> Couple {
        var couple = Couple(settings, choices: choices)
        couple.connect()
        couple.command("power", "on", run: .seconds(3))
        couple.forget()
        return couple
    }

    /// Forgets what happened so far.
    mutating func forget() { (arrivals, reports) = ([], Array(reports.suffix(1))) }

    // MARK: What happens to both

    mutating func act(_ words: String) {
        stimulate(.act(words.split(separator: " ").map { String($0) }))
    }

    /// Gives a command as it would arrive by MQTT; its errors become answers.
    @discardableResult
    mutating func command(
        _ feature: String, _ payload: String, age: Duration = .zero, run time: Duration = .milliseconds(50)
    ) -> UInt64 {
        lastCommand += 1
        let id = CommandID(lastCommand, arrival: now - age)
        guard let command = family.feature(feature)?.command else {
            Issue.record("no command \(feature)")
            return id.number
        }
        do throws(CommandError) {
            let arguments = try command.parse(Array(payload.utf8)).arguments
            feed(.command(id, feature: feature, arguments))
        } catch {
            answers[id.number, default: []].append(.failed(error))
        }
        run(time)
        return id.number
    }

    /// The code of a command's only answer: `ok`, `superseded`, or the error's.
    func code(_ number: UInt64) -> String {
        guard let list = answers[number], list.count == 1, let answer = list.first else {
            return "\(answers[number]?.count ?? 0) answers"
        }
        switch answer {
        case .superseded: return "superseded"
        case .kept: return "kept"
        case .ok(let members):
            return members["latch"]?.string.map { "\(members["kept"] == true ? "kept" : "ok") \($0)" } ?? "ok"
        case .failed(let error): return error.code.rawValue
        }
    }

    /// Gives a command, lets it come to its end, and says how it was answered.
    mutating func outcome(_ feature: String, _ payload: String) -> String {
        let id = command(feature, payload)
        return code(id)
    }

    mutating func feed(_ input: Input) {
        for effect in machine.effects(of: input, at: now) { take(effect) }
    }

    /// Tells the machine where the search for the robot stands.
    mutating func tell(_ stage: LinkStage) {
        var wanted = Effects()
        machine.stageChanged(to: stage, at: now, effects: &wanted)
        for effect in wanted.list { take(effect) }
    }

    /// Lets time pass without the machine: the bridge is stopped.
    mutating func sleep(_ time: Duration) { now += time }

    /// Lets time pass.
    mutating func run(_ time: Duration) {
        let end = now + time
        while true {
            let isBusy = isLinked && !isStuck && !(normal.isEmpty && urgent.isEmpty)
            let operation = isBusy ? max(now, nextOperation) : nil
            let disk = latching.flatMap { latching in diskTime.map { max(now, latching.start + $0) } }
            let moments = [operation, machineTimers.values.min(), robotTimers.values.min(), disk]
            guard let next = moments.compactMap({ $0 }).min(), next <= end else { break }
            now = max(now, next)
            if disk == next {
                keepLatch()
            } else if operation == next {
                nextOperation = now + latency
                operate(urgent.isEmpty ? normal.removeFirst() : urgent.removeFirst())
            } else if let timer = machineTimers.min(by: { $0.value < $1.value }), timer.value == next {
                machineTimers[timer.key] = nil
                feed(timer.key == Self.clearance ? .cleared : .timer(timer.key))
            } else if let timer = robotTimers.first(where: { $0.value == next }) {
                robotTimers[timer.key] = nil
                stimulate(.timer(timer.key))
            }
        }
        now = end
    }

    // MARK: The disk

    private mutating func keepLatch() {
        guard let isSet = latching?.isSet else { return }
        latching = nil
        if diskFailure == nil { latch = isSet ? .latched : .clear }
        feed(.latchKept(isSet, failure: diskFailure))
    }

    // MARK: The link's two ends

    private mutating func operate(_ operation: Effect) {
        switch operation {
        case .write(let write):
            if let failure {
                return feed(.writeCompleted(write.token, write.characteristic, .failure(failure)))
            }
            arrivals.append(
                Arrival(
                    time: now, characteristic: Self.name(write.characteristic),
                    value: String(decoding: write.value, as: UTF8.self), priority: write.priority))
            #expect(write.kind == .withoutResponse && write.value.count <= 20)
            stimulate(.write(write.characteristic, write.value, withResponse: false))
            feed(.writeCompleted(write.token, write.characteristic, .success(())))
        case .read(let id):
            if let failure { return feed(.readCompleted(id, .failure(failure))) }
            for case .value(let bytes) in stimulate(.read(id)) {
                feed(.readCompleted(id, .success(bytes)))
            }
        default: Issue.record("a robot needs no \(operation)")
        }
    }

    private static func name(_ characteristic: CharacteristicID) -> String {
        switch characteristic {
        case GATT.movement: "movement"
        case GATT.rotation: "rotation"
        default: "buttons"
        }
    }

    @discardableResult
    private mutating func stimulate(_ stimulus: Stimulus) -> [Reaction] {
        var reactions: [Reaction] = []
        robot.handle(stimulus, at: now, reactions: &reactions)
        for reaction in reactions {
            switch reaction {
            case .startTimer(let name, let delay): robotTimers[name] = now + delay
            case .cancelTimer(let name): robotTimers[name] = nil
            case .disconnect: if isLinked { drop() }
            case .report(.wheels(let leftFront, let rightFront, let leftRear, let rightRear)):
                wheels = [leftFront, rightFront, leftRear, rightRear]
                wheelsAt = now
            case .report(.other("weapon", let details)): hasWeapon = details["on"] == "true"
            case .report(.other("pose", let details)): pose = details
            case .value, .written, .refused, .advertise, .report, .misunderstood, .notify: break
            }
        }
        return reactions
    }

    private mutating func take(_ effect: Effect) {
        switch effect {
        case .write(let write):
            guard write.priority != .normal else { return normal.append(effect) }
            guard write.priority == .stop else { return urgent.append(effect) }
            urgent.append(effect)
            let dropped = normal.compactMap { if case .write(let write) = $0 { write } else { nil } }
            normal.removeAll { if case .write = $0 { true } else { false } }
            for write in dropped {
                let error = OperationError(.failed, "dropped: a stop came first")
                feed(.writeCompleted(write.token, write.characteristic, .failure(error)))
            }
        case .read: normal.append(effect)
        case .publish("status", let value): reports.append((now, value))
        case .answer(let id, let answer): answers[id.number, default: []].append(answer)
        case .startTimer(let name, let delay): machineTimers[name] = now + delay
        case .cancelTimer(let name): machineTimers[name] = nil
        case .ready: isReady = true
        case .awaitClearance: if isClear { machineTimers[Self.clearance] = now }
        case .latch(let isSet):
            #expect(latching == nil, "one change of the disk at a time")
            latching = (isSet, now)
        case .fail(let failure):
            failures.append(failure)
            drop()
        case .disconnect: drop()
        case .publish, .subscribe, .unsubscribe, .withdraw, .identify, .remember, .remark, .count: break
        }
    }
}
