import ArgumentParser
import Bluetooth
import BridgeConfiguration
import Cryptography
import DeviceCatalog
import DeviceFiles
import DeviceKit
import HostServices
import JSON
import Reference
import Terminal

/// The command `tactile-bridge check-device`.
struct CheckDevice: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "check-device",
        abstract: "Validates a device file, runs its examples and shows its topics.",
        discussion: """
            If the file is invalid, exits with status 78 and prints each error: file, line, key, the value found and \
            the allowed values. If an example fails, exits with status 1. It also lists each item, condition and \
            command that no example covers.

            Examples:
              tactile-bridge check-device ./buzz.yaml
              tactile-bridge check-device ./buzz.yaml --decode tx '"battery_soc":90'
              tactile-bridge check-device ./buzz.yaml --encode motors '[255, 0, 0, 0]'
            """)

    @Argument(help: "The device file.")
    var file: String

    @Option(
        parsing: .upToNextOption,
        help: ArgumentHelp(
            "Only decodes a notification: the characteristic's short name and the bytes as hexadecimal digits, or "
                + "as text for a characteristic with lines.", valueName: "name bytes"))
    var decode: [String] = []

    @Option(
        parsing: .upToNextOption,
        help: ArgumentHelp(
            "Only shows the writes of a command: a feature and a payload.", valueName: "feature payload"))
    var encode: [String] = []

    func validate() throws {
        guard decode.isEmpty || decode.count == 2 else {
            throw ValidationError(
                "--decode: allowed: a characteristic's name and its bytes as hexadecimal digits")
        }
        guard encode.isEmpty || encode.count == 2 else {
            throw ValidationError("--encode: allowed: a feature and a payload")
        }
    }

    func run() throws {
        let reading = try read()
        RootCommand.complain(reading.warnings.map { "warning: \($0)".printable })
        let file = reading.file
        if !decode.isEmpty { return try showNotification(file) }
        if !encode.isEmpty { return try showCommand(file) }
        let run = ExampleRun(file, decrypt: AES.decryptCCM)
        for failure in run.failures { RootCommand.complain(["\(self.file): \(failure)".printable]) }
        for part in run.unused {
            RootCommand.complain(["\(self.file): no example covers \(part)".printable])
        }
        print(TopicReference(only: [FileFamily(file)]).text)
        let failed = Set(run.failures.map(\.line)).count
        print(
            "",
            "\(file.title.printable): \(file.features.count) features; \(run.count - min(failed, run.count)) of "
                + "\(run.count) examples pass\(run.unused.isEmpty ? "" : "; \(run.unused.count) parts not covered")",
            separator: "\n")
        guard run.failures.isEmpty else { throw ExitCode(ExitStatus.problem.rawValue) }
    }

    private func read() throws -> DeviceFile.Reading {
        let bytes: [UInt8]
        do { bytes = try FileAccess.read(file, limit: DeviceFile.sizeLimit) } catch {
            throw CommandFailure(.configuration, "\(file): cannot be read: \(error.reason)")
        }
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw CommandFailure(.configuration, "\(file): found bytes that are not UTF-8; allowed: YAML")
        }
        do {
            // The bridge rejects a family whose name is the configured discovery prefix. This command does not read the
            // configuration and assumes the default prefix.
            let taken = DeviceFileSource.takenNames(Registry.families).merging(
                ["homeassistant": "the discovery prefix by default"]) { $1 }
            return try DeviceFile.read(text, file: file, taken: taken)
        } catch {
            throw CommandFailure(.configuration, "\(error)")
        }
    }

    private func showNotification(_ file: DeviceFile) throws {
        let entry = file.characteristics.first { $0.name == decode[0] }
        let hasLines = entry?.lines != nil
        let text = Array(decode[1].utf8) + (entry?.lines?.end ?? [])
        guard let bytes = hasLines ? text : Hex.bytes(decode[1]) else {
            throw ValidationError(
                "--decode: found \(decode[1]); allowed: pairs of hexadecimal digits such as 01ff")
        }
        guard let trial = Trial(file, notify: decode[0], bytes) else {
            throw ValidationError(
                "--decode: found \(decode[0]); allowed: \(file.characteristics.map(\.name).joined(separator: " "))"
            )
        }
        if trial.publications.isEmpty {
            print("nothing is published: the bytes match no feature, or no value changes")
        }
        for line in trial.lines(file.family) { print(line) }
        for (name, bytes) in trial.writings { print("writes \(name) \(Hex.string(bytes))") }
    }

    private func showCommand(_ file: DeviceFile) throws {
        guard let trial = Trial(file, command: encode[0], payload: Array(encode[1].utf8)) else {
            let commands = file.features.filter { $0.command != nil }.map(\.name)
            throw ValidationError("--encode: found \(encode[0]); allowed: \(commands.joined(separator: " "))")
        }
        for error in trial.errors { print("refused: \(error)") }
        for (name, bytes) in trial.writings {
            let isText =
                !bytes.isEmpty && bytes.allSatisfy { (0x20..<0x7F).contains($0) || $0 == 0x0A || $0 == 0x0D }
            let text = isText ? "  \(JSON.Value.string(String(decoding: bytes, as: UTF8.self)))" : ""
            print("writes \(name) \(Hex.string(bytes))\(text)")
        }
        for line in trial.lines(file.family) { print(line) }
        guard trial.errors.isEmpty else { throw ExitCode(ExitStatus.problem.rawValue) }
    }
}

extension Trial {
    /// Returns the published messages, in the form of `mosquitto_sub -v`.
    fileprivate func lines(_ family: String) -> [String] {
        publications.map { "\(family)/\($0.feature) \($0.value.string ?? $0.value.description)" }
    }
}
