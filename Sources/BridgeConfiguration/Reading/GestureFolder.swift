import DeviceKit
import Gestures
import HostServices

/// The folder with the gesture files.
struct GestureFolder {
    private static let fileCount = 64
    /// The maximum size of a file, in bytes.
    private static let fileLimit = 256 << 10

    /// The commands of the gestures, with the family of each file.
    let commands: [(family: String, placed: GestureFile.PlacedCommand)]
    /// The families, with the gestures of the files that can be used.
    let families: [any DeviceFamily]
    /// The mistakes in the files that cannot be used, one per line.
    let problems: [String]
    /// The entries of the folder that are not read, one per line.
    let ignored: [String]

    init(path: String, families: [any DeviceFamily]) {
        let listing: FolderListing
        do { listing = try FolderListing(path) } catch {
            (self.families, commands) = (families, [])
            problems = error.isMissing ? [] : ["\(path): cannot be read: \(error.reason)"]
            ignored = []
            return
        }
        var files: [(name: String, file: GestureFile)] = []
        var problems: [String] = []
        for name in listing.names.prefix(Self.fileCount) {
            let file = "\(path)/\(name)"
            guard let stem = FolderListing.stem(of: name), stem != GesturedFamily.none,
                !files.contains(where: { $0.name == stem })
            else {
                problems.append(
                    "\(file): found the name none, or a name that another file has; allowed: another name"
                )
                continue
            }
            do {
                let bytes = try FileAccess.read(file, limit: Self.fileLimit)
                guard let text = String(validating: bytes, as: UTF8.self) else {
                    problems.append("\(file): not a text in UTF-8")
                    continue
                }
                files.append((stem, try GestureFile(text, path: file, families: families)))
            } catch let error as GestureFile.Problems {
                problems += error.lines
            } catch let error as FileAccess.Failure {
                problems.append("\(file): cannot be read: \(error.reason)")
            } catch {
                problems.append("\(file): \(error)")
            }
        }
        if listing.names.count > Self.fileCount {
            problems.append(
                "\(path): found \(listing.names.count) files; allowed: \(Self.fileCount); the others are ignored"
            )
        }
        self.families = GestureFile.apply(files, to: families)
        commands = files.flatMap { file in file.file.commands.map { (file.file.family, $0) } }
        self.problems = problems
        ignored = listing.ignored
    }
}
