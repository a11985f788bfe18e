import ArgumentParser
import HostServices
import Logging
import Testing

@testable import tactile_bridge

@Suite("The command line")
struct CommandTests {
    @Test("Options are understood")
    func options() throws {
        let run = try #require(
            try RootCommand.parseAsRoot(
                ["run", "--config", "/c", "--log-level", "debug", "--log-format", "journald"]) as? Run)
        #expect(run.source.config == "/c" && run.logLevel == .debug && run.logFormat == .journald)
        let check = try #require(try RootCommand.parseAsRoot(["check-config"]) as? CheckConfig)
        #expect(check.source.config == nil && !check.template)
        let topics = try #require(
            try RootCommand.parseAsRoot(["topics", "--format", "json", "--family", "belt"]) as? Topics)
        #expect(topics.format == .json && topics.family == "belt")
    }

    @Test(
        "Wrong usage ends with 64 and says what is allowed",
        arguments: [
            (["run", "--log-level", "loud"], "allowed: trace debug info notice warning error critical"),
            (["run", "--log-format", "xml"], "xml"), (["run", "extra"], "extra"), (["walk"], "walk"),
            (["topics", "--family", "bet"], "did you mean belt?"), (["topics", "--format", "html"], "html"),
            (["run", "--password", "x"], "--password"),
        ])
    func wrongUsage(_ arguments: [String], _ said: String) {
        do {
            _ = try RootCommand.parseAsRoot(arguments)
            Issue.record("\(arguments) is taken")
        } catch {
            #expect(RootCommand.exitCode(for: error).rawValue == 64)
            #expect(RootCommand.message(for: error).contains(said))
        }
    }

    @Test("Help and version end with 0", arguments: ["--help", "--version", "help"])
    func clean(_ argument: String) throws {
        do {
            var command = try RootCommand.parseAsRoot([argument])
            try command.run()
        } catch {
            #expect(RootCommand.exitCode(for: error) == .success)
            #expect(RootCommand.fullMessage(for: error).contains("tactile-bridge"))
        }
    }
}
