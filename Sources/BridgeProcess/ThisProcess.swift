import BridgeContract
import DeviceKit
import EventLoop
import Glibc
import HostServices
import Logging

/// Provides properties of this process, such as its memory, to the bridge.
struct ThisProcess: HostProcess {
    let log: LogControl

    /// The resident memory in bytes, from `/proc/self/statm`.
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

    func logLevel(of subsystem: LogSubsystem) -> Logger.Level { log[subsystem] }

    func setLogLevel(_ level: Logger.Level, of subsystem: LogSubsystem) { log[subsystem] = level }

    func followLog(from level: Logger.Level?, wake: @escaping @Sendable () -> Void) {
        log.follow(from: level, wake: wake)
    }

    func takeLog(atMost count: Int) -> LogExcerpt {
        let excerpt = log.feed.take(count)
        return LogExcerpt(
            lines: excerpt.lines.map { record in
                LogLine(
                    time: record.time, level: record.level, message: record.message,
                    details: Dictionary(record.metadata.map { ($0.key, $0.value) }) { $1 })
            }, dropped: excerpt.dropped, hasMore: excerpt.hasMore)
    }

    func withoutLog(_ body: () -> Void) { log.feed.ignoring(body) }
}
