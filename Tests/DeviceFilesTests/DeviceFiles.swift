import DeviceFiles
import DeviceKit
import Foundation

/// Device files for tests: those of the folder, and small ones that differ in one place.
enum Sample {
    static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appending(path: "Files")

    static func text(_ name: String) throws -> String {
        try String(contentsOf: folder.appending(path: name), encoding: .utf8)
    }

    /// A file that is read.
    static func file(_ name: String) throws -> DeviceFile {
        try DeviceFile.read(try text(name), file: name).file
    }

    /// A device with one characteristic for reports and one for commands, and these features; the features begin in
    /// line 10.
    static func text(features: String, more: String = "") -> String {
        """
        version: 1
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

    /// A device whose state `value` has this packet; the items begin in line 15.
    static func text(packet items: [String], beside: String = "") -> String {
        text(
            features: """
                value:
                  summary: A value.
                  kind: state
                  from: out
                \((beside.isEmpty ? "packet:" : "\(beside)\npacket:").indented(2))
                \(items.map { "- \($0)" }.joined(separator: "\n").indented(4))
                """)
    }

    /// A device whose command `set` has these fields and writes this.
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

    /// The problems of a text; none if it reads.
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
    /// The same lines, moved to the right.
    func indented(_ count: Int) -> String {
        split(separator: "\n", omittingEmptySubsequences: false).map {
            String(repeating: " ", count: count) + $0
        }
        .joined(separator: "\n")
    }
}
