import ArgumentParser
import Bluetooth
import BridgeConfiguration
import DeviceCatalog
import DeviceFiles
import DeviceKit
import HostServices
import JSON
import Reference
import Terminal

/// `tactile-bridge check-device`
struct CheckDevice: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "check-device",
        abstract: "Reads a device file strictly, plays its examples and shows its topics.",
        discussion: """
            Ends with 78 for a file that is not valid and says all that is wrong, with file, line, key, what was \
            found and what is allowed; with 1 if an example fails. It also names every item, condition and command \
            that no example reaches.

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
            "Only shows what a notification of a characteristic becomes: its short name and hexadecimal digits, or "
                + "text where it has lines.", valueName: "name bytes"))
    var decode: [String] = []

    @Option(
        parsing: .upToNextOption,
        help: ArgumentHelp(
            "Only shows what a command writes: a feature and a payload.", valueName: "feature payload"))
    var encode: [String] = []

    func validate() throws {
        guard decode.isEmpty || decode.count == 2 else {
            throw ValidationError(
                "--decode: allowed: a characteristic's name and its bytes in hexadecimal digits")
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
        let run = ExampleRun(file)
        for failure in run.failures { RootCommand.complain(["\(self.file): \(failure)".printable]) }
        for part in run.unused {
            RootCommand.complain(["\(self.file): no example reaches \(part)".printable])
        }
        print(TopicReference(only: [FileFamily(file)]).text)
        let failed = Set(run.failures.map(\.line)).count
        print(
            "",
            "\(file.title.printable): \(file.features.count) features; \(run.count - min(failed, run.count)) of "
                + "\(run.count) examples hold\(run.unused.isEmpty ? "" : "; \(run.unused.count) parts not reached")",
            separator: "\n")
        guard run.failures.isEmpty else { throw ExitCode(ExitStatus.problem.rawValue) }
    }

    private func read() throws -> DeviceFile.Reading {
        let bytes: [UInt8]
        do { bytes = try FileAccess.read(file, limit: DeviceFile.sizeLimit) } catch {
            throw CommandFailure(.configuration, "\(file): cannot be read: \(error.reason)")
        }
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw CommandFailure(.configuration, "\(file): not a text in UTF-8")
        }
        do {
            // The bridge rejects its configured discovery prefix.
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
            print("nothing is published: it fits no feature, or says nothing new")
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
    /// The published messages, in the form of `mosquitto_sub -v`.
    fileprivate func lines(_ family: String) -> [String] {
        publications.map { "\(family)/\($0.feature) \($0.value.string ?? $0.value.description)" }
    }
}
