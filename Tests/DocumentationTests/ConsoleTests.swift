import Foundation
import Testing

@Suite("The commands of the pages")
struct ConsoleTests {
    private static let lines = Repository.pages.flatMap(ConsoleLine.all)
    private static let runnable = lines.filter { !$0.isTutorial && Reason.index($0.command) == nil }

    @Test("A command that needs neither bus nor broker prints the shown output", arguments: runnable)
    func run(_ line: ConsoleLine) throws {
        let first = try #require(line.words.first)
        try #require(
            ["tactile-bridge", "tactile-simulator", "printf"].contains(first),
            "\(line): no test runs it: add it to Reason.all with its reason, or let ConsoleTests run it")
        // Output of a command to files of the host is discarded.
        let command = line.command.replacing(/> *\/\S+/, with: "> /dev/null")
        let outcome = try Program.run((line.preparation + [command]).joined(separator: "\n"))
        guard let shown = line.output else {
            #expect(outcome.status == 0, "\(line) ended with \(outcome.status): \(outcome.lines)")
            return
        }
        #expect(
            ConsoleLine.matches(outcome.lines, shown: shown),
            "\(line) says:\n\(outcome.lines.joined(separator: "\n"))")
    }

    @Test("No command waits for an answer forever: mosquitto_rr has a time limit")
    func limits() throws {
        let commands = Self.lines.map(\.command) + Repository.pages.flatMap(\.codeSpans)
        let waiting = commands.filter { $0.contains(/mosquitto_rr -/) && !$0.hasPrefix("alias ") }
        #expect(waiting.count > 10)
        for command in waiting { #expect(command.contains(#/ -W \d+ /#), "\(command)") }
    }

    @Test("The shell syntax of each command that is not run is valid")
    func syntax() throws {
        for line in Self.lines where line.isTutorial || Reason.index(line.command) != nil {
            let outcome = try Program.run("bash -n <<'PASTED'\n\(line.command)\nPASTED")
            #expect(outcome.status == 0, "\(line): \(outcome.lines)")
        }
    }

    @Test("Each reason belongs to a command that a page shows")
    func reasons() {
        let used = Set(Self.lines.compactMap { Reason.index($0.command) })
        for (index, entry) in Reason.all.enumerated() {
            #expect(used.contains(index), "no page shows \(entry.command)")
        }
        #expect(!Self.runnable.isEmpty)
    }

    @Test("Each script of the repository that a page shows exists with the shown options")
    func scripts() throws {
        let shown = Self.lines.map(\.command) + Repository.pages.flatMap(\.codeSpans)
        for command in shown {
            guard let name = command.prefixMatch(of: /(?:deploy|Tests)\/[\w\/]+(?= |$)/)?.0,
                let text = Repository.text(String(name))
            else { continue }
            for option in command.matches(of: #/ (--[\w-]+)/#).map(\.1) {
                let code = text.split(separator: "\n")
                    .filter { !$0.hasPrefix("#") || $0.hasPrefix("#   ") }.joined(separator: "\n")
                let isKnown = code.contains(option) || text.contains(".py")
                #expect(isKnown, "\(command): \(name) does not know \(option)")
            }
        }
    }

    @Test("Each subcommand of the program that a page names exists")
    func subcommands() throws {
        let help = try Program.run("tactile-bridge --help").lines
        let known = Set(help.compactMap { $0.wholeMatch(of: #/  ([a-z-]+)(?:  .*)?/#)?.1 })
        #expect(known.isSuperset(of: ["run", "doctor", "acl", "haptic", "run-wills"]))
        for page in Repository.pages where !page.path.hasPrefix("Tests/") {
            for span in page.codeSpans {
                guard let name = span.wholeMatch(of: /tactile-bridge ([a-z-]+).*/)?.1,
                    !name.hasPrefix("-")
                else { continue }
                #expect(known.contains(name), "\(page.path): \(span)")
            }
        }
    }

    @Test("Each configuration in a guide is valid")
    func configurations() throws {
        let blocks = Repository.pages.filter { $0.path.hasPrefix("docs/guides/") || $0.path == "README.md" }
            .flatMap { page in page.blocks.filter { $0.language == "yaml" }.map { (page, $0) } }
        #expect(!blocks.isEmpty)
        for (page, block) in blocks {
            // The files that the configuration names belong to the reader.
            let text = block.lines.filter { !$0.contains("password_file") }
                .map {
                    $0.replacing(#/key_file: .*/#, with: "key: AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=")
                }
                .joined(separator: "\n")
            let outcome = try Program.run(
                "cat > c.yaml <<'TEXT'\n\(text)\nTEXT\ntactile-bridge check-config --config c.yaml")
            #expect(outcome.status == 0, "\(page.path):\(block.line): \(outcome.lines)")
        }
    }

    @Test(
        "An ellipsis in an output matches any text",
        arguments: [
            (["a", "b"], ["a", "b"], true), (["a", "b"], ["a"], false),
            (["a", "x", "y", "b"], ["a", "…", "b"], true),
            (["time 12 s"], ["time … s"], true), (["time 12 ms"], ["time …s"], true),
            (["time"], ["time … s"], false),
            ([], ["…"], true), (["a"], [], false),
        ])
    func elision(_ output: [String], _ shown: [String], _ isSame: Bool) {
        #expect(ConsoleLine.matches(output, shown: shown) == isSame)
    }

    @Test("A console block directly below commands is their output, without prompts")
    func outputs() throws {
        let page = Page(
            path: "a.md",
            text: """
                ```sh
                first
                second
                ```

                ```console
                its output
                ```

                ```sh
                mosquitto_rr -t a
                mosquitto_rr -t b
                ```

                ```console
                one
                two
                ```

                Later:

                ```console
                more
                ```
                """)
        let outputs = ConsoleLine.all(of: page).map(\.output)
        #expect(outputs == [[], ["its output"], ["one"], ["two"]])
        for block in Repository.pages.flatMap({ page in page.blocks.map { (page.path, $0) } }) {
            guard ["sh", "console"].contains(block.1.language) else { continue }
            let prompts = block.1.lines.filter { $0.contains(#/^[a-z]*[$] /#) }
            #expect(prompts.isEmpty, "\(block.0):\(block.1.line): a reader cannot paste \(prompts)")
        }
    }

    @Test("Words are split as in a shell")
    func words() {
        let line = ConsoleLine(
            page: "a.md", line: 1,
            command: "mosquitto_pub -t bridge/$(hostname -s)/x -m '{\"a\": 1}'   # why",
            output: nil)
        #expect(line.words == ["mosquitto_pub", "-t", "bridge/attic/x", "-m", "{\"a\": 1}"])
    }
}
