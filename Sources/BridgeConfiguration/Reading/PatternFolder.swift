package import Haptics
import HostServices
import YAML

/// The folder with the files of haptic patterns: AHAP files, haptic clips, and YAML files with a list of events.
package struct PatternFolder {
    /// The maximum size of a file, in bytes. It is sufficient for a pattern with the maximum number of events.
    private static let fileLimit = 1 << 20
    private static let ahap = [".ahap"]
    private static let clip = [".haptic"]
    private static let endings = ahap + clip + FolderListing.yaml

    package var path: String

    package init(path: String) {
        self.path = path
    }

    /// Reads all files. The problems of the library contain the files that cannot be used.
    package func load() -> Library {
        var library = Library()
        let names: [String]
        do { names = try FolderListing(path, endings: Self.endings).names } catch {
            if !error.isMissing { library.leaveOut(path, reason: error.reason) }
            return library
        }
        for name in names {
            let bytes: [UInt8]
            do {
                bytes = try FileAccess.read("\(path)/\(name)", limit: Self.fileLimit)
            } catch {
                library.leaveOut(name, reason: error.reason)
                continue
            }
            library.add(name) { () throws(HapticsError) in try Self.read(name, bytes) }
        }
        return library
    }

    /// Reads one file in the format of its extension.
    package static func read(_ name: String, _ bytes: [UInt8]) throws(HapticsError) -> AHAPFile {
        if FolderListing.stem(of: name, ahap) != nil { return try AHAPFile(parsing: bytes) }
        if FolderListing.stem(of: name, clip) != nil { return try AHAPFile(parsingClip: bytes) }
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw HapticsError(.invalid, "the file", "not UTF-8")
        }
        let tree: YAMLTree
        do { tree = try YAMLTree(text) } catch {
            throw HapticsError(.invalid, "line \(error.place.line)", error.message)
        }
        return AHAPFile(try Pattern(file: tree.value))
    }

    /// Entries in the folder that are not read, one per line.
    package var ignored: [String] {
        (try? FolderListing(path, endings: Self.endings).ignored) ?? []
    }

    /// Whether a file name has the extension of a pattern file.
    package static func isPattern(_ name: String) -> Bool { FolderListing.stem(of: name, endings) != nil }
}
