import ArgumentParser
import Testing

@testable import tactile_simulator

@Suite("The command tactile-simulator proxy")
struct ProxyCommandTests {
    private static let key = "AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8="

    @Test(
        "Valid options are accepted",
        arguments: [
            [], ["--plain"], ["--key", key], ["--listen", "[::1]:6053"], ["--name", "hall-2"],
            ["--firmware", "2026.6", "--slots", "9", "--silence", "10"],
        ])
    func accepts(_ options: [String]) throws {
        #expect(try SimulatorCommand.parseAsRoot(["proxy"] + options) is ProxyCommand)
    }

    @Test(
        "An invalid option is wrong usage, and the message states what is expected",
        arguments: [
            (["--key", "secret"], "expected 32 bytes in base64"),
            (["--key", key, "--plain"], "--key and --plain exclude each other"),
            (["--listen", "6053"], "expected an address and a port"),
            (["--listen", "/run/proxy"], "expected an address and a port"),
            (["--name", ""], "expected 1 to 31 letters"), (["--name", "a b"], "expected 1 to 31 letters"),
            (["--firmware", "2025.8"], "expected 2026.6 or 2026.10"), (["--slots", "0"], "expected 1 to 9"),
            (["--slots", "10"], "expected 1 to 9"), (["--silence", "4"], "expected 5 to 150 seconds"),
        ])
    func rejects(_ options: [String], _ reason: String) {
        #expect {
            try SimulatorCommand.parseAsRoot(["proxy"] + options)
        } throws: { error in
            SimulatorCommand.message(for: error).contains(reason)
                && SimulatorCommand.exitCode(for: error) == .validationFailure
        }
    }

    @Test("A bus and an adapter are not allowed", arguments: [["--bus", "system"], ["--adapter", "hci1"]])
    func noBus(_ options: [String]) {
        #expect(throws: (any Error).self) { try SimulatorCommand.parseAsRoot(options + ["proxy"]) }
    }
}
