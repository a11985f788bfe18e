import EventLoop
import Foundation
import Glibc
import HostTesting
import JSON
import Testing

/// A bench with one robot that joined through a permit and that gets power as soon as it connects.
struct LatchBench {
    static let address = "C0:FF:EE:00:B0:01"
    private static let configuration = "robot: { power_on_connect: true }\n"

    let bench: Bench
    let robot: Program
    private let environment: [String: String]

    /// The file with the robot's emergency stop, in the state folder.
    var latch: String { "\(state)/latches/\(Self.address)" }
    var state: String { bench.folder.file("state") }

    /// Starts the broker and the simulator.
    ///
    /// - Parameter more: Further devices in the scenario's notation.
    init(_ bench: Bench? = nil, more: String = "", environment: [String: String] = [:]) throws {
        self.bench = try bench ?? Bench()
        self.environment = environment
        robot = try self.bench.startSimulator(
            scenario: "devices:\n  robot: { address: \"\(Self.address)\" }\n\(more)")
    }

    /// Starts the bridge, in which only permitted devices join.
    @discardableResult
    func start() throws -> Program {
        try bench.startBridge(
            configuration: Self.configuration,
            environment: environment.merging(["TACTILE_BRIDGE_BLUETOOTH_JOIN": "permit"]) { $1 })
    }

    /// Starts the bridge and lets the robot join, which then gets power.
    static func joined(
        _ bench: Bench? = nil, more: String = "", environment: [String: String] = [:]
    ) throws -> LatchBench {
        let it = try LatchBench(bench, more: more, environment: environment)
        try it.start()
        try it.permit()
        try it.bench.watcher.expect("robot/status", within: .seconds(15)) { $0.json["power"] == true }
        return it
    }

    /// Lets the devices in range join.
    func permit() throws {
        try bench.watcher.expect("bridge/test/availability", "online", within: .seconds(15))
        try bench.expectOK("bridge/test/request/permit_join", #"{"seconds":60,"max":8}"#)
    }

    /// Kills the bridge and starts the next one; returns a watcher that reads all messages of the next one.
    @discardableResult
    func restart(_ change: () throws -> Void = {}) throws -> Watcher {
        try bench.endBridge(with: SIGKILL)
        try change()
        let watcher = try bench.watchAnew()
        try start()
        return watcher
    }

    /// Clears the robot's retained status, so that only the file can restore an emergency stop.
    func forgetStatus() throws { try bench.publish("robot/status", "", ["-r", "-q", "1"]) }

    /// Waits until the robot is online with its emergency stop set, and requires that it gets no power.
    @discardableResult
    func expectLatched(_ watcher: Watcher) throws -> Duration {
        let start = EventLoop.now
        try watcher.expect("robot/status", within: .seconds(20)) {
            !$0.isRetained && $0.json["connection"] == "connected" && $0.json["emergency_stop"] == true
        }
        let time = EventLoop.now - start
        try expectNoPower(watcher)
        let answer = try bench.ask("robot/drive/set", #"{"speed":1}"#)
        #expect(answer["message"]?.string?.contains("the emergency stop is set") == true, "\(answer)")
        return time
    }

    /// The firmware accepts power no earlier than 2.5 s after a connection.
    func expectNoPower(_ watcher: Watcher) throws {
        let end = EventLoop.now + .seconds(4)
        while let message = watcher.next(within: end - EventLoop.now) {
            if message.topic == "robot/status" { #expect(message.json["power"] == false, "\(message)") }
        }
    }

    /// Sets the emergency stop; returns the answer.
    func stop() throws -> JSON.Value { try bench.ask("robot/emergency_stop/set", "") }
}
