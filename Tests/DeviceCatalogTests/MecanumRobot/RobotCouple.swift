import Bluetooth
import BridgeTesting
import DeviceKit
import JSON
import Testing
import VirtualDevices

@testable import DeviceCatalog

/// The robot's state machine and the virtual robot on one virtual clock, with helpers for tests.
struct RobotCouple {
    /// A value as it arrived at the robot.
    struct Arrival: Hashable {
        var time: Duration
        var characteristic: String
        var value: String
        var priority: Write.Priority
    }

    private var virtual: VirtualCouple
    /// The number of arrivals and reports that are ignored.
    private var forgotten = (arrivals: 0, reports: 0)

    init(
        _ settings: Arguments = [:], latch: Latch = .clear, isRecalled: Bool = true,
        choices: VirtualRobot.Choices = .init()
    ) {
        virtual = VirtualCouple(RobotFamily(), .robot(choices), mtu: 23, settings: settings, latch: latch)
        (virtual.transit, virtual.latency) = (.milliseconds(1), .milliseconds(2))
        if isRecalled { feed(.recalling(false)) }
    }

    /// Connects and switches the power on.
    static func powered(_ settings: Arguments = [:], choices: VirtualRobot.Choices = .init()) -> RobotCouple {
        var couple = RobotCouple(settings, choices: choices)
        couple.connect()
        couple.command("power", "on", run: .seconds(3))
        couple.forget()
        return couple
    }

    // MARK: Actions of tests

    /// The duration of an operation: one half to the robot, the other half back.
    var latency: Duration {
        get { virtual.latency }
        set { (virtual.transit, virtual.latency) = (newValue / 2, newValue) }
    }
    var failure: OperationError? {
        get { virtual.failure }
        set { virtual.failure = newValue }
    }
    var isStuck: Bool {
        get { virtual.isStuck }
        set { virtual.isStuck = newValue }
    }
    var diskTime: Duration? {
        get { virtual.diskTime }
        set { virtual.diskTime = newValue }
    }
    var diskFailure: String? {
        get { virtual.diskFailure }
        set { virtual.diskFailure = newValue }
    }

    /// Connects and runs until the robot is ready.
    mutating func connect(run time: Duration = .milliseconds(500), isTakenOver: Bool = false) {
        virtual.connect(isTakenOver: isTakenOver)
        run(time)
    }

    /// Breaks the link.
    mutating func drop() { virtual.drop() }

    mutating func act(_ words: String) { virtual.act(words) }

    /// Sends a command as if it arrived by MQTT. Errors become answers.
    @discardableResult
    mutating func command(
        _ feature: String, _ payload: String, age: Duration = .zero, run time: Duration = .milliseconds(50)
    ) -> UInt64 {
        let id = virtual.command(feature, payload, age: age)
        run(time)
        return id
    }

    /// Sends a command, waits for its answer and returns it.
    mutating func outcome(_ feature: String, _ payload: String) -> String {
        let id = command(feature, payload)
        return code(id)
    }

    mutating func feed(_ input: Input) { virtual.feed(input) }

    /// Reports the stage of the search for the robot to the machine.
    mutating func tell(_ stage: LinkStage) { virtual.tell(stage) }

    /// Advances the clock without the machine, like a suspended bridge.
    mutating func sleep(_ time: Duration) { virtual.sleep(time) }

    /// Advances the clock.
    mutating func run(_ time: Duration) {
        let before = virtual.arrivals.count
        virtual.run(time)
        for write in virtual.arrivals[before...].map(\.write) {
            #expect(write.kind == .withoutResponse && write.value.count <= 20)
        }
        #expect(virtual.session.latchings.count <= 1, "one change of the disk at a time")
    }

    /// Ignores everything that happened so far.
    mutating func forget() { forgotten = (virtual.arrivals.count, max(allReports.count - 1, 0)) }

    // MARK: Results

    var machine: RobotMachine {
        guard let machine = virtual.session.machine as? RobotMachine else {
            preconditionFailure("the family makes another machine")
        }
        return machine
    }
    var now: Duration { virtual.now }
    var isLinked: Bool { virtual.session.isLinked }
    var wantsDisconnect: Bool { virtual.session.wantsDisconnect }
    var isReady: Bool { virtual.session.isReady }
    var failures: [DeviceFailure] { virtual.session.failures }
    var answers: [UInt64: [DeviceKit.Answer]] { virtual.session.answers }
    var latch: Latch { virtual.latch }
    var status: JSON.Value { virtual.session.reports["status"] ?? .null }

    private var allReports: [(time: Duration, status: JSON.Value)] {
        virtual.session.wishes.compactMap { wish in
            guard case .publish("status", let value) = wish.effect else { return nil }
            return (wish.time, value)
        }
    }
    /// Every status, in order, with its time.
    var reports: [(time: Duration, status: JSON.Value)] { Array(allReports.dropFirst(forgotten.reports)) }

    var arrivals: [Arrival] {
        virtual.arrivals.dropFirst(forgotten.arrivals).map { arrival in
            Arrival(
                time: arrival.time, characteristic: Self.name(arrival.write.characteristic),
                value: String(decoding: arrival.write.value, as: UTF8.self),
                priority: arrival.write.priority)
        }
    }

    private static func name(_ characteristic: CharacteristicID) -> String {
        switch characteristic {
        case RobotGATT.movement: "movement"
        case RobotGATT.rotation: "rotation"
        default: "buttons"
        }
    }

    /// The newest values of the wheels, and the time of the last change.
    private var turning: (wheels: [Int], time: Duration) {
        for (time, report) in virtual.told.reversed() {
            if case .wheels(let leftFront, let rightFront, let leftRear, let rightRear) = report {
                return ([leftFront, rightFront, leftRear, rightRear], time)
            }
        }
        return ([0, 0, 0, 0], .zero)
    }
    var wheels: [Int] { turning.wheels }
    /// The time of the last change of the wheels.
    var wheelsAt: Duration { turning.time }
    var stands: Bool { wheels == [0, 0, 0, 0] }
    var hasWeapon: Bool { details("weapon")?["on"] == "true" }
    var pose: [String: String] { details("pose") ?? [:] }

    private func details(_ event: String) -> [String: String]? {
        for (_, report) in virtual.told.reversed() {
            if case .other(event, let details) = report { return details }
        }
        return nil
    }

    /// Returns the code of a command's only answer: `ok`, `superseded`, or the error code.
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
}
