package import DeviceKit
import Glibc
import HostServices

/// A folder of device files: YAML files with `family` at the top.
///
/// Files and folders that other users may write are refused: what they say is written to devices.
package struct DeviceFolder: Sendable {
    /// Reads the text of one file.
    ///
    /// - Parameters:
    ///   - text: The text.
    ///   - path: The file, as errors name it.
    package typealias Reading = @Sendable (_ text: String, _ path: String) -> DeviceFileReading

    /// How many files are looked at.
    static let fileCount = 256
    /// How many bytes a file may have.
    static let fileLimit = 256 << 10

    private let path: String

    package init(path: String) { self.path = path }

    /// Reads all files, in the order of their names; none where the folder is not there.
    package func read(by reading: Reading) -> [DeviceFileReading] {
        let listing: FolderListing
        do { listing = try FolderListing(path) } catch {
            return error.isMissing ? [] : [.refused(path, "\(path): cannot be read: \(error.reason)")]
        }
        guard isOwn(path) else {
            return [
                .refused(
                    path, "\(path): other users may write to it; allowed: chmod go-w, owned by root or you")
            ]
        }
        var readings = listing.names.prefix(Self.fileCount).map { read("\(path)/\($0)", by: reading) }
        if listing.names.count > Self.fileCount {
            readings.append(
                .refused(
                    path,
                    "\(path): found \(listing.names.count) files; allowed: \(Self.fileCount); the rest is left out"
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
                file, "\(file): other users may write to it; allowed: chmod go-w, owned by root or you")
        }
        do {
            let bytes = try FileAccess.read(file, limit: Self.fileLimit)
            guard let text = String(validating: bytes, as: UTF8.self) else {
                return .refused(file, "\(file): not a text in UTF-8")
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

/// What became of one device file.
package struct DeviceFileReading: Sendable {
    /// The file's path.
    package var path: String
    /// The name of the family, where that much could be read.
    package var name: String?
    /// The family; nil where the file cannot be used.
    package var family: (any DeviceFamily)?
    /// What is wrong, a line each: file, line, key, what was found, what is allowed.
    package var problems: [String]
    /// What is not wrong but probably not meant.
    package var warnings: [String]
    /// Of a folder: what is in it and is not read.
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

    /// The name that the family of a file probably has, out of the file's name; nil for a folder.
    package static func nameGuess(_ path: String) -> String? {
        path.split(separator: "/").last.flatMap { FolderListing.stem(of: String($0)) }
    }
}
