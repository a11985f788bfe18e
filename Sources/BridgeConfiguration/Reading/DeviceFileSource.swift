import HostServices

/// Where device files come from, and what reads them.
package struct DeviceFileSource: Sendable {
    /// The folder of the files that came with the program.
    package var shipped: String
    /// Reads one file.
    package var reading: DeviceFolder.Reading

    package init(shipped: String, reading: @escaping DeviceFolder.Reading) {
        self.shipped = shipped
        self.reading = reading
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
