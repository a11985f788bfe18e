import BridgeCore
import EventLoop
import Glibc
import HostServices
import Logging

/// The process that the bridge runs in.
struct ThisProcess: HostProcess {
    let log: LogControl

    /// The resident pages, out of `/proc/self/statm`.
    var memory: Int? {
        guard let bytes = try? FileAccess.readFromKernel("/proc/self/statm") else { return nil }
        let words = String(decoding: bytes, as: UTF8.self).split(separator: " ")
        return words.count > 1 ? Int(words[1]).map { $0 * sysconf(CInt(_SC_PAGESIZE)) } : nil
    }

    func returnFreeMemory() { EventLoop.returnFreeMemory() }

    var logLevel: Logger.Level {
        get { log.level }
        nonmutating set { log.level = newValue }
    }
}
