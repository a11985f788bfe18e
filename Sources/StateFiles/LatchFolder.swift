package import Bluetooth
package import DeviceKit
import Glibc
package import HostServices

/// The folder that contains a ``LatchFile`` for each device with an emergency stop.
package struct LatchFolder: Sendable {
    package var path: String
    package var disk = Disk()

    package init(path: String, disk: Disk = Disk()) {
        self.path = path
        self.disk = disk
    }

    /// Reads all files. Returns an empty dictionary if the folder does not exist. A file that cannot be read counts as
    /// an emergency stop.
    ///
    /// - Throws: The system's error if the folder cannot be read.
    package func read() throws(FileAccess.Failure) -> [Address: Latch] {
        FileAccess.assertMayBlock(path)
        guard let entries = opendir(path) else {
            guard errno != ENOENT else { return [:] }
            throw FileAccess.Failure(action: "read \(path)", number: errno)
        }
        defer { closedir(entries) }
        var latches: [Address: Latch] = [:]
        while true {
            errno = 0
            guard let entry = readdir(entries) else { break }
            let name = withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
                String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
            }
            guard let address = LatchFile.address(name) else { continue }
            let bytes = (try? FileAccess.read("\(path)/\(name)", limit: 4096)) ?? []
            latches[address] = LatchFile.latch(bytes, of: address)
        }
        guard errno == 0 else { throw FileAccess.Failure(action: "read \(path)", number: errno) }
        return latches
    }

    /// Creates the file of a device, unless the file exists.
    package func make(_ latch: Latch, of address: Address) throws(FileAccess.Failure) {
        guard !FileAccess.isThere(file(address)) else { return }
        try replace(latch, of: address)
    }

    /// Writes an emergency stop into a device's file without waiting for the disk. Ignores errors, because the caller
    /// then calls ``write(_:of:)``, which reports them.
    func mark(_ address: Address) {
        FileAccess.assertMayBlock(path)
        let descriptor = open(file(address), O_WRONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return }
        try? put(LatchFile.letter(.latched), descriptor, file(address))
        close(descriptor)
    }

    /// Changes a device's latch, in place if possible; creates the file if it is missing.
    package func write(_ latch: Latch, of address: Address) throws(FileAccess.Failure) {
        FileAccess.assertMayBlock(path)
        let name = file(address)
        let descriptor = open(name, O_RDWR | O_CLOEXEC)
        guard descriptor >= 0 else {
            guard errno == ENOENT else { throw FileAccess.Failure(action: "write \(name)", number: errno) }
            return try replace(latch, of: address)
        }
        defer { close(descriptor) }
        let bytes = try FileAccess.read(name, limit: 4096)
        guard LatchFile.isWhole(bytes, of: address) else {
            // An incomplete file counts as an emergency stop. So the file is kept for an emergency stop, and replaced
            // for any other state.
            return latch == .latched ? try keep(descriptor, name) : try replace(latch, of: address)
        }
        try put(LatchFile.letter(latch), descriptor, name)
        do { try keep(descriptor, name) } catch {
            // The disk rejected the new letter, so the old letter is restored: the next start must not read the new
            // letter from the page cache.
            if latch != .latched {
                try? put(bytes[0], descriptor, name)
                _ = disk.synchroniseData(descriptor)
            }
            throw error
        }
    }

    private func put(_ letter: UInt8, _ descriptor: CInt, _ name: String) throws(FileAccess.Failure) {
        var letter = letter
        while pwrite(descriptor, &letter, 1, 0) != 1 {
            guard errno == EINTR else { throw FileAccess.Failure(action: "write \(name)", number: errno) }
        }
    }

    private func keep(_ descriptor: CInt, _ name: String) throws(FileAccess.Failure) {
        guard disk.synchroniseData(descriptor) == 0 else {
            throw FileAccess.Failure(action: "write \(name)", number: errno)
        }
    }

    private func replace(_ latch: Latch, of address: Address) throws(FileAccess.Failure) {
        try FileAccess.makeFolder(path)
        try FileAccess.replace(file(address), with: LatchFile.bytes(latch, of: address), disk: disk)
    }

    private func file(_ address: Address) -> String { "\(path)/\(LatchFile.name(address))" }
}
