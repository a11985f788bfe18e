import DeviceFiles
import DeviceKit
import Foundation

/// Device files for tests: the files of the folder, and small files that differ in one section.
enum Sample {
    static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appending(path: "Files")

    static func text(_ name: String) throws -> String {
        try String(contentsOf: folder.appending(path: name), encoding: .utf8)
    }

    static func file(_ name: String) throws -> DeviceFile {
        try DeviceFile.read(try text(name), file: name).file
    }

    /// The text of a device with one characteristic for reports, one for commands, and these features. The features
    /// start in line 10.
    static func text(features: String, more: String = "", version: Int = 1) -> String {
        """
        version: \(version)
        family: probe
        title: Probe
        source: https://example.org
        match: [ { name: "Probe*" } ]
        characteristics:
          out: { service: ff00, uuid: ff01 }
          in: { service: ff00, uuid: ff02 }
        setup: [ { subscribe: out } ]
        features:
        \(features.indented(2))
        \(more)
        """
    }

    /// The text of a device whose state `value` has this packet. The items start in line 15.
    static func text(packet items: [String], beside: String = "", version: Int = 1) -> String {
        text(
            features: """
                value:
                  summary: A value.
                  kind: state
                  from: out
                \((beside.isEmpty ? "packet:" : "\(beside)\npacket:").indented(2))
                \(items.map { "- \($0)" }.joined(separator: "\n").indented(4))
                """, version: version)
    }

    /// The text of a device whose command `set` has these fields and this write.
    static func text(fields: String, write: String) -> String {
        text(
            features: """
                set_value:
                  summary: Sets it.
                  command:
                    fields: { \(fields) }
                    write: \(write)
                """)
    }

    /// The problems of a text; empty if it is valid.
    static func problems(_ text: String) -> [DeviceFileProblem] {
        do throws(DeviceFileError) {
            _ = try DeviceFile.read(text, file: "probe.yaml")
            return []
        } catch {
            return error.problems
        }
    }
}

extension String {
    /// The same lines, indented.
    func indented(_ count: Int) -> String {
        split(separator: "\n", omittingEmptySubsequences: false).map {
            String(repeating: " ", count: count) + $0
        }
        .joined(separator: "\n")
    }
}
