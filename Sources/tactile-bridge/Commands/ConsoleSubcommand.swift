import ArgumentParser
import BridgeConfiguration
import Glibc
import HostServices

/// `tactile-bridge console`: replaces this process with the separate program `tactile-bridge-console`.
struct ConsoleSubcommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "console",
        abstract: "Serves a web page: see devices, try commands, drive and stop robots.",
        discussion: """
            It executes tactile-bridge-console, which is next to this command or in /usr/libexec, with the same \
            options; tactile-bridge-console --help lists them.

            Examples:
              tactile-bridge console
              tactile-bridge console --link
            """)

    static let name = "tactile-bridge-console"

    @Argument(parsing: .captureForPassthrough, help: "The options of tactile-bridge-console.")
    var options: [String] = []

    func run() throws {
        let places = [Program.folder, "/usr/libexec"].map { "\($0)/\(Self.name)" }
        for place in places where access(place, X_OK) == 0 {
            var arguments: [UnsafeMutablePointer<CChar>?] = ([place] + options).map { strdup($0) } + [nil]
            execv(place, &arguments)
            throw CommandFailure(.software, "cannot execute \(place): \(String(cString: strerror(errno)))")
        }
        throw CommandFailure(
            .unavailable,
            "there is no \(Self.name) at \(places.joined(separator: " or ")); reinstall the package")
    }

    private enum Program {
        /// The folder that contains this program's file, and in most installations the program of the console.
        static var folder: String {
            var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
            let count = readlink("/proc/self/exe", &buffer, buffer.count)
            let path = String(
                decoding: buffer.prefix(max(0, count)).map { UInt8(bitPattern: $0) }, as: UTF8.self)
            return path.lastIndex(of: "/").map { String(path[..<$0]) } ?? "."
        }
    }
}
