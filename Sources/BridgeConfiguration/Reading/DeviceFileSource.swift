import BridgeContract
import Cryptography
import DeviceFiles
package import DeviceKit
import Glibc
import HostServices
import YAML

/// The folder of the device files that are shipped with the bridge, and the function that reads device files.
package struct DeviceFileSource: Sendable {
    /// The folder of the shipped files.
    package var shipped: String
    package var reading: DeviceFolder.Reading

    package init(shipped: String, reading: @escaping DeviceFolder.Reading) {
        self.shipped = shipped
        self.reading = reading
    }

    /// The families of the shipped files that are valid.
    package var shippedFamilies: [any DeviceFamily] {
        DeviceFolder(path: shipped).read(by: reading).compactMap(\.family)
    }

    /// Returns the source that this program uses.
    ///
    /// - Parameter builtIn: The built-in families.
    package static func standard(builtIn: [any DeviceFamily]) -> DeviceFileSource {
        let taken = takenNames(builtIn)
        return DeviceFileSource(shipped: shippedFolder(program: program)) { read($0, $1, taken) }
    }

    /// Returns the names that families of device files must not use, each with the reason.
    ///
    /// - Parameter builtIn: The built-in families.
    package static func takenNames(_ builtIn: [any DeviceFamily]) -> [String: String] {
        let sections = Setting.all([]).map { String($0.path.prefix { $0 != "." }) } + ["devices", "groups"]
        let names =
            sections.map { ($0, "a section of the configuration") }
            + NameRules.everyRoot.map { ($0, "a root of the bridge's own topics") }
            + builtIn.map { ($0.name, "a built-in family") }
        return Dictionary(names) { $1 }
    }

    private static func read(_ text: String, _ path: String, _ taken: [String: String]) -> DeviceFileReading {
        do throws(DeviceFileError) {
            let reading = try DeviceFile.read(text, file: path, taken: taken)
            return DeviceFileReading(
                path: path, name: reading.file.family,
                family: FileFamily(
                    reading.file, revision: "\(reading.file.hashValue)", decrypt: AES.decryptCCM))
        } catch {
            return DeviceFileReading(
                path: path, name: family(text) ?? DeviceFileReading.nameGuess(path), family: nil,
                problems: error.problems.map(\.description))
        }
    }

    /// Returns the name of the family in a file that is otherwise invalid.
    private static func family(_ text: String) -> String? {
        guard case .mapping(let members)? = try? YAMLTree(text).content,
            case .scalar(let name, _)? = members.first(where: { $0.key == "family" })?.value.content
        else { return nil }
        return name
    }

    private static var program: String {
        var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
        let count = readlink("/proc/self/exe", &buffer, buffer.count)
        return String(decoding: buffer.prefix(max(0, count)).map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    /// The folder of the shipped files in an installation.
    package static let installedFolder = "/usr/share/tactile-bridge/devices"

    /// Returns the folder of the shipped files. If the program was built in a clone of the repository, this is the
    /// folder in the clone; otherwise the folder of an installation.
    ///
    /// - Parameter program: The path of the program.
    package static func shippedFolder(program: String) -> String {
        var folder = program[...]
        while let slash = folder.lastIndex(of: "/"), slash > folder.startIndex {
            folder = folder[..<slash]
            let candidate = "\(folder)/config/devices"
            if FileAccess.isThere("\(folder)/Package.swift"), FileAccess.isThere(candidate) {
                return candidate
            }
        }
        return installedFolder
    }
}
