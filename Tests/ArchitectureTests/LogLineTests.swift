import Testing

/// The rules are in CONTRIBUTING.md, in the section Style.
@Suite("The style of log lines")
struct LogLineTests {
    @Test("Each log line follows the rules for its start, its end and its keys")
    func lines() throws {
        let files = try SourceFile.all(in: "Sources")
        let functions = Dictionary(grouping: files, by: \.module).mapValues { files in
            files.reduce(into: Set<String>()) { $0.formUnion(LogLine.loggingFunctions(in: $1.text)) }
        }
        var count = 0
        for file in files {
            for line in LogLine.all(in: file.text, loggingFunctions: functions[file.module] ?? []) {
                count += 1
                for complaint in line.complaints { Issue.record("\(file.path):\(line.line): \(complaint)") }
            }
        }
        #expect(count > 200, "only \(count) log lines were found: is there another way to log?")
    }

    @Test(
        "A line that breaks a rule is detected",
        arguments: [
            (#"logger.info("Adapter is ready")"#, "begins"),
            (#"client.logger.log(level: isNew ? .info : .debug, "The bus is lost")"#, "begins"),
            (#"logger.error("the state is damaged.")"#, "ends"),
            ("logger.error(\n    isNew\n        ? \"it is lost\" : \"is it lost?\")", "ends"),
            (#"effects.remark(.debug, "a write failed: ")"#, "ends"),
            (#"logger.error("two\nlines")"#, "not one line"),
            (#"logger.info("it is lost", metadata: ["lateMS": "1"])"#, "lower case"),
            (#"logger.info("it is lost", metadata: ["error": "\(error)"])"#, "not called reason"),
            (#"giveUp(device, "Its writes fail")"#, "begins"),
            ("logger.notice(\n    \"\"\"\n    The broker \\\n    refuses it\n    \"\"\")", "begins"),
        ])
    func broken(source: String, complaint: String) {
        let found = LogLine.all(in: source, loggingFunctions: ["giveUp"]).flatMap(\.complaints)
        #expect(found.count == 1 && found.first?.contains(complaint) == true, "\(found)")
    }

    @Test(
        "A line that follows the rules is accepted",
        arguments: [
            #"logger.info("online")"#, #"logger.error("\(problem)")"#,
            #"logger.warning("BlueZ tells no address")"#,
            #"logger.log(level: member == "RegisterAgent" ? .debug : .info, "the agent is not known")"#,
            #"logger.info("it is lost: \(error.map { "Why: \($0)." } ?? "")", metadata: ["in_s": "1"])"#,
            "func giveUp(_ device: String, _ words: Logger.Message) { print(\"Gone.\") }",
        ])
    func kept(source: String) {
        #expect(LogLine.all(in: source, loggingFunctions: ["giveUp"]).flatMap(\.complaints) == [])
    }
}

extension SourceFile {
    /// The folder of the file's module, or of its family.
    fileprivate var module: String { path.split(separator: "/").dropFirst().prefix(1).joined() }
}
