package import DeviceKit
import YAML

/// A gesture file: the name of a family, and the gestures that its devices recognize.
package struct GestureFile: Sendable {
    /// The name of the family whose devices recognize the gestures.
    package let family: String
    package let map: GestureMap
    /// The commands of the actions, in the order of the file.
    package let commands: [PlacedCommand]

    /// A command of an action, and its place.
    package struct PlacedCommand: Hashable, Sendable {
        /// The file, line, column and key, for messages.
        package var place: String
        /// The command.
        package var command: DeviceCommand
    }

    /// Reads a file.
    ///
    /// - Parameters:
    ///   - text: The text.
    ///   - path: The path, for errors.
    ///   - families: The families for which the file can define gestures.
    /// - Throws: ``Problems`` with all mistakes, each with line and key.
    package init(_ text: String, path: String, families: [any DeviceFamily]) throws(Problems) {
        let tree: YAMLTree
        do { tree = try YAMLTree(text) } catch {
            throw Problems(lines: ["\(path):\(error.place): \(error.message)"])
        }
        var reader = GestureFileReader(path: path, families: families)
        let read = reader.read(tree)
        guard let read, reader.problems.isEmpty else { throw Problems(lines: reader.problems) }
        (family, map) = read
        commands = reader.placed
    }

    /// The mistakes of a file.
    package struct Problems: Error {
        /// One line for each mistake: file, line, column, key, what was found, what is allowed.
        package var lines: [String]
    }
}

extension GestureFile {
    /// Adds the gestures of files to the families that the files name.
    ///
    /// - Parameter files: The files by name, in order.
    package static func apply(
        _ files: [(name: String, file: GestureFile)], to families: [any DeviceFamily]
    ) -> [any DeviceFamily] {
        families.map { family in
            let maps = files.filter { $0.file.family == family.name }.map { ($0.name, $0.file.map) }
            return maps.isEmpty ? family : GesturedFamily(family, maps)
        }
    }
}
