import Foundation
import Testing

@Suite("The manual pages and the shell completions")
struct ManualTests {
    /// The description of a command and its subcommands by `--experimental-dump-help`.
    private struct Command: Decodable {
        struct Argument: Decodable {
            struct Name: Decodable { var name: String }
            var names: [Name]?
            var valueName: String?
            var shouldDisplay: Bool
        }
        var commandName: String
        var abstract: String?
        var shouldDisplay: Bool?
        var arguments: [Argument]?
        var subcommands: [Command]?

        var shown: [Command] {
            // Every command has a `help` subcommand.
            let below = (subcommands ?? []).filter { $0.shouldDisplay != false && $0.commandName != "help" }
            return [self] + below.flatMap(\.shown)
        }
    }
    private struct Tool: Decodable { var command: Command }

    private static func command(_ name: String) throws -> Command {
        let said = try Program.run("\(name) --experimental-dump-help")
        try #require(said.status == 0)
        return try JSONDecoder().decode(Tool.self, from: Data(said.lines.joined(separator: "\n").utf8))
            .command
    }

    private static func page(_ name: String) throws -> String {
        let manual = Repository.root.appending(path: "deploy/manual").path
        let said = try Program.run("SOURCE_DATE_EPOCH=0 '\(manual)' \"$(command -v \(name))\"")
        try #require(said.status == 0, "\(said.lines)")
        return said.lines.joined(separator: "\n")
    }

    /// The text of a page without the escapes of roff.
    private static func plain(_ page: String) -> String {
        page.replacing(/\\f[A-Z]/, with: "").replacing("\\(aq", with: "'").replacing("\\-", with: "-")
            .replacing("\\&", with: "")
    }

    @Test(
        "A page has every command, option and value in the program's help",
        arguments: ["tactile-bridge", "tactile-simulator"])
    func complete(_ name: String) throws {
        let page = try Self.page(name)
        #expect(page.hasPrefix(".TH \(name.uppercased().replacing("-", with: "\\-")) 1 \"1970-01-01\""))
        let plain = Self.plain(page)
        let commands = try Self.command(name).shown
        #expect(name == "tactile-simulator" ? commands.count == 3 : commands.count > 10)
        for command in commands {
            let abstract = try #require(command.abstract)
            #expect(plain.contains(abstract.hasSuffix(".") ? String(abstract.dropLast()) : abstract))
            if command.commandName != name { #expect(plain.contains("\(command.commandName)\n")) }
            for argument in command.arguments ?? [] where argument.shouldDisplay {
                for name in argument.names ?? [] where name.name.count > 1 {
                    #expect(plain.contains("--\(name.name)"), "\(command.commandName)")
                }
                if argument.names == nil { #expect(plain.contains("\n\(argument.valueName ?? "?")\n")) }
            }
        }
    }

    @Test(
        "No line of a page is a request by mistake, and each request is known",
        arguments: ["tactile-bridge", "tactile-simulator"])
    func requests(_ name: String) throws {
        let known = [
            ".TH", ".SH", ".SS", ".TP", ".PP", ".RS", ".RE", ".EX", ".EE", ".br", ".nh", ".ad",
        ]
        for line in try Self.page(name).split(separator: "\n") {
            #expect(!line.hasPrefix("'"))
            guard line.hasPrefix(".") else { continue }
            #expect(known.contains(String(line.prefix { $0 != " " })), "\(line)")
        }
    }

    @Test(
        "Three shells have completions, and bash accepts its own",
        arguments: ["tactile-bridge", "tactile-simulator"])
    func completions(_ name: String) throws {
        for shell in ["bash", "zsh", "fish"] {
            let said = try Program.run("\(name) --generate-completion-script \(shell)")
            #expect(said.status == 0 && said.lines.contains { $0.contains(name) })
        }
        let checked = try Program.run("\(name) --generate-completion-script bash | bash -n")
        #expect(checked.status == 0 && checked.lines.isEmpty, "\(checked.lines)")
    }
}
