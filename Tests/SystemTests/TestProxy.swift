import EventLoop
import Foundation
import HostTesting
import Testing

/// A real proxy in front of a console, under a path, with a file that the project ships.
final class TestProxy {
    enum Kind: String, CaseIterable {
        case nginx, caddy

        /// The path of the program in Debian; nil if it is not installed.
        var program: String? {
            ["/usr/sbin", "/usr/bin", "/usr/local/bin"].map { "\($0)/\(rawValue)" }
                .first { FileManager.default.isExecutableFile(atPath: $0) }
        }
    }

    let port: UInt16
    private let folder: TemporaryDirectory
    private let process: TestProcess

    /// - Parameters:
    ///   - backend: The address that replaces `127.0.0.1:9480`.
    ///   - more: Additional lines of nginx's server.
    ///   - above: Lines of nginx above its server.
    init(_ kind: Kind, to backend: String, more: String = "", above: String = "") throws {
        let program = try #require(kind.program)
        let folder = try TemporaryDirectory()
        self.folder = folder
        let port = try TestBroker.freePort()
        self.port = port
        let examples = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().appending(path: "docs/examples")
        let name = kind == .nginx ? "console-nginx.conf" : "console-Caddyfile"
        let text = try String(contentsOf: examples.appending(path: name), encoding: .utf8)
            .replacing("127.0.0.1:9480", with: backend)
        switch kind {
        case .nginx:
            let example = try folder.write(text, to: "console.conf")
            let paths = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map {
                "\($0)_temp_path \(folder.file($0));"
            }
            let file = try folder.write(
                """
                daemon off; master_process off; pid \(folder.file("pid")); error_log stderr;
                events {}
                http {
                access_log off; \(paths.joined(separator: " "))
                \(above)
                server { listen 127.0.0.1:\(port); \(more)
                include \(example); }
                }
                """, to: "nginx.conf")
            process = try TestProcess([program, "-p", folder.file(""), "-c", file, "-e", "stderr"])
        case .caddy:
            // Without a certificate, as the test has no host name, and without the admin port.
            let file = try folder.write(
                "{\n\tadmin off\n\tauto_https off\n}\n"
                    + text.replacing(
                        "the.site.example {", with: "http://127.0.0.1:\(port) {\n\tbind 127.0.0.1"),
                to: "Caddyfile")
            process = try TestProcess(
                [program, "run", "--config", file, "--adapter", "caddyfile"],
                environment: [
                    "HOME": folder.file(""), "XDG_DATA_HOME": folder.file(""),
                    "XDG_CONFIG_HOME": folder.file(""),
                ])
        }
        let end = EventLoop.now + .seconds(15)
        while (try? ConsolePage.ask(port, "GET", "/")) == nil
            || (try? ConsolePage.ask(port, "GET", "/"))?.status == 0
        {
            guard EventLoop.now < end else {
                var said: [String] = []
                while let line = process.nextLine(within: .milliseconds(50)) { said.append(line) }
                throw Missing(what: "\(kind) listens", seen: said)
            }
        }
    }
}
