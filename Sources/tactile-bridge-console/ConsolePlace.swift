import BridgeConfiguration
import Glibc
import HostServices

/// The folders of the console's token and page.
enum ConsolePlace {
    /// The state folder of the package's service, in the form that all users see.
    static let ofService = "/var/lib/tactile-bridge-console"
    /// The page's folder in an installation.
    static let installedPage = "/usr/share/tactile-bridge/console"

    /// The token's folder of a running console: systemd's state folder, otherwise a folder next to the bridge's state.
    static func folder(_ settings: Settings, _ host: Host) -> String {
        let isService = host.environment["STATE_DIRECTORY"]?.hasPrefix("/") == true
        return isService ? host.stateDirectory : "\(settings.stateDirectory)/console"
    }

    /// The folders of the package's unit. systemd creates the state folder only at the first start of the unit.
    private static let units = ["/lib/systemd/system", "/usr/lib/systemd/system"]

    /// The token's folder for a user at a terminal: the folder of the service if the user has no own token.
    static func folderOfLink(_ settings: Settings, _ host: Host) -> String {
        let own = folder(settings, host)
        var status = stat()
        let isInstalled =
            lstat(ofService, &status) == 0
            || units.contains { FileAccess.isThere("\($0)/tactile-bridge-console.service") }
        let hasOwn = FileAccess.isThere("\(own)/\(Token.fileName)")
        return hasOwn || !isInstalled ? own : ofService
    }

    /// The page's folder: the folder in the clone if the program was built there, otherwise that of an installation.
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
