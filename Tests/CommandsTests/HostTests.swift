import Bluetooth
import BridgeContract
import DeviceCatalog
import DeviceKit
import Glibc
import HostServices
import HostTesting
import Testing

@testable import BridgeConfiguration
@testable import Commands

@Suite("doctor checks the machine and files")
struct HostTests {
    private static let built = TimeStamp(milliseconds: 1_790_000_000_000)

    @Test(
        "The clock is checked",
        arguments: [
            (Int64(1000), true as Bool?, Finding.Verdict.ok, "synchronized"),
            (1000, nil, .ok, "does not report"), (1000, false, .warning, "expired"),
            (-1000, true, .problem, "not valid yet"),
        ])
    func clock(_ offset: Int64, _ isSynchronised: Bool?, _ verdict: Finding.Verdict, _ word: String) throws {
        let facts = ClockFacts(
            now: TimeStamp(milliseconds: Self.built.milliseconds + offset), built: Self.built,
            isSynchronised: isSynchronised)
        let finding = try #require(facts.findings.first)
        #expect(finding.verdict == verdict && finding.summary.contains(word))
        #expect((verdict == .ok) == finding.remedies.isEmpty)
    }

    @Test("This machine's clock is read, and is later than the program")
    func realClock() {
        let clock = HostProbe().clock
        #expect(clock.built != nil)
        #expect(clock.findings.first?.verdict != .problem)
    }

