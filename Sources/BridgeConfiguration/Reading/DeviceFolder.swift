package import DeviceKit
import Glibc
import HostServices

/// A folder of device files: YAML files with the key `family` at the top level.
///
/// Files and folders to which other users can write are rejected, because the bridge writes bytes from these files to
/// devices.
package struct DeviceFolder: Sendable {
    /// Reads the text of one file.
    ///
    /// - Parameters:
    ///   - text: The text.
    ///   - path: The path for error messages.
    package typealias Reading = @Sendable (_ text: String, _ path: String) -> DeviceFileReading

    /// The maximum number of files.
    static let fileCount = 256
    /// The maximum size of a file, in bytes.
    static let fileLimit = 256 << 10

    private let path: String

    package init(path: String) { self.path = path }

    /// Reads all files in the order of their names. Returns an empty array if the folder does not exist.
    package func read(by reading: Reading) -> [DeviceFileReading] {
        let listing: FolderListing
        do { listing = try FolderListing(path) } catch {
            return error.isMissing ? [] : [.refused(path, "\(path): cannot be read: \(error.reason)")]
        }
        guard isOwn(path) else {
            return [
                .refused(
                    path,
                    "\(path): other users can write to it; allowed: chmod go-w, and owned by root or you")
            ]
        }
        var readings = listing.names.prefix(Self.fileCount).map { read("\(path)/\($0)", by: reading) }
        if listing.names.count > Self.fileCount {
            readings.append(
                .refused(
                    path,
                    "\(path): found \(listing.names.count) files; allowed: \(Self.fileCount); "
                        + "the other files are ignored"
                ))
        }
        if !listing.ignored.isEmpty {
            readings.append(DeviceFileReading(path: path, name: nil, family: nil, ignored: listing.ignored))
        }
        return readings
    }

    private func read(_ file: String, by reading: Reading) -> DeviceFileReading {
        guard isOwn(file) else {
            return .refused(
                file, "\(file): other users can write to it; allowed: chmod go-w, and owned by root or you")
        }
        do {
            let bytes = try FileAccess.read(file, limit: Self.fileLimit)
            guard let text = String(validating: bytes, as: UTF8.self) else {
                return .refused(file, "\(file): not UTF-8 text")
            }
            return reading(text, file)
        } catch {
            return .refused(file, "\(file): cannot be read: \(error.reason)")
        }
    }

    private func isOwn(_ path: String) -> Bool {
        var status = stat()
        guard stat(path, &status) == 0 else { return false }
        return status.st_mode & (S_IWGRP | S_IWOTH) == 0 && (status.st_uid == 0 || status.st_uid == geteuid())
    }
}

/// The result of reading one device file.
package struct DeviceFileReading: Sendable {
    package var path: String
    /// The name of the family, if it could be read.
    package var name: String?
    /// The family; nil if the file cannot be used.
    package var family: (any DeviceFamily)?
    /// The problems of the file, one per line. Each contains the file, the line, the key, the value found and the
    /// values allowed.
    package var problems: [String]
    /// The warnings about values that are valid but probably a mistake.
    package var warnings: [String]
    /// The entries of a folder that are not read.
    package var ignored: [String]

    package init(
        path: String, name: String?, family: (any DeviceFamily)?, problems: [String] = [],
        warnings: [String] = [], ignored: [String] = []
    ) {
        self.path = path
        self.name = name
        self.family = family
        self.problems = problems
        self.warnings = warnings
        self.ignored = ignored
    }

    static func refused(_ path: String, _ problem: String) -> DeviceFileReading {
        DeviceFileReading(path: path, name: nameGuess(path), family: nil, problems: [problem])
    }

    /// Returns the probable name of the file's family, derived from the name of the file; nil for a folder.
    package static func nameGuess(_ path: String) -> String? {
        path.split(separator: "/").last.flatMap { FolderListing.stem(of: String($0)) }
    }
}
