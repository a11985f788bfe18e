import DeviceFiles
import HostServices
import VirtualDevices
import YAML

enum ScenarioFile {
    static func read(path: String) throws(ScenarioError) -> Scenario {
        try read(text: text(path), file: path)
    }

    /// Reads a recording of the bridge, and returns a scenario that plays the recorded devices.
    static func readRecording(path: String) throws(ScenarioError) -> Scenario {
        try Recording(text(path), file: path).scenario
    }

    private static func text(_ path: String) throws(ScenarioError) -> String {
        do { return String(decoding: try FileAccess.read(path), as: UTF8.self) } catch {
            throw ScenarioError(
                .unreadable, file: path, line: nil, key: "",
                message: "the file cannot be read: \(error.reason)")
        }
    }

    static func read(text: String, file: String) throws(ScenarioError) -> Scenario {
        let tree: YAMLTree
        do { tree = try YAMLTree(text) } catch {
            throw ScenarioError(
                .unreadable, file: file, line: error.place.line, key: "", message: error.message)
        }
        let folder = file.lastIndex(of: "/").map { String(file[...$0]) } ?? ""
        return try Scenario(tree.isNull ? nil : ScenarioNode(tree), file: file) { path in
            deviceFile(path.hasPrefix("/") ? path : folder + path)
        }
    }

    /// Reads a device file that a scenario names by a path relative to its folder.
    private static func deviceFile(_ path: String) -> Result<DeviceFile, DeviceFileError> {
        let text: String
        do { text = String(decoding: try FileAccess.read(path), as: UTF8.self) } catch {
            return .failure(
                DeviceFileError(problems: [
                    DeviceFileProblem(
                        file: path, place: .init(line: 1, column: 1), path: "",
                        message: "cannot be read: \(error.reason)")
                ]))
        }
        do throws(DeviceFileError) {
            return .success(try DeviceFile.read(text, file: path).file)
        } catch {
            return .failure(error)
        }
    }
}

extension ScenarioNode {
    init(_ tree: YAMLTree) {
        switch tree.content {
        case .scalar(let text, _):
            self.init(line: tree.place.line, .scalar(tree.isNull ? "" : text))
        case .sequence(let elements):
            self.init(line: tree.place.line, .sequence(elements.map { ScenarioNode($0) }))
        case .mapping(let members):
            let entries = members.map {
                Entry(key: $0.key, line: $0.place.line, value: ScenarioNode($0.value))
            }
            self.init(line: tree.place.line, .mapping(entries))
        }
    }
}
