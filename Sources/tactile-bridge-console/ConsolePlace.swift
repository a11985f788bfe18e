import BridgeConfiguration
import Glibc
import HostServices

/// The folders of the console's token and page.
enum ConsolePlace {
    /// The state folder of the package's service, as the path that is visible to all users.
    static let ofService = "/var/lib/tactile-bridge-console"
    /// The page's folder in an installation.
    static let installedPage = "/usr/share/tactile-bridge/console"

    /// Returns the folder with the login token of a running console: systemd's state folder, otherwise a folder next to
    /// the bridge's state.
    static func folder(_ settings: Settings, _ host: Host) -> String {
        let isService = host.environment["STATE_DIRECTORY"]?.hasPrefix("/") == true
        return isService ? host.stateDirectory : "\(settings.stateDirectory)/console"
    }

    /// The folders that may contain the package's unit. They show whether the package is installed, because systemd
    /// creates the state folder only at the first start of the unit.
    private static let units = ["/lib/systemd/system", "/usr/lib/systemd/system"]

    /// Returns the folder with the login token for a user at a terminal. This is the folder of the installed service,
    /// unless this user has started a console, which stores its token in a folder of the user.
    static func folderOfLink(_ settings: Settings, _ host: Host) -> String {
        let own = folder(settings, host)
        var status = stat()
        let isInstalled =
            lstat(ofService, &status) == 0
            || units.contains { FileAccess.isThere("\($0)/tactile-bridge-console.service") }
        let hasOwn = FileAccess.isThere("\(own)/\(Token.fileName)")
        return hasOwn || !isInstalled ? own : ofService
    }

    /// The page's folder: the folder in the clone if the program was built in a clone, otherwise the installed folder.
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
