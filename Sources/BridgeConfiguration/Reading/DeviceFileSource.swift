import BridgeContract
import DeviceFiles
package import DeviceKit
import Glibc
import HostServices
import YAML

/// Where device files come from, and what reads them.
package struct DeviceFileSource: Sendable {
    /// The folder of the files that came with the program.
    package var shipped: String
    package var reading: DeviceFolder.Reading

    package init(shipped: String, reading: @escaping DeviceFolder.Reading) {
        self.shipped = shipped
        self.reading = reading
    }

    /// The families of the files that came with the program; those that cannot be used are left out.
    package var shippedFamilies: [any DeviceFamily] {
        DeviceFolder(path: shipped).read(by: reading).compactMap(\.family)
    }

    /// The files that came with this program, and what reads them.
    ///
    /// - Parameter builtIn: The families that the program has itself.
    package static func standard(builtIn: [any DeviceFamily]) -> DeviceFileSource {
        let taken = takenNames(builtIn)
        return DeviceFileSource(shipped: shippedFolder(program: program)) { read($0, $1, taken) }
    }

    /// The names that no family of a file may have, each with what it is.
    ///
    /// - Parameter builtIn: The families that the program has itself.
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
                family: FileFamily(reading.file, revision: "\(reading.file.hashValue)"))
        } catch {
            return DeviceFileReading(
                path: path, name: family(text) ?? DeviceFileReading.nameGuess(path), family: nil,
                problems: error.problems.map(\.description))
        }
    }

    /// The family that a file names that is not valid otherwise.
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

    /// Where an installed bridge has the files that came with it.
    package static let installedFolder = "/usr/share/tactile-bridge/devices"

    /// The folder of the files that came with the program: a clone's own for a program that was built in it, else
    /// where an installed bridge has them.
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
