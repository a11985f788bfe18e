import ArgumentParser
import BridgeConfiguration
import Haptics

extension HapticCommand {
    /// The command `tactile-bridge haptic convert`.
    struct Convert: ParsableCommand {
        enum Format: String, ExpressibleByArgument, CaseIterable {
            case yaml
            case ahap
        }

        static let configuration = CommandConfiguration(
            abstract: "Writes a pattern file in another format to standard output.",
            discussion: """
                It reads AHAP files, haptic clips of Lofelt and Meta Haptics Studio (.haptic), and YAML files. Standard \
                error lists what the other format cannot contain.

                Examples:
                  tactile-bridge haptic convert swell.haptic --to ahap > swell.ahap
                  tactile-bridge haptic convert config/patterns/doorbell.ahap --to yaml
                """)

        @Argument(help: "A path that ends in .ahap, .haptic, .yaml or .yml.")
        var file: String

        @Option(help: "The format of the output: yaml or ahap.")
        var to: Format

        func validate() throws {
            guard PatternFolder.isPattern(file) else {
                throw ValidationError(
                    "found \(file); allowed: a path that ends in .ahap, .haptic, .yaml or .yml")
            }
        }

        func run() throws {
            let pattern = try HapticCommand.file(file).pattern
            switch to {
            case .ahap: print(pattern.ahap, terminator: "")
            case .yaml:
                let (flat, remarks) = pattern.flattened()
                RootCommand.complain(remarks.map { "\(file): \($0)" })
                print(flat.yaml, terminator: "")
            }
        }
    }
}
