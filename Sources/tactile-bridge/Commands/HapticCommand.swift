import ArgumentParser
import BridgeConfiguration
import DeviceKit
import Haptics
import HostServices
import JSON
import Terminal

/// The command `tactile-bridge haptic`.
struct HapticCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "haptic", abstract: "Shows and converts haptic patterns.",
        subcommands: [Show.self, Convert.self])

    /// Reads a pattern file, and prints remarks about it to standard error.
    static func file(_ name: String) throws -> AHAPFile {
        do {
            let file = try PatternFolder.read(name, try FileAccess.read(name))
            RootCommand.complain(file.remarks.map { "\(name): \($0)" })
            return file
        } catch let error as FileAccess.Failure {
            throw CommandFailure(.configuration, "\(name): cannot be read: \(error.reason)")
        } catch {
            throw CommandFailure(.configuration, "\(name): \(error)")
        }
    }

    /// The command `tactile-bridge haptic show`.
    struct Show: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Draws a pattern's intensity over time, and how each family of devices renders it.",
            discussion: """
                The argument is the name of a built-in pattern or of a file in haptics.directory, or the path of a file.

                Examples:
                  tactile-bridge haptic show gradual --intensity 1
                  tactile-bridge haptic show heavy --family belt
                  tactile-bridge haptic show ./knock.yaml --scale 0.5
                """)

        @OptionGroup var source: ConfigurationOption

        @Argument(help: "The pattern's name, or a path that ends in .ahap, .haptic, .yaml or .yml.")
        var name: String

        @Option(help: ArgumentHelp("Only this family.", valueName: "name"))
        var family: String?
        @Option(help: "Multiplies every intensity, 0 to 1.")
        var scale: Double?
        @Option(help: "The maximum intensity of gradual, 0 to 1.")
        var intensity: Double?
        @Option(help: "The frequency of multi in Hz.")
        var frequency: Double?
        @Option(help: "The amplitude of multi, 0 to 1.")
        var amplitude: Double?

        func validate() throws {
            for (option, value) in [("scale", scale), ("intensity", intensity), ("amplitude", amplitude)] {
                if let value, !(0...1).contains(value) {
                    throw ValidationError("--\(option): found \(value); allowed: 0...1")
                }
            }
        }

        func run() throws {
            let arguments = try self.arguments()
            guard case .play(let performance) = try order(arguments) else {
                throw ValidationError("found stop, which ends a pattern; allowed: the name of a pattern")
            }
            let timeline = performance.timeline
            print(
                "\(performance.name): \(PatternDrawing.seconds(timeline.length)), "
                    + "\(performance.pattern.events.count) events"
                    + (timeline.lost.contains(.envelope) ? ", with envelopes" : ""))
            draw(timeline.length) { timeline.intensity(at: $0) }
            let families = source.families
            if let family, families.named(family) == nil {
                throw ValidationError(
                    "there is no family \(family). Allowed: " + families.map(\.name).joined(separator: " "))
            }
            for family in families where self.family == nil || self.family == family.name {
                try show(family, Arguments(arguments), timeline.length)
            }
        }

        private func show(_ family: any DeviceFamily, _ arguments: Arguments, _ length: Duration) throws {
            guard let preview = try family.preview(haptic: arguments) else {
                return print("\n\(family.displayName): cannot vibrate")
            }
            let lost =
                preview.degraded.isEmpty
                ? "everything" : "all but \(preview.degraded.joined(separator: ", "))"
            print("\n\(family.displayName): renders \(lost); \(preview.lines.count) writes")
            let end = preview.strokes.map { $0.start + $0.length }.max() ?? .zero
            draw(max(length, end)) { preview.intensity(at: $0) }
            var table = TextTable()
            for line in preview.lines { table.add([PatternDrawing.seconds(line.time), line.text]) }
            for line in table.lines(limit: 90) { print("  \(line)") }
        }

        private func draw(_ length: Duration, _ intensity: @escaping (Duration) -> Double) {
            for line in PatternDrawing(intensity: intensity, length: length).lines { print(line) }
        }

        /// Returns the options as the arguments of a command to a device.
        private func arguments() throws -> JSON.Object {
            var arguments: JSON.Object = ["pattern": .string(name)]
            for (key, value) in [
                ("scale", scale), ("intensity", intensity), ("frequency", frequency),
                ("amplitude", amplitude),
            ] {
                if let value { arguments[key] = .number(value) }
            }
            if PatternFolder.isPattern(name) {
                arguments["ahap"] = AHAPFile.value(of: try HapticCommand.file(name).pattern)
                return arguments
            }
            let folder = try source.loader.load().settings.hapticsDirectory
            let library = PatternFolder(path: folder).load()
            RootCommand.complain(library.problems.map { "ignored: \($0)".printable })
            do {
                return try Order.arguments(arguments, resolving: library, delay: nil)
            } catch {
                throw ValidationError(
                    "\(error). Pattern files are in \(folder) (haptics.directory); "
                        + "for another file, give its path, such as config/patterns/knock.yaml")
            }
        }

        private func order(_ arguments: JSON.Object) throws -> Order {
            do { return try Order(arguments) } catch { throw ValidationError("\(error)") }
        }
    }
}
