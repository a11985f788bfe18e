import BridgeConfiguration
import Glibc
import HostServices

/// Where the console keeps its token and has its page.
enum ConsolePlace {
    /// Where the package's service keeps its state, as everyone sees it.
    static let ofService = "/var/lib/tactile-bridge-console"
    /// Where an installed console has its page.
    static let installedPage = "/usr/share/tactile-bridge/console"

    /// The folder of the token of a console that runs: its own by systemd, else one beside the bridge's state.
    static func folder(_ settings: Settings, _ host: Host) -> String {
        let isService = host.environment["STATE_DIRECTORY"]?.hasPrefix("/") == true
        return isService ? host.stateDirectory : "\(settings.stateDirectory)/console"
    }

    /// Where the package's unit is; systemd makes the folder of its state at its first start only.
    private static let units = ["/lib/systemd/system", "/usr/lib/systemd/system"]

    /// The folder of the token that a person asks for at a terminal: the service's where the person has none.
    static func folderOfLink(_ settings: Settings, _ host: Host) -> String {
        let own = folder(settings, host)
        var status = stat()
        let isInstalled =
            lstat(ofService, &status) == 0
            || units.contains { FileAccess.isThere("\($0)/tactile-bridge-console.service") }
        let hasOwn = FileAccess.isThere("\(own)/\(Token.fileName)")
        return hasOwn || !isInstalled ? own : ofService
    }

    /// The folder of the page: a clone's own for a program that was built in it, else the installed one.
    static var page: String {
        var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
        let count = readlink("/proc/self/exe", &buffer, buffer.count)
        let program = String(
            decoding: buffer.prefix(max(0, count)).map { UInt8(bitPattern: $0) }, as: UTF8.self)
        var folder = program[...]
        while let slash = folder.lastIndex(of: "/"), slash > folder.startIndex {
            folder = folder[..<slash]
            let candidate = "\(folder)/console"
            if FileAccess.isThere("\(folder)/Package.swift"), FileAccess.isThere("\(candidate)/index.html") {
                return candidate
            }
        }
        return installedPage
    }
}