    @Test("Every problem of the configuration is reported with its place, and so are warnings of a valid one")
    func configuration() throws {
        let problem = SettingsProblem("/etc/c.yaml:3:7", "mqtt.port", "found x; allowed: a number")
        let findings = ConfigurationFacts(problems: [problem, problem]).findings
        #expect(findings.count == 2)
        #expect(findings[0].verdict == .problem && findings[0].summary == problem.description)
        #expect(
            findings[0].remedies == ["sudoedit /etc/c.yaml   # line 3, then: tactile-bridge check-config"])
        let valid = ConfigurationFacts(files: ["/c"], warnings: ["x: without effect"]).findings
        #expect(valid.map(\.verdict) == [.ok, .warning])
    }

    // MARK: The state

    private static let good = #"{"version":1,"devices":[],"retained_topics":[]}"#

    @Test("A missing folder is no problem if it can be created")
    func noFolder() throws {
        let folder = try TemporaryDirectory()
        let facts = HostProbe.state(folder.file("a/b"))
        #expect(facts.folder == .missing(canBeMade: true))
        #expect(facts.findings.map(\.verdict) == [.ok])
    }

    @Test("A FIFO in place of the state is a problem that is reported at once", .timeLimit(.minutes(1)))
    func fifo() throws {
        let folder = try TemporaryDirectory()
        #expect(mkfifo(folder.file("state.json"), 0o600) == 0)
        let finding = try #require(HostProbe.state(folder.path).findings.first)
        #expect(finding.verdict == .problem && finding.summary.contains("not a regular file"))
    }

    @Test("Unusable pattern files are problems, like unusable device files")
    func patterns() {
        let findings = ConfigurationFacts(patternProblems: ["/p/knock.yaml: events: missing"]).findings
        #expect(findings.map(\.verdict) == [.ok, .problem])
        #expect(findings[1].summary == "a pattern file is ignored: /p/knock.yaml: events: missing")
    }

    @Test(
        "The states of the state file are checked",
        arguments: [
            (Self.good, nil as String?, Finding.Verdict.ok, "0 devices"),
            ("{", Self.good, .problem, "the previous state, with 0 devices"),
            ("{", nil, .problem, "starts without joined devices"),
            (#"{"version":9,"devices":[],"retained_topics":[]}"#, nil, .problem, "version 9"),
        ])
    func states(_ text: String, _ before: String?, _ verdict: Finding.Verdict, _ word: String) throws {
        let folder = try TemporaryDirectory()
        try folder.write(text, to: "state.json")
        if let before { try folder.write(before, to: "state.json.before") }
        let finding = try #require(HostProbe.state(folder.path).findings.first)
        #expect(finding.verdict == verdict)
        #expect(finding.summary.contains(word), "\(finding.summary)")
    }

    @Test("After a power failure between two steps, the previous state is used")
    func between() throws {
        let folder = try TemporaryDirectory()
        try folder.write(Self.good, to: "state.json.before")
        #expect(HostProbe.state(folder.path).content == .devices(0, joined: 0))
    }

    @Test("A state that was set aside is reported with its reason")
    func setAside() throws {
        let folder = try TemporaryDirectory()
        try folder.write("state.json: not valid JSON\n", to: "state.json.damaged.reason")
        let findings = HostProbe.state(folder.path).findings
        #expect(findings.map(\.verdict) == [.ok, .warning])
        #expect(findings[1].summary.contains("not valid JSON"))
    }

    @Test("A file in place of the folder is reported")
    func notAFolder() throws {
        let folder = try TemporaryDirectory()
        let file = try folder.write("", to: "x")
        #expect(HostProbe.state(file).findings.map(\.summary) == ["\(file) is not a folder"])
    }

    @Test("Missing write access and a full disk are problems for the affected user")
    func forbidden() throws {
        var facts = StateFacts(path: "/s", user: "anna", folder: .present(isWritable: false))
        var finding = try #require(facts.findings.first)
        #expect(finding.verdict == .problem && finding.summary.contains("anna cannot write to /s"))
        #expect(finding.remedies.contains { $0.contains("chown -R anna /s") })
        facts.folder = .missing(canBeMade: false)
        finding = try #require(facts.findings.first)
        #expect(finding.verdict == .problem && finding.remedies[0] == "sudo install -d -o anna /s")
        facts.folder = .present(isWritable: true)
        facts.content = .unreadable("Permission denied")
        #expect(facts.findings.first?.summary.contains("Permission denied") == true)
        facts.content = .none
        facts.freeBytes = 0
        #expect(facts.findings.map(\.verdict) == [.ok, .problem])
    }

    @Test(
        "A joined device whose name has become reserved is a warning until it is renamed")
    func renamed() throws {
        func device(_ name: String, _ former: [String] = [], _ number: UInt64 = 0xAABB_CC00_0001)
            -> BridgeState.Device
        {
            BridgeState.Device(
                address: Address(number: number), family: "belt", name: name, formerNames: former)
        }
        let settings = try SettingsLoader(families: Registry.families, usualFile: "/nowhere").load().settings
        func summaries(_ device: BridgeState.Device) -> [String] {
            var facts = StateFacts(path: "/s", user: "anna", folder: .present(isWritable: true))
            facts.renamed = Examination.renamed([device], settings.bridge, Registry.families)
            return facts.findings.dropFirst().map(\.summary)
        }
        for device in [device("zone/left"), device("belt/000001", ["hall", "zone/left"])] {
            let found = summaries(device)
            #expect(found.count == 1)
            #expect(
                found[0].hasPrefix(
                    "the device zone/left is called belt/000001, and obeys stops under both names: "))
        }
        for device in [device("hall/left", ["zone/left", "belt/000001"]), device("belt"), device("belt/x")] {
            #expect(summaries(device) == [])
        }
    }

    // MARK: Output

    @Test(
        "A terminal has its width and colors; a pipe, a dumb terminal and NO_COLOR have no colors",
        arguments: [
            (nil as Int?, [:], 110, false), (80, [:], 80, true), (200, [:], 110, true), (20, [:], 40, true),
            (0, [:], 80, true), (0, ["COLUMNS": "60"], 60, true), (80, ["COLUMNS": "60"], 80, true),
            (80, ["NO_COLOR": "1"], 80, false), (80, ["NO_COLOR": ""], 80, true),
            (80, ["TERM": "dumb"], 80, false), (nil, ["COLUMNS": "60"], 110, false),
        ])
    func style(_ terminal: Int?, _ environment: [String: String], _ columns: Int, _ isColoured: Bool) {
        #expect(
            TerminalStyle(terminal: terminal, environment: environment)
                == TerminalStyle(columns: columns, isColoured: isColoured))
    }

    @Test("A finding has columns for users, and JSON for programs")
    func telling() {
        let finding = Finding.problem(.bluez, "it does not run\u{1B}[2J", ["sudo systemctl start bluetooth"])
        #expect(
            finding.lines(TerminalStyle()) == [
                "problem  bluez          it does not run\\u{1B}[2J",
                "                        -> sudo systemctl start bluetooth",
            ])
        // On a narrow terminal the sentence is below the verdict, and only the verdict has a color.
        #expect(
            finding.lines(TerminalStyle(columns: 40, isColoured: true)) == [
                "\u{1B}[1;31mproblem  \u{1B}[0mbluez", "    it does not run\\u{1B}[2J",
                "    -> sudo systemctl start bluetooth",
            ])
        let long = Finding.ok(.clock, "one two three four five six seven eight nine ten eleven twelve")
        #expect(long.lines(TerminalStyle(columns: 72)).allSatisfy { $0.count <= 72 })
        #expect(long.lines(TerminalStyle(columns: 72)).count == 2)
        #expect(
            Finding.ok(.clock, "fine").line
                == #"{"check":"clock","verdict":"ok","summary":"fine","remedies":[]}"#)
        #expect([finding, finding, .warning(.clock, "", [])].conclusion == "2 problems, 1 warning.")
        #expect([Finding.ok(.clock, "")].conclusion == "All is well.")
    }
}
