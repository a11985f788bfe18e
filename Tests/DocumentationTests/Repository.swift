import DeviceFiles
import Foundation

/// The repository that the tests were built from.
enum Repository {
    static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()

    /// All Markdown pages, sorted by path.
    static let pages: [Page] = {
        let folders = ["", "docs", "Sources", "Tests", "deploy", "config"]
        var paths: [String] = []
        for folder in folders {
            let place = root.appending(path: folder).path
            let found =
                folder.isEmpty
                ? try? FileManager.default.contentsOfDirectory(atPath: place)
                : try? FileManager.default.subpathsOfDirectory(atPath: place)
            paths += (found ?? []).map { folder.isEmpty ? $0 : "\(folder)/\($0)" }
        }
        return paths.filter { $0.hasSuffix(".md") }.sorted().compactMap { path in
            text(path).map { Page(path: path, text: $0) }
        }
    }()

    /// The anchors of every page, by its path.
    static let anchors = Dictionary(uniqueKeysWithValues: pages.map { ($0.path, $0.anchors) })

    /// The names of all Swift files, without their folders.
    static let sourceNames: Set<String> = {
        let paths = ["Sources", "Tests"].flatMap { folder in
            (try? FileManager.default.subpathsOfDirectory(atPath: root.appending(path: folder).path)) ?? []
        }
        return Set(["Package.swift"]).union(
            paths.filter { $0.hasSuffix(".swift") }.compactMap {
                $0.split(separator: "/").last.map { String($0) }
            })
    }()

    /// The families of the valid shipped device files; other tests report invalid ones.
    static let shippedFamilies: [FileFamily] = {
        let folder = root.appending(path: "config/devices").path
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        return names.filter { $0.hasSuffix(".yaml") }.sorted().compactMap { name in
            text("config/devices/\(name)").flatMap { try? DeviceFile.read($0, file: name) }
                .map { FileFamily($0.file) }
        }
    }()

    /// The text of a file; nil if it does not exist.
    static func text(_ path: String) -> String? {
        try? String(contentsOf: root.appending(path: path), encoding: .utf8)
    }

    /// Whether a file or a folder exists.
    static func exists(_ path: String) -> Bool {
        FileManager.default.fileExists(atPath: root.appending(path: path).path)
    }

    /// The pages whose commands Tests/Tutorials and Tests/HomeAssistant run, and the section if it is only one. The
    /// comments of the scenarios name them.
    private static let tutorials: [(page: String, section: String?)] =
        ["Tests/Tutorials", "Tests/HomeAssistant"].flatMap { folder -> [(page: String, section: String?)] in
            let place = root.appending(path: folder).path
            let names = (try? FileManager.default.contentsOfDirectory(atPath: place)) ?? []
            return names.filter { $0.hasSuffix(".yaml") }.compactMap {
                name -> (page: String, section: String?)? in
                guard let scenario = text("\(folder)/\(name)"),
                    let page = scenario.firstMatch(of: /(?m)^# page: (.+)$/)?.1
                else { return nil }
                let section = scenario.firstMatch(of: /(?m)^# section: (.+)$/)?.1
                return (String(page), section.map { String($0) })
            }
        }

    /// Whether Tests/Tutorials or Tests/HomeAssistant runs the commands in a section of a page.
    static func isTutorial(_ section: String?, of page: Page) -> Bool {
        tutorials.contains { $0.page == page.path && ($0.section == nil || $0.section == section) }
    }

    static func page(_ path: String) -> Page? { pages.first { $0.path == path } }
}
