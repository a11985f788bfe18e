import DeviceFiles
import Testing

@Suite("Invalid device files")
struct MisuseTests {
    @Test("An error contains the line, the key, the actual and the allowed value", arguments: MisuseRow.all)
    func refusal(_ row: MisuseRow) throws {
        let problems = Sample.problems(row.text)
        let problem = try #require(
            problems.first { $0.message.hasPrefix(row.message) }, "\(problems.map(\.description))")
        #expect(problem.line == row.line)
        #expect(problem.path == row.path)
        #expect(problem.file == "probe.yaml")
    }

    @Test("All errors are reported at once, in the order of the file")
    func several() {
        let text = Sample.text(packet: ["{ a: u9 }", "{ b: u8, scale: x }"]).replacing(
            "title: Probe", with: "title: []")
        #expect(Sample.problems(text).map(\.line) == [3, 16, 17])
    }

    @Test("Of a file with an unknown version, nothing else is reported")
    func version() {
        let text = Sample.text(packet: ["{ a: u9 }"], version: 3)
        #expect(
            Sample.problems(text).map(\.description) == [
                "probe.yaml:1:1: version: found 3; allowed: 1 or 2; this bridge knows no other version, a newer bridge may"
            ])
    }

    @Test("A feature name that the bridge uses is rejected", arguments: DeviceFile.refusedFeatures)
    func refusedNames(_ name: String) {
        let text = Sample.text(features: "\(name):\n  summary: x\n  command: { write: { to: out, hex: 00 } }")
        #expect(
            Sample.problems(text).first?.description
                == "probe.yaml:11:3: features.\(name): found the name \(name), which is reserved; allowed: any name except \(DeviceFile.refusedFeatures.joined(separator: " "))"
        )
    }

    @Test("A family name that is in use is rejected")
    func taken() {
        let error = #expect(throws: DeviceFileError.self) {
            try DeviceFile.read(
                Sample.text(packet: ["{ a: u8 }"]), file: "probe.yaml",
                taken: ["probe": "a built-in family"])
        }
        #expect(
            error?.problems.map(\.message) == ["found probe, a built-in family; allowed: another name"])
    }

    @Test("A file that is too long is rejected")
    func size() {
        let text = Sample.text(packet: ["{ a: u8 }"]) + String(repeating: "# \n", count: 100_000)
        #expect(Sample.problems(text).first?.message.hasPrefix("found 300") ?? false)
    }

    @Test(
        "An error at a special character of YAML advises quotes",
        arguments: ["title: %d", "title: @x", "title: *x", "title: { a: {b }, c"])
    func advice(_ line: String) {
        let text = Sample.text(packet: ["{ a: u8 }"]).replacing("title: Probe", with: line)
        #expect(
            Sample.problems(text).first?.message.hasSuffix("; put the text in double quotes") ?? false,
            "\(Sample.problems(text))")
    }

    @Test(
        "A scalar that other YAML readers interpret differently causes a warning",
        arguments: [
            ("title: on", "title"), ("title: 0123", "title"), ("title: 12e5", "title"),
            ("title: 1.10", "title"),
            (#"title: 'a\n'"#, "title"), (#"title: a\n"#, "title"),
        ])
    func warnings(_ line: String, _ path: String) throws {
        let text = Sample.text(packet: ["{ a: u8 }"]).replacing("title: Probe", with: line)
        let reading = try DeviceFile.read(text, file: "probe.yaml")
        let warning = try #require(reading.warnings.first { $0.path == path })
        #expect(warning.line == 3)
    }

    @Test(
        "A scalar that all YAML readers interpret as text causes no warning",
        arguments: ["title: \"on\"", "title: 180f", "title: '0123'", "title: 42", #"title: "a\n""#])
    func noWarnings(_ line: String) throws {
        let text = Sample.text(packet: ["{ a: u8 }"]).replacing("title: Probe", with: line)
        #expect(try DeviceFile.read(text, file: "probe.yaml").warnings.filter { $0.path == "title" } == [])
    }
}
