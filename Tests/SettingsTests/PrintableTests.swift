import BlueZ
import Bluetooth
import DeviceKit
import HostTesting
import JSON
import Logging
import Testing

@testable import BridgeConfiguration
@testable import Commands
@testable import HostServices
@testable import Terminal

@Suite("Untrusted names in output")
struct PrintableTests {
    /// All characters that control a terminal, break a line or change the writing direction.
    private static let hidden: [Unicode.Scalar] = (0...0x10FFFF).compactMap(Unicode.Scalar.init).filter {
        switch $0.properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator: true
        default: false
        }
    }

    private static func name(_ source: inout RandomSource) -> String {
        let seen: [Unicode.Scalar] = ["a", "Z", " ", "\"", "\\", "é", "字", "😀", "/", "%", "{"]
        var name = String.UnicodeScalarView()
        for _ in 0..<Int.random(in: 0...12, using: &source) {
            let scalars = Bool.random(using: &source) ? seen : hidden
            name.append(scalars[Int.random(in: 0..<scalars.count, using: &source)])
        }
        return String(name)
    }

    private func expectClean(_ text: String, _ what: Comment) {
        let left = text.unicodeScalars.filter { $0 != "\n" && Self.hidden.contains($0) }
        #expect(left.isEmpty, what)
    }

    @Test("No output contains invisible characters, whatever the name is")
    func random() throws {
        var source = RandomSource(seed: 9)
        for _ in 0..<300 {
            let name = Self.name(&source)
            expectClean(name.printable, "printable")
            #expect(!name.printable.contains("\n"))
            for format in LogFormat.allCases {
                let record = LogRecord(
                    time: TimeStamp(milliseconds: 0), level: .info, message: "heard \(name)",
                    metadata: ["device": "\(name)", "topic": "\(name)"])
                let line = String(decoding: format.line(record), as: UTF8.self)
                #expect(line.unicodeScalars.count { $0 == "\n" } == 1 && line.hasSuffix("\n"))
                expectClean(line, "\(format)")
            }
            var table = TextTable()
            table.add([name, name])
            #expect(table.lines().count == 1)
            expectClean(table.lines()[0], "table")
            let finding = Finding.problem(.broker, name, [name])
            for line in finding.lines(TerminalStyle(columns: 80)) + [finding.line] {
                expectClean(line, "finding")
            }
            let text = JSON.Value.object(["n": .string(name), name: 1]).description
            expectClean(text, "JSON")
            #expect(!text.contains("\n"))
            let parsed = try JSON.Value(parsing: text.utf8)
            #expect(
                name == "n" || parsed["n"]?.string?.unicodeScalars.elementsEqual(name.unicodeScalars) == true)
            let frame = Screen.frame([name], rows: 5, columns: 200).replacing("\u{1B}[", with: "")
            expectClean(frame, "screen")
            for line in SettingsProblem("file:1:1", name, "found \(name)").description.printableLines {
                expectClean(line, "error")
            }
        }
    }

    @Test(
        "Each invisible character is shown by its number",
        arguments: [
            ("a\u{9B}31mb", #"a\u{9B}31mb"#), ("\u{202E}evil", #"\u{202E}evil"#),
            ("\u{1B}[2J", #"\u{1B}[2J"#),
            ("a\u{2028}b\u{2029}c", #"a\u{2028}b\u{2029}c"#), ("\u{E0041}", #"\u{E0041}"#), ("a\nb", "a | b"),
            ("naviGürtel 😀", "naviGürtel 😀"),
        ])
    func escapes(name: String, shown: String) {
        #expect(name.printable == shown)
    }

    @Test(
        "JSON contains the same value with escapes that every parser supports",
        arguments: [
            ("\u{9B}", #""\u009b""#), ("\u{202E}", #""\u202e""#), ("\u{2028}", #""\u2028""#),
            ("\u{E0041}", #""\udb40\udc41""#), ("\u{7F}", #""\u007f""#), ("\u{1}\n", #""\u0001\n""#),
            ("é字😀\"\\", #""é字😀\"\\""#),
        ])
    func json(text: String, written: String) throws {
        #expect(JSON.Value.string(text).description == written)
        #expect(try JSON.Value(parsing: written.utf8) == .string(text))
    }
}
