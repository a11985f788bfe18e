import Bluetooth
import DBus
import Testing

@testable import BlueZSimulator

@Suite("Pairing in the BlueZ simulator")
struct PairingTests {
    static let manager: ObjectPath = "/org/bluez"

    @Test("Each client can register one agent, and one agent is the default")
    func agents() {
        var harness = SimulatorHarness()
        let agent = Value.objectPath("/agent")
        #expect(harness.ask("RequestDefaultAgent", at: Self.manager, agent) == "DoesNotExist: Does Not Exist")
        #expect(
            harness.ask("RegisterAgent", at: Self.manager, agent, .string("Bogus"))
                == "InvalidArguments: Invalid arguments in method call")
        #expect(harness.ask("RegisterAgent", at: Self.manager, agent, .string("NoInputNoOutput")) == "")
        #expect(
            harness.ask("RegisterAgent", at: Self.manager, agent, .string(""))
                == "AlreadyExists: Already Exists")
        #expect(harness.ask("RequestDefaultAgent", at: Self.manager, agent) == "")
        #expect(
            harness.ask("UnregisterAgent", at: Self.manager, .objectPath("/other"))
                == "DoesNotExist: Does Not Exist")
        #expect(harness.ask("UnregisterAgent", at: Self.manager, agent) == "")
    }

    /// Registers an agent, which receives the number of each question.
    private func registerAgent(_ harness: inout SimulatorHarness) {
        harness.call("RegisterAgent", at: Self.manager, .objectPath("/agent"), .string("NoInputNoOutput"))
        harness.call("RequestDefaultAgent", at: Self.manager, .objectPath("/agent"))
        harness.others = []
    }

    private func question(_ harness: SimulatorHarness) throws -> Int {
        let questions = harness.others.compactMap { output -> Int? in
            guard case .askAgent(let number, let call) = output else { return nil }
            #expect(
                call.member == "RequestAuthorization"
                    && call.arguments == [.objectPath(SimulatorHarness.device)])
            return number
        }
        return try #require(questions.last)
    }

    @Test("Without an agent, pairing fails and the device is disconnected")
    func noAgent() {
        var harness = SimulatorHarness()
        harness.connect()
        let call = harness.call("Pair", at: SimulatorHarness.device)
        harness.pass(.seconds(1))
        #expect(harness.answers[call] == "AuthenticationFailed: Authentication Failed")
        #expect(harness.look().first == "dev ServicesResolved=false Connected=false")
    }

    @Test("Pairing fails with a device that accepts no bond, with and without an agent")
    func refusal() {
        var harness = SimulatorHarness(TestDevice(acceptsPairing: false))
        harness.connect()
        registerAgent(&harness)
        let call = harness.call("Pair", at: SimulatorHarness.device)
        harness.pass(.seconds(1))
        #expect(harness.answers[call] == "AuthenticationFailed: Authentication Failed")
    }

    @Test("Pair connects, calls the agent, and creates the bond before the services are resolved")
    func pair() throws {
        var harness = SimulatorHarness { $0.pairingAsksAgent = true }
        harness.discover()
        registerAgent(&harness)
        let call = harness.call("Pair", at: SimulatorHarness.device)
        #expect(harness.ask("Pair", at: SimulatorHarness.device) == "InProgress: In Progress")
        #expect(
            harness.ask("Connect", at: SimulatorHarness.device) == "Failed: Operation already in progress")
        harness.pass(.milliseconds(750))
        #expect(harness.look() == ["dev Connected=true"])
        harness.answerAgent(try question(harness), error: nil)
        #expect(harness.look() == ["dev Bonded=true Paired=true"])
        #expect(harness.answers[call] == "")
        harness.pass(.seconds(1))
        #expect(harness.look().contains("dev UUIDs=4 ServicesResolved=true"))
        #expect(
            harness.ask("Pair", at: SimulatorHarness.device) == "AuthenticationFailed: Authentication Failed")
        #expect(
            harness.others.contains {
                if case .remember(let known) = $0 { known.first?.isBonded == true } else { false }
            })
    }

    @Test("An agent can reject the pairing, and CancelPairing ends the question")
    func agentRefuses() throws {
        var harness = SimulatorHarness { $0.pairingAsksAgent = true }
        harness.discover()
        registerAgent(&harness)
        var call = harness.call("Pair", at: SimulatorHarness.device)
        harness.pass(.milliseconds(750))
        harness.answerAgent(try question(harness), error: "org.bluez.Error.Rejected")
        #expect(harness.answers[call] == "AuthenticationRejected: Authentication Rejected")
        call = harness.call("Pair", at: SimulatorHarness.device)
        harness.pass(.milliseconds(750))
        #expect(harness.ask("CancelPairing", at: SimulatorHarness.device) == "")
        #expect(harness.answers[call] == "AuthenticationCanceled: Authentication Canceled")
        #expect(
            harness.others.contains {
                if case .tellAgent(let call) = $0 { call.member == "Cancel" } else { false }
            })
        #expect(harness.ask("CancelPairing", at: SimulatorHarness.device) == "DoesNotExist: Does Not Exist")
    }

    @Test("Pairing fails with a device out of range")
    func unreachable() {
        var harness = SimulatorHarness()
        harness.discover()
        harness.line("mute tester")
        let call = harness.call("Pair", at: SimulatorHarness.device)
        harness.pass(.seconds(40))
        #expect(harness.answers[call] == "Failed: Software caused connection abort")
        #expect(harness.ask("Disconnect", at: SimulatorHarness.device) == "")
    }

    @Test(
        "Access to an encrypted value pairs automatically, and the operation is then carried out")
    func encryptedValue() throws {
        var harness = SimulatorHarness { $0.pairingAsksAgent = true }
        harness.connect()
        registerAgent(&harness)
        let read = harness.call("ReadValue", at: SimulatorHarness.secret, .properties([:]))
        let write = harness.call("WriteValue", at: SimulatorHarness.secret, .bytes([1]), .properties([:]))
        let notify = harness.call("StartNotify", at: SimulatorHarness.secret)
        harness.pass(.milliseconds(600))
        #expect(harness.answers[read] == nil && harness.answers[notify] == nil)
        harness.answerAgent(try question(harness), error: nil)
        #expect(harness.answers[read] == "010203")
        #expect(harness.answers[write] == "Failed: Operation failed with ATT error: 0x80")
        #expect(harness.answers[notify] == "")
        #expect(harness.ask("ReadValue", at: SimulatorHarness.secret, .properties([:])) == "010203")
    }

    @Test("Access to an encrypted value without an agent ends the connection")
    func encryptedValueWithoutAgent() {
        var harness = SimulatorHarness()
        harness.connect()
        let read = harness.call("ReadValue", at: SimulatorHarness.secret, .properties([:]))
        harness.pass(.seconds(1))
        #expect(harness.answers[read] == "Failed: Operation failed with ATT error: 0x0e")
        #expect(harness.look().first == "dev ServicesResolved=false Connected=false")
    }

    @Test("An input device is claimed by a plugin, paired automatically, and then connected automatically")
    func inputDevice() throws {
        var harness = SimulatorHarness(TestDevice(isInput: true)) { $0.pairingAsksAgent = true }
        registerAgent(&harness)
        harness.discover()
        harness.call("Connect", at: SimulatorHarness.device)
        harness.pass(.seconds(2))
        #expect(!harness.signals.contains { $0.hasPrefix("service001a") })
        harness.answerAgent(try question(harness), error: nil)
        #expect(harness.look().last == "dev Bonded=true Paired=true")
        harness.line("drop tester")
        harness.pass(.seconds(1))
        #expect(harness.look().contains("dev Connected=true"))
        harness.call("Disconnect", at: SimulatorHarness.device)
        harness.pass(.seconds(10))
        #expect(harness.look().last == "dev Connected=false")
    }

    @Test("A bond is kept across a restart")
    func restart() {
        let known = KnownDevice(
            adapter: "02:B1:7E:00:00:00", device: "C0:FF:EE:00:00:01", isBonded: true, isTrusted: true)
        var harness = SimulatorHarness(remembered: [known])
        #expect(
            harness.ask("Pair", at: SimulatorHarness.device) == "AuthenticationFailed: Authentication Failed")
        harness.call("Connect", at: SimulatorHarness.device)
        harness.pass(.seconds(1))
        #expect(harness.ask("ReadValue", at: SimulatorHarness.secret, .properties([:])) == "010203")
    }
}
