import BridgeContract
import DeviceKit
import EventLoop
import Glibc
import HostServices
import StateFiles

/// Examines the machine: the kernel's Bluetooth, the clock, the disk and the current user.
package struct HostProbe: Sendable {
    /// The root of the file system; tests use a different folder.
    var root = ""

    package init(root: String = "") {
        self.root = root
    }

    /// The names of the adapters in the kernel; nil if the kernel has no Bluetooth.
    var kernelAdapters: [String]? {
        guard let names = names(in: "/sys/class/bluetooth") else { return nil }
        // A name such as `hci0:12` denotes a link of the adapter `hci0`.
        return names.filter { $0.hasPrefix("hci") && !$0.contains(":") }
    }

    /// The switches for Bluetooth (Documentation/ABI/stable/sysfs-class-rfkill of the kernel); nil if the folder does
    /// not exist.
    package var switches: [RadioFacts.Switch]? {
        let folder = "/sys/class/rfkill"
        guard let names = names(in: folder) else { return nil }
        return names.compactMap { entry in
            guard word("\(folder)/\(entry)/type") == "bluetooth" else { return nil }
            return RadioFacts.Switch(
                name: word("\(folder)/\(entry)/name") ?? entry,
                isSoftBlocked: word("\(folder)/\(entry)/soft") == "1",
                isHardBlocked: word("\(folder)/\(entry)/hard") == "1")
        }
    }

    /// Whether bluetoothd is at one of the paths that distributions use.
    var hasBluetoothd: Bool {
        [
            "/usr/libexec/bluetooth/bluetoothd", "/usr/lib/bluetooth/bluetoothd", "/usr/sbin/bluetoothd",
            "/usr/lib/bluez5/bluetooth/bluetoothd",
        ].contains { access(root + $0, F_OK) == 0 }
    }

    /// Whether systemd has stored a password that it passes only to the service.
    var hasServiceCredential: Bool { access("\(root)/etc/credstore/mqtt-password", F_OK) == 0 }

    /// The clock, with the kernel's status and the date of the program's file.
    var clock: ClockFacts {
        var status = stat()
        let isKnown = stat("/proc/self/exe", &status) == 0
        return ClockFacts(
            now: .now, built: isKnown ? TimeStamp(milliseconds: Int64(status.st_mtim.tv_sec) * 1000) : nil,
            isSynchronised: EventLoop.isCalendarSynchronised)
    }

    /// The name of the current user; the user id if there is no name.
    static var user: String {
        guard let entry = getpwuid(geteuid()), let name = entry.pointee.pw_name else {
            return "user \(geteuid())"
        }
        return String(cString: name)
    }

    static var isRoot: Bool { geteuid() == 0 }

    /// Examines the folder of the state without changing anything.
    static func state(_ path: String) -> StateFacts {
        var facts = StateFacts(path: path, user: user, folder: folder(path))
        guard case .present = facts.folder else { return facts }
        facts.content = content("\(path)/state.json")
        facts.before = content("\(path)/state.json.before")
        // If there is no state file, the previous state file counts, as in `FileStateStore`: a power failure may have
        // interrupted the replacement of the file.
        if facts.content == .none { facts.content = facts.before }
        if let bytes = try? FileAccess.read("\(path)/state.json.damaged.reason", limit: 4096) {
            facts.setAside = String(decoding: bytes, as: UTF8.self).split(separator: "\n").first.map(
                String.init)
        }
        var disk = statvfs()
        if statvfs(path, &disk) == 0 { facts.freeBytes = Int(disk.f_bavail) * Int(disk.f_frsize) }
        return facts
    }

    private static func folder(_ path: String) -> StateFacts.Folder {
        var status = stat()
        if stat(path, &status) == 0 {
            guard status.st_mode & S_IFMT == S_IFDIR else { return .notAFolder }
            return .present(isWritable: access(path, W_OK | X_OK) == 0)
        }
        guard errno == ENOENT else { return .present(isWritable: false) }
        var parent = path[...]
        repeat {
            parent = parent.lastIndex(of: "/").map { parent[..<$0] } ?? ""
        } while !parent.isEmpty && access(String(parent), F_OK) != 0
        return .missing(canBeMade: access(parent.isEmpty ? "/" : String(parent), W_OK | X_OK) == 0)
    }

    private static func content(_ path: String) -> StateFacts.Content {
        let bytes: [UInt8]
        do { bytes = try FileAccess.read(path) } catch {
            return error.isMissing ? .none : .unreadable(error.reason)
        }
        do {
            let state = try StateDocument.state(bytes)
            return .devices(state.devices.count, joined: state.devices.count { $0.isJoined })
        } catch {
            return .damaged(error.description)
        }
    }

    /// Returns the names of the files in a folder; nil if the folder does not exist.
    private func names(in path: String) -> [String]? {
        guard let folder = opendir(root + path) else { return nil }
        defer { closedir(folder) }
        var names: [String] = []
        while let entry = readdir(folder) {
            let name = withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
                String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
            }
            if !name.hasPrefix(".") { names.append(name) }
        }
        return names.sorted()
    }

    /// Returns the first word of a small file.
    private func word(_ path: String) -> String? {
        guard let bytes = try? FileAccess.read(root + path, limit: 4096) else { return nil }
        return String(decoding: bytes, as: UTF8.self).split { $0.isWhitespace }.first.map(String.init)
    }
}
