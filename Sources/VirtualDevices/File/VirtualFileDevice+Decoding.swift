import DeviceFiles

extension VirtualFileDevice.Choices {
    /// Reads the scenario of a device that is described by a device file: `file`, `bluetooth_name`, `values`,
    /// `on_write`.
    init(_ reader: inout MappingReader, _ reading: Scenario.FileReading?) throws(ScenarioError) {
        let expected = "the path of a device file"
        guard let path = try reader.scalar("file", expected: expected, { $0.isEmpty ? nil : $0 }) else {
            throw reader.missing("file", expected: expected)
        }
        switch reading?(path) {
        case .success(let file): self.init(file)
        case .failure(let error):
            throw ScenarioError(
                .invalidValue, file: reader.file, line: reader.line, key: "\(reader.path).file",
                message: "\(error)")
        case nil:
            throw reader.missing("file", expected: "a scenario of the simulator, which reads device files")
        }
        name = try reader.scalar("bluetooth_name", expected: "a name", { $0.isEmpty ? nil : $0 }) ?? name
        if var values = try reader.mapping("values") {
            self.values = try notifications(&values)
            try values.finish()
        }
        for var entry in try reader.mappings("on_write") {
            let expected = "the text that is written; match_hex for bytes"
            let text = try entry.scalar("match", expected: expected) { Array($0.utf8) }
            let bytes = try entry.scalar("match_hex", expected: "pairs of hexadecimal digits") {
                DeviceFile.bytes($0)
            }
            guard let match = text ?? bytes else { throw entry.missing("match", expected: expected) }
            var answer = Answer(match: match, notifies: [])
            if var values = try entry.mapping("notify") {
                answer.notifies = try notifications(&values)
                try values.finish()
            }
            try entry.finish()
            answers.append(answer)
        }
    }

    private func notifications(
        _ reader: inout MappingReader
    ) throws(ScenarioError) -> [VirtualFileDevice.Choices.Notification] {
        var notifications: [VirtualFileDevice.Choices.Notification] = []
        for (index, entry) in file.characteristics.enumerated() {
            let expected =
                entry.lines == nil ? "pairs of hexadecimal digits such as \"01ff\"" : "a line of text"
            if let value = try reader.scalar(entry.name, expected: expected, { file.value($0, of: index) }) {
                notifications.append(.init(characteristic: index, value: value))
            }
        }
        return notifications
    }
}
