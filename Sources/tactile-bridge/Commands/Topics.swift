import ArgumentParser
import BridgeConfiguration
import DeviceCatalog
import DeviceKit
import HostServices
import JSON
import Reference

/// The command `tactile-bridge topics`.
struct Topics: ParsableCommand {
    enum Format: String, CaseIterable, ExpressibleByArgument {
        case text, markdown, json, asyncapi, jsonschema
    }

    static let configuration = CommandConfiguration(
        abstract: "Shows all topics of states, events and commands, with an example of each.",
        discussion: """
            Examples:
              tactile-bridge topics --family belt
              tactile-bridge topics --format markdown > topics.md
              tactile-bridge topics --format json
              tactile-bridge topics --format asyncapi > asyncapi.json
              tactile-bridge topics --format jsonschema --configured > schemas.json
            """)

    @OptionGroup var source: ConfigurationOption

    @Option(
        help: ArgumentHelp(
            "text for a terminal, markdown for documents, json for programs; asyncapi for an AsyncAPI 3.0 document, "
                + "jsonschema for one JSON Schema per topic."))
    var format = Format.text

    @Option(help: ArgumentHelp("Only the topics of this family.", valueName: "name"))
    var family: String?

    @Flag(
        help: ArgumentHelp(
            "With asyncapi or jsonschema: the topics of the configured devices and groups under their names, instead of "
                + "those of all families."))
    var configured = false

    func validate() throws {
        guard format == .asyncapi || format == .jsonschema else {
            guard !configured else {
                throw ValidationError("--configured requires --format asyncapi or jsonschema")
            }
            return
        }
        guard !configured || family == nil else {
            throw ValidationError("--configured and --family exclude each other")
        }
    }

    func run() throws {
        if format == .asyncapi || format == .jsonschema { return print(try document) }
        let configuration = try? source.loader.load()
        let families = configuration?.families ?? Registry.families
        var reference =
            try family.map { TopicReference(only: [try find($0, families)]) } ?? TopicReference(families)
        if let mqtt = configuration?.settings.mqtt { reference.lead(to: mqtt) }
        switch format {
        case .text: print(reference.text)
        case .markdown: print(reference.markdown)
        case .json: print(reference.json)
        case .asyncapi, .jsonschema: break
        }
    }

    private var document: String {
        get throws {
            let format: Contract.Format = format == .asyncapi ? .asyncAPI : .jsonSchema
            guard configured else {
                let families = source.families
                let chosen = try family.map { [try find($0, families)] } ?? families
                return Contract.document(format, chosen).page
            }
            let configuration = try source.loader.load()
            let settings = configuration.settings.bridge
            return Contract.document(format, configuration.families, of: settings).page
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
