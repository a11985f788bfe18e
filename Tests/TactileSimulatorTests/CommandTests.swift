import ArgumentParser
import BlueZSimulator
import Glibc
import HostServices
import Testing
import VirtualDevices

@testable import tactile_simulator

@Suite("The command tactile-simulator")
struct CommandTests {
    @Test(
        "Options that exclude each other or mean nothing are wrong usage",
        arguments: [
            ["--wear", "--json"], ["--adapter", "hci1", "--bus", "private"], ["--log-level", "loud"],
            ["--scenari", "x"], ["more"],
        ])
    func refuses(arguments: [String]) {
        #expect {
            _ = try SimulatorCommand.parse(arguments)
        } throws: { error in
            SimulatorCommand.exitCode(for: error) == .validationFailure
                && ExitCode.validationFailure.rawValue == 64
        }
    }

    @Test("It names the version of the bridge that it comes with")
    func version() {
        #expect(SimulatorCommand.configuration.version == "tactile-simulator \(TactileBridge.version)")
    }

    @Test("At 80 columns no line to type is broken, of any command")
    func help() {
        for command in [SimulatorCommand.self, AirCommand.self, ProxyCommand.self]
            as [any ParsableCommand.Type]
        {
            let help = command.helpMessage(columns: 80)
            let examples = command.configuration.discussion.split(separator: "\n").filter {
                $0.hasPrefix("  ")
            }
            #expect(examples.count > 3)
            for line in examples { #expect(help.contains("\(line)\n"), "\(line)") }
        }
    }

    @Test("Options that go together are understood")
    func understands() throws {
        let command = try SimulatorCommand.parse([
            "--adapter", "hci1", "--adapter", "hci2", "--bus", "system",
        ])
        #expect(command.adapter == ["hci1", "hci2"])
        #expect(try SimulatorCommand.parse([]).bus == nil)
    }

    @Test(
        "Each kind of failure has its exit code",
        arguments: [
            (ScenarioError(.unknownKey, file: "s.yaml", line: 1, key: "x", message: "") as any Error, 78),
            (SimulatorError(.noAdapter, "hci1 is not there"), 69),
            (OwnBus.Failure(description: "no dbus-daemon"), 69),
            (CancellationError(), 70),
        ])
    func exits(error: any Error, code: Int) {
        #expect(Int(SimulatorCommand.exitCode(of: error)) == code)
    }

    @Test("A private bus listens, tells its end, and leaves nothing behind")
    func runsBus() async throws {
        let (ends, continuation) = AsyncStream.makeStream(of: Void.self)
        let bus = try OwnBus { continuation.finish() }
        let socket = String(bus.address.dropFirst("unix:path=".count))
        #expect(access(socket, F_OK) == 0)
        bus.stop()
        for await _ in ends {}
        #expect(access(socket, F_OK) != 0)
        #expect(access(socket.replacing("/bus", with: ""), F_OK) != 0)
    }
}
