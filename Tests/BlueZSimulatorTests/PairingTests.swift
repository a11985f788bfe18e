import Bluetooth
import DBus
import Testing

@testable import BlueZSimulator

@Suite("Pairing in the BlueZ simulator")
struct PairingTests {
    static let manager: ObjectPath = "/org/bluez"

    @Test("Each client can register one agent, and one agent is the default")
    func agents() {
        var bench = Bench()
        let agent = Value.objectPath("/agent")
        #expect(bench.ask("RequestDefaultAgent", at: Self.manager, agent) == "DoesNotExist: Does Not Exist")
        #expect(
            bench.ask("RegisterAgent", at: Self.manager, agent, .string("Bogus"))
                == "InvalidArguments: Invalid arguments in method call")
        #expect(bench.ask("RegisterAgent", at: Self.manager, agent, .string("NoInputNoOutput")) == "")
        #expect(
            bench.ask("RegisterAgent", at: Self.manager, agent, .string(""))
                == "AlreadyExists: Already Exists")
        #expect(bench.ask("RequestDefaultAgent", at: Self.manager, agent) == "")
        #expect(
            bench.ask("UnregisterAgent", at: Self.manager, .objectPath("/other"))
                == "DoesNotExist: Does Not Exist")
        #expect(bench.ask("UnregisterAgent", at: Self.manager, agent) == "")
    }

    /// Registers an agent, which receives the number of each question.
    private func registerAgent(_ bench: inout Bench) {
        bench.call("RegisterAgent", at: Self.manager, .objectPath("/agent"), .string("NoInputNoOutput"))
        bench.call("RequestDefaultAgent", at: Self.manager, .objectPath("/agent"))
        bench.others = []
    }

    private func question(_ bench: Bench) throws -> Int {
        let questions = bench.others.compactMap { output -> Int? in
            guard case .askAgent(let number, let call) = output else { return nil }
            #expect(call.member == "RequestAuthorization" && call.arguments == [.objectPath(Bench.device)])
            return number
        }
        return try #require(questions.last)
    }

    @Test("Without an agent, pairing fails and the device is disconnected")
    func noAgent() {
        var bench = Bench()
        bench.connect()
        let call = bench.call("Pair", at: Bench.device)
        bench.pass(.seconds(1))
        #expect(bench.answers[call] == "AuthenticationFailed: Authentication Failed")
        #expect(bench.look().first == "dev ServicesResolved=false Connected=false")
    }

    @Test("Pairing fails with a device that accepts no bond, with and without an agent")
    func refusal() {
        var bench = Bench(TestDevice(acceptsPairing: false))
        bench.connect()
        registerAgent(&bench)
        let call = bench.call("Pair", at: Bench.device)
        bench.pass(.seconds(1))
        #expect(bench.answers[call] == "AuthenticationFailed: Authentication Failed")
    }

    @Test("Pair connects, calls the agent, and creates the bond before the services are resolved")
    func pair() throws {
        var bench = Bench { $0.pairingAsksAgent = true }
        bench.discover()
        registerAgent(&bench)
        let call = bench.call("Pair", at: Bench.device)
        #expect(bench.ask("Pair", at: Bench.device) == "InProgress: In Progress")
        #expect(bench.ask("Connect", at: Bench.device) == "Failed: Operation already in progress")
        bench.pass(.milliseconds(750))
        #expect(bench.look() == ["dev Connected=true"])
        bench.answerAgent(try question(bench), error: nil)
        #expect(bench.look() == ["dev Bonded=true Paired=true"])
        #expect(bench.answers[call] == "")
        bench.pass(.seconds(1))
        #expect(bench.look().contains("dev UUIDs=4 ServicesResolved=true"))
        #expect(bench.ask("Pair", at: Bench.device) == "AuthenticationFailed: Authentication Failed")
        #expect(
            bench.others.contains {
                if case .remember(let known) = $0 { known.first?.isBonded == true } else { false }
            })
    }

    @Test("An agent can reject the pairing, and CancelPairing ends the question")
    func agentRefuses() throws {
        var bench = Bench { $0.pairingAsksAgent = true }
        bench.discover()
        registerAgent(&bench)
        var call = bench.call("Pair", at: Bench.device)
        bench.pass(.milliseconds(750))
        bench.answerAgent(try question(bench), error: "org.bluez.Error.Rejected")
        #expect(bench.answers[call] == "AuthenticationRejected: Authentication Rejected")
        call = bench.call("Pair", at: Bench.device)
        bench.pass(.milliseconds(750))
        #expect(bench.ask("CancelPairing", at: Bench.device) == "")
        #expect(bench.answers[call] == "AuthenticationCanceled: Authentication Canceled")
        #expect(
            bench.others.contains {
                if case .tellAgent(let call) = $0 { call.member == "Cancel" } else { false }
            })
        #expect(bench.ask("CancelPairing", at: Bench.device) == "DoesNotExist: Does Not Exist")
    }

    @Test("Pairing fails with a device out of range")
    func unreachable() {
        var bench = Bench()
        bench.discover()
        bench.line("mute tester")
        let call = bench.call("Pair", at: Bench.device)
        bench.pass(.seconds(40))
        #expect(bench.answers[call] == "Failed: Software caused connection abort")
        #expect(bench.ask("Disconnect", at: Bench.device) == "")
    }

    @Test(
        "Access to an encrypted value pairs automatically, and the operation is then carried out")
    func encryptedValue() throws {
        var bench = Bench { $0.pairingAsksAgent = true }
        bench.connect()
        registerAgent(&bench)
        let read = bench.call("ReadValue", at: Bench.secret, .properties([:]))
        let write = bench.call("WriteValue", at: Bench.secret, .bytes([1]), .properties([:]))
        let notify = bench.call("StartNotify", at: Bench.secret)
        bench.pass(.milliseconds(600))
        #expect(bench.answers[read] == nil && bench.answers[notify] == nil)
        bench.answerAgent(try question(bench), error: nil)
        #expect(bench.answers[read] == "010203")
        #expect(bench.answers[write] == "Failed: Operation failed with ATT error: 0x80")
        #expect(bench.answers[notify] == "")
        #expect(bench.ask("ReadValue", at: Bench.secret, .properties([:])) == "010203")
    }

    @Test("Access to an encrypted value without an agent ends the connection")
    func encryptedValueWithoutAgent() {
        var bench = Bench()
        bench.connect()
        let read = bench.call("ReadValue", at: Bench.secret, .properties([:]))
        bench.pass(.seconds(1))
        #expect(bench.answers[read] == "Failed: Operation failed with ATT error: 0x0e")
        #expect(bench.look().first == "dev ServicesResolved=false Connected=false")
    }

    @Test("An input device is claimed by a plugin, paired automatically, and then connected automatically")
    func inputDevice() throws {
        var bench = Bench(TestDevice(isInput: true)) { $0.pairingAsksAgent = true }
        registerAgent(&bench)
        bench.discover()
        bench.call("Connect", at: Bench.device)
        bench.pass(.seconds(2))
        #expect(!bench.signals.contains { $0.hasPrefix("service001a") })
        bench.answerAgent(try question(bench), error: nil)
        #expect(bench.look().last == "dev Bonded=true Paired=true")
        bench.line("drop tester")
        bench.pass(.seconds(1))
        #expect(bench.look().contains("dev Connected=true"))
        bench.call("Disconnect", at: Bench.device)
        bench.pass(.seconds(10))
        #expect(bench.look().last == "dev Connected=false")
    }

    @Test("A bond is kept across a restart")
    func restart() {
        let known = KnownDevice(
            adapter: "02:B1:7E:00:00:00", device: "C0:FF:EE:00:00:01", isBonded: true, isTrusted: true)
        var bench = Bench(remembered: [known])
        #expect(bench.ask("Pair", at: Bench.device) == "AuthenticationFailed: Authentication Failed")
        bench.call("Connect", at: Bench.device)
        bench.pass(.seconds(1))
        #expect(bench.ask("ReadValue", at: Bench.secret, .properties([:])) == "010203")
    }
}
