import BlueZ
import Bluetooth
import BridgeContract
import DeviceKit
import Testing

@testable import Guardian

@Suite("Writing a will until it is confirmed")
struct WillExecutionTests {
    /// Three writes, of which the first two are read back.
    private static let writes = [
        LinkWill.Write(path: "/movement", value: [1], kind: .withoutResponse, isReadBack: true),
        LinkWill.Write(path: "/rotation", value: [2], kind: .withoutResponse, isReadBack: true),
        LinkWill.Write(path: "/motor", value: [3], kind: .withResponse),
    ]
    private static let start = Duration.seconds(100)
    private static let refused = WillExecution.Reply.refused("InProgress")

    /// Runs an execution with simulated answers, in which only pauses take time.
    private struct Simulation {
        var execution: WillExecution
        var now = WillExecutionTests.start
        var written: [[Int]] = []
        var pauses: [Duration] = []
        var write: (_ index: Int, _ round: Int) -> WillExecution.Reply = { _, _ in .done }
        var read: (_ index: Int, _ round: Int) -> WillExecution.Reply = { index, _ in
            .value(WillExecutionTests.writes[index].value)
        }

        init(_ time: Duration = .seconds(10), goesOn: Bool = false) {
            execution = WillExecution(
                WillExecutionTests.writes, end: WillExecutionTests.start + time, goesOn: goesOn)
        }

        /// Continues until the end, or for this number of rounds.
        mutating func run(rounds: Int = 10_000) -> WillExecution.Outcome? {
            while true {
                switch execution.next(at: now) {
                case .write(let range):
                    guard written.count < rounds else { return nil }
                    written.append(Array(range))
                    execution.written(range.map { write($0, written.count) }, at: now)
                case .read(let indices): execution.read(indices.map { read($0, written.count) }, at: now)
                case .wait(let until):
                    pauses.append(until - now)
                    now = until
                case .done(let outcome): return outcome
                }
            }
        }
    }

    @Test("Accepted writes that read back as written are confirmed in one round")
    func confirmed() {
        var simulation = Simulation()
        #expect(simulation.run() == .confirmed)
        #expect(simulation.written == [[0, 1, 2]])
        #expect(simulation.execution.complaint == nil)
    }

    @Test("Refused writes are repeated with growing pauses until they are accepted")
    func refusals() {
        var simulation = Simulation()
        simulation.write = { _, round in round <= 5 ? Self.refused : .done }
        #expect(simulation.run() == .confirmed)
        #expect(simulation.written == [[Int]](repeating: [0, 1, 2], count: 6))
        #expect(simulation.pauses == [10, 20, 40, 50, 50].map { .milliseconds($0) })
    }

    @Test("All writes from the first unconfirmed one on are repeated, in order")
    func order() {
        var simulation = Simulation()
        simulation.write = { index, round in index == 1 && round == 1 ? Self.refused : .done }
        #expect(simulation.run() == .confirmed)
        #expect(simulation.written == [[0, 1, 2], [1, 2]])
    }

    @Test(
        "A write that reads back differently, or cannot be read now, is not confirmed",
        arguments: [WillExecution.Reply.value([9]), .value([]), Self.refused, .done])
    func readBack(_ reply: WillExecution.Reply) {
        var simulation = Simulation()
        simulation.read = { index, round in
            index == 1 && round <= 2 ? reply : .value(Self.writes[index].value)
        }
        #expect(simulation.run() == .confirmed)
        #expect(simulation.written == [[0, 1, 2], [1, 2], [1, 2]])
        #expect(simulation.execution.complaint != nil)
    }

    @Test("A write that cannot be read back counts as confirmed once it is accepted")
    func unreadable() {
        var simulation = Simulation()
        simulation.read = { _, _ in .impossible("NotSupported") }
        #expect(simulation.run() == .confirmed)
        #expect(simulation.written.count == 1)
    }

    @Test("A device without a link needs no further action, found at a write or at a read")
    func absent() {
        var simulation = Simulation()
        simulation.write = { index, round in round == 3 && index == 2 ? .absent : Self.refused }
        #expect(simulation.run() == .absent)
        #expect(simulation.written.count == 3)
        var other = Simulation()
        other.read = { _, _ in .absent }
        #expect(other.run() == .absent)
    }

    @Test("After its time limit an execution stops with the last reason")
    func givenUp() {
        var simulation = Simulation(.seconds(10))
        simulation.write = { _, _ in Self.refused }
        #expect(simulation.run() == .unconfirmed("InProgress"))
        #expect(
            simulation.now - Self.start >= .seconds(10) && simulation.now - Self.start < .milliseconds(10_100)
        )
        // The worst case is that each round takes no time at all.
        #expect(simulation.written.count < 250)
    }

    @Test("An execution that continues after its time limit retries each second, and is finally confirmed")
    func goesOn() {
        var simulation = Simulation(.seconds(10), goesOn: true)
        simulation.write = { _, _ in Self.refused }
        #expect(simulation.run(rounds: 300) == nil)
        #expect(simulation.pauses.last == .seconds(1))
        #expect(simulation.execution.complaint == "InProgress")
        simulation.write = { _, _ in .done }
        #expect(simulation.run() == .confirmed)
    }

    @Test("A permanent failure is not retried, does not block the other writes, and is reported")
    func impossible() {
        var simulation = Simulation()
        simulation.write = { index, _ in index == 0 ? .impossible("NotSupported") : .done }
        #expect(simulation.run() == .unconfirmed("NotSupported"))
        #expect(simulation.written == [[0, 1, 2]])
    }

    @Test("An execution without writes is confirmed")
    func empty() {
        var execution = WillExecution([], end: .zero)
        #expect(execution.next(at: .zero) == .done(.confirmed))
    }

    @Test(
        "Errors of bluetoothd are classified",
        arguments: [
            (BlueZError.Code.notConnected, WillExecution.Reply.absent), (.unknownDevice, .absent),
            (.serviceAway, .absent), (.adapterOff, .absent), (.noAdapter, .absent),
            (.inProgress, .refused("")), (.notPermitted, .refused("")), (.timeout, .refused("")),
            (.failed, .refused("")), (.notSupported, .impossible("")), (.accessDenied, .impossible("")),
        ])
    func errors(_ code: BlueZError.Code, _ expected: WillExecution.Reply) {
        let reply = WillExecution.Reply(BlueZError(code, "WriteValue", on: "/x", "words"))
        switch (reply, expected) {
        case (.absent, .absent), (.refused, .refused), (.impossible, .impossible): break
        default: Issue.record("\(code): \(reply)")
        }
    }
}
