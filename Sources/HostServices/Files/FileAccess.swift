import EventLoop
package import Glibc

/// Reads and replaces whole files, with the system's error on failure.
///
/// A disk may take seconds. A debug build stops if a call is made on a thread that must not block.
package enum FileAccess {
    /// The failed operation, with the reason.
    package struct Failure: Error, Hashable, CustomStringConvertible {
        /// The failed operation: `read /etc/x`.
        package var action: String
        /// The system's error number.
        package var number: Int32

        /// The error number for a pipe, a device or a folder in place of a regular file.
        static let irregular: Int32 = -1

        package init(action: String, number: Int32) {
            self.action = action
            self.number = number
        }

        /// The operation and the reason: `read /etc/x: No such file or directory`.
        package var description: String { "\(action): \(reason)" }
        /// The reason: `No such file or directory`.
        package var reason: String {
            number == Self.irregular ? "not a regular file" : String(cString: strerror(number))
        }
        /// Whether the file does not exist.
        package var isMissing: Bool { number == ENOENT }
    }

    /// Reads a whole regular file; immediately rejects anything else, such as a FIFO.
    ///
    /// - Parameter limit: The maximum size in bytes; a larger file fails with EFBIG.
    package static func read(_ path: String, limit: Int = 16 << 20) throws(Failure) -> [UInt8] {
        assertMayBlock(path)
        return try readNow(path, limit: limit)
    }

    /// Reads a whole file of the kernel, in /proc or /sys, which does not wait for a disk.
    package static func readFromKernel(_ path: String) throws(Failure) -> [UInt8] {
        try readNow(path, limit: 1 << 20)
    }

    /// Stops a debug build if the calling thread must not wait for a disk.
    package static func assertMayBlock(_ path: @autoclosure () -> String) {
        assert(!EventLoop.isOnPromptThread, "\(path()) is used on a thread that nothing may block")
    }

    private static func readNow(_ path: String, limit: Int) throws(Failure) -> [UInt8] {
        let file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard file >= 0 else { throw Failure(action: "read \(path)", number: errno) }
        defer { close(file) }
        guard isRegular(file) else { throw Failure(action: "read \(path)", number: Failure.irregular) }
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = Glibc.read(file, &buffer, buffer.count)
            if count == 0 { return bytes }
            guard count > 0 else {
                if errno == EINTR { continue }
                // /proc/kmsg looks like a regular file, but blocks like a pipe.
                throw Failure(action: "read \(path)", number: errno == EAGAIN ? Failure.irregular : errno)
            }
            bytes += buffer[..<count]
            guard bytes.count <= limit else { throw Failure(action: "read \(path)", number: EFBIG) }
        }
    }

    private static func isRegular(_ file: CInt) -> Bool {
        var status = stat()
        return fstat(file, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
    }

    /// Replaces a file atomically: after a power failure, either the old or the new file exists.
    package static func replace(
        _ path: String, with bytes: [UInt8], mode: mode_t = 0o640, disk: Disk = Disk()
    ) throws(Failure) {
        assertMayBlock(path)
        let temporary = "\(path).new"
        let file = open(temporary, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, mode)
        guard file >= 0 else { throw Failure(action: "write \(temporary)", number: errno) }
        do {
            defer { close(file) }
            try write(bytes, to: file, named: temporary)
            guard disk.synchronise(file) == 0 else {
                throw Failure(action: "write \(temporary)", number: errno)
            }
        }
        try move(temporary, to: path, disk: disk)
    }

    /// Renames a file, replacing an existing file, and waits until the folder is on the disk.
    package static func move(_ source: String, to target: String, disk: Disk = Disk()) throws(Failure) {
        assertMayBlock(source)
        guard rename(source, target) == 0 else {
            throw Failure(action: "rename \(source) to \(target)", number: errno)
        }
        try synchronise(folder: folder(of: target), disk)
    }

    /// Renames a file like ``move(_:to:)``, but does nothing if the file does not exist.
    package static func moveIfThere(_ source: String, to target: String, disk: Disk = Disk()) throws(Failure)
    {
        do { try move(source, to: target, disk: disk) } catch {
            if !error.isMissing { throw error }
        }
    }

    /// Creates a folder and its parent folders.
    package static func makeFolder(_ path: String) throws(Failure) {
        assertMayBlock(path)
        if mkdir(path, 0o750) == 0 || errno == EEXIST { return }
        guard errno == ENOENT, path != folder(of: path) else {
            throw Failure(action: "create the folder \(path)", number: errno)
        }
        try makeFolder(folder(of: path))
        guard mkdir(path, 0o750) == 0 || errno == EEXIST else {
            throw Failure(action: "create the folder \(path)", number: errno)
        }
    }

    /// Returns the names of the entries in a folder, in no particular order.
    package static func names(in folder: String) throws(Failure) -> [String] {
        assertMayBlock(folder)
        guard let stream = opendir(folder) else { throw Failure(action: "read \(folder)", number: errno) }
        defer { closedir(stream) }
        var names: [String] = []
        while let entry = readdir(stream) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
                pointer.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            if name != ".", name != ".." { names.append(name) }
        }
        return names
    }

    package static func remove(_ path: String) throws(Failure) {
        assertMayBlock(path)
        guard unlink(path) == 0 else { throw Failure(action: "remove \(path)", number: errno) }
    }

    package static func isThere(_ path: String) -> Bool { access(path, F_OK) == 0 }

    /// Returns whether users other than the owner and the group may read a file.
    package static func isReadableByAll(_ path: String) -> Bool {
        var status = stat()
        return stat(path, &status) == 0 && status.st_mode & S_IROTH != 0
    }

    private static func folder(of path: String) -> String {
        guard let slash = path.lastIndex(of: "/") else { return "." }
        return slash == path.startIndex ? "/" : String(path[..<slash])
    }

    private static func write(_ bytes: [UInt8], to file: CInt, named path: String) throws(Failure) {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.write(file, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw Failure(action: "write \(path)", number: errno) }
            rest = rest.dropFirst(count)
        }
    }

    private static func synchronise(folder path: String, _ disk: Disk) throws(Failure) {
        let file = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard file >= 0 else { throw Failure(action: "open \(path)", number: errno) }
        defer { close(file) }
        guard disk.synchronise(file) == 0 else { throw Failure(action: "write \(path)", number: errno) }
    }
}
