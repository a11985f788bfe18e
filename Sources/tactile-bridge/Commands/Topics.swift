import ArgumentParser
import BridgeConfiguration
import DeviceKit
import Reference

/// `tactile-bridge topics`
struct Topics: ParsableCommand {
    /// What the reference looks like.
    enum Format: String, CaseIterable, ExpressibleByArgument {
        case text, markdown, json
    }

    static let configuration = CommandConfiguration(
        abstract: "Shows all topics: what is published, what can be sent, with an example of each.",
        discussion: """
            Examples:
              tactile-bridge topics --family belt
              tactile-bridge topics --format markdown > topics.md
              tactile-bridge topics --format json
            """)

    @OptionGroup var source: ConfigurationOption

    @Option(help: "text for a terminal, markdown for documents, json for programs.")
    var format = Format.text

    @Option(help: ArgumentHelp("Only the topics of this family.", valueName: "name"))
    var family: String?

    func run() throws {
        let families = source.families
        let reference =
            try family.map { TopicReference(only: [try find($0, families)]) } ?? TopicReference(families)
        switch format {
        case .text: print(reference.text)
        case .markdown: print(reference.markdown)
        case .json: print(reference.json)
        }
    }

    private func find(_ family: String, _ families: [any DeviceFamily]) throws -> any DeviceFamily {
        if let found = families.named(family) { return found }
        let names = families.map(\.name)
        let near = Nearest.word(to: family, among: names).map { "; did you mean \($0)?" } ?? "."
        throw ValidationError(
            "there is no family \(family)\(near) Allowed: \(names.joined(separator: " "))")
    }
}
