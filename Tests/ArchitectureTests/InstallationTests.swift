import Foundation
import Testing

@Suite("Installed files and dependencies")
struct InstallationTests {
    private static func text(_ path: String) throws -> String {
        try String(contentsOf: SourceFile.root.appending(path: path), encoding: .utf8)
    }

    /// All matches of an expression, by its first group.
    private static func all(_ expression: Regex<(Substring, Substring)>, in text: String) -> [String] {
        text.matches(of: expression).map { String($0.1) }
    }

    /// The versions that the bridge is built and tested with: those of the manifest, and those of indirect
    /// dependencies.
    private static func wanted() throws -> [String: String] {
        let manifest = try text("Package.swift")
        var versions = [
            "swift-async-algorithms": "1.1.4", "swift-atomics": "1.3.0", "swift-system": "1.8.1",
        ]
        for match in manifest.matches(of: /github\.com\/[\w-]+\/([\w-]+?)(?:\.git)?", exact: "([\d.]+)"/) {
            versions[String(match.1)] = String(match.2)
        }
        return versions
    }

    @Test("The manifest requires exactly one version of each package")
    func exact() throws {
        let manifest = try Self.text("Package.swift")
        #expect(Self.all(/(\.package\(url)/, in: manifest).count == 6)
        #expect(try Self.wanted().count == 9)
    }

    @Test("Resolved versions equal pinned ones; `swift package resolve NAME --version VERSION` corrects one")
    func resolved() throws {
        let file = SourceFile.root.appending(path: "Package.resolved")
        let document = try JSONSerialization.jsonObject(with: Data(contentsOf: file)) as? [String: Any]
        let pins = try #require(document?["pins"] as? [[String: Any]])
        let versions = pins.reduce(into: [String: String]()) { versions, pin in
            guard let name = pin["identity"] as? String else { return }
            versions[name] = (pin["state"] as? [String: String])?["version"] ?? "no version"
        }
        #expect(try versions == Self.wanted())
    }

    @Test("The container's user and the service's user have the same rights on the bus")
    func busPolicy() throws {
        func rules(_ path: String, _ user: String) throws -> Substring {
            let text = try Self.text(path)
            let start = try #require(text.range(of: "<policy user=\"\(user)\">"), "\(path)")
            return text[start.upperBound...]
        }
        let service = try rules("deploy/systemd/tactile-bridge.dbus.conf", "tactile-bridge")
        let container = try rules(
            "deploy/docker/tactile-bridge-container.dbus.conf", "tactile-bridge-container")
        #expect(container == service)
        let profile = try Self.text("deploy/docker/apparmor")
        for interface in Self.all(/send_interface="org\.bluez\.(\w+)"/, in: String(service)) {
            #expect(profile.contains(interface), "AppArmor's profile leaves out \(interface)")
        }
    }

    @Test(
        "The container runs in its own profile as its own user, whose number is the same on the host"
    )
    func container() throws {
        let compose = try Self.text("deploy/docker/compose.yaml")
        let image = try Self.text("deploy/docker/Dockerfile")
        let policy = try Self.text("deploy/docker/tactile-bridge-container.dbus.conf")
        let numbers =
            Self.all(/user: "(\d+):/, in: compose) + Self.all(/useradd .*--uid (\d+)/, in: image)
            + Self.all(/USER (\d+):/, in: image) + Self.all(/useradd .*-u (\d+)/, in: policy)
        #expect(numbers.count == 4 && Set(numbers).count == 1, "\(numbers)")
        let profile = Self.all(/\nprofile (\S+)/, in: try Self.text("deploy/docker/apparmor"))
        #expect(Self.all(/- apparmor=(\S+)/, in: compose) == profile)
        #expect(profile.count == 1 && !compose.contains("unconfined"))
    }

    @Test("The version is in one file, and the image's user is the container's user")
    func oneVersion() throws {
        let program = Self.all(
            /version = "([^"]+)"/, in: try Self.text("Sources/HostServices/Product.swift"))
        #expect(program.count == 1)
        let place = SourceFile.root.appending(path: "deploy").path
        for path in try FileManager.default.subpathsOfDirectory(atPath: place) {
            guard let text = try? Self.text("deploy/\(path)") else { continue }
            for version in program { #expect(!text.contains(version), "deploy/\(path) contains the version") }
        }
        let image = Self.all(/\nuser=(\d+)/, in: try Self.text("deploy/image"))
        #expect(image == Self.all(/USER (\d+):/, in: try Self.text("deploy/docker/Dockerfile")))
    }

    @Test("The image built from the sources contains the files that deploy/programs reads")
    func sourcesOfTheImage() throws {
        let copies = Self.all(/\nCOPY ((?!--).*)/, in: try Self.text("deploy/docker/Dockerfile"))
        // The last word of each copy is its destination.
        let copied = copies.flatMap { $0.split(separator: " ").dropLast().map { String($0) } }
        // The usage text names the script itself.
        let read = Self.all(/(deploy\/[\w.\/-]+)/, in: try Self.text("deploy/programs"))
        #expect(read.contains("deploy/programs"))
        for path in read { #expect(copied.contains(path), "\(path) is not copied") }
        for path in copied {
            let place = SourceFile.root.appending(path: path).path
            #expect(FileManager.default.fileExists(atPath: place), "\(path) is copied and not there")
        }
    }

    @Test("The sources contain no signing key")
    func noKey() throws {
        for folder in ["deploy", "config", "Tests/Package", "docs"] {
            let place = SourceFile.root.appending(path: folder)
            for path in try FileManager.default.subpathsOfDirectory(atPath: place.path) {
                guard let text = try? Self.text("\(folder)/\(path)") else { continue }
                #expect(!text.contains("BEGIN PGP " + "PRIVATE"), "\(folder)/\(path)")
            }
        }
    }

    @Test("The packages' scripts use only Debian's helpers to start, stop and enable the service")
    func scripts() throws {
        for name in ["preinst", "postinst", "prerm", "postrm"] {
            for line in try Self.text("deploy/debian/\(name)").split(separator: "\n") {
                let isCommand = line.contains(
                    /systemctl (?:.* )?(?:start|stop|restart|try-restart|reload|enable|disable) .*(?:\$unit|\.service)/
                )
                #expect(!isCommand, "\(name): \(line): by deb-systemd-invoke or deb-systemd-helper")
            }
        }
    }
}
