import EventLoop
import Glibc
import HostServices

/// The metrics that the system provides about this process, under the standard names of Prometheus' client libraries.
package struct ProcessFigures: Sendable {
    /// Processor time in seconds, in user and kernel mode.
    var processorTime: Double
    /// The start time of the process, in seconds since 1970.
    var start: Double
    /// The size of the address space and of its part that is in memory, both in bytes.
    var memory: (virtual: Int, resident: Int)
    /// The number of open descriptors, and their limit.
    var descriptors: (open: Int?, limit: Int?)

    /// The metrics of this process; nil if `/proc` is missing.
    package static var current: ProcessFigures? {
        guard let bytes = try? FileAccess.readFromKernel("/proc/self/stat") else { return nil }
        var now = timespec()
        clock_gettime(CLOCK_REALTIME, &now)
        let (seconds, attoseconds) = EventLoop.now.components
        let boot =
            Double(now.tv_sec) - Double(seconds) + (Double(now.tv_nsec) - Double(attoseconds) / 1e9) / 1e9
        return ProcessFigures(
            status: String(decoding: bytes, as: UTF8.self), boot: boot,
            ticks: sysconf(CInt(_SC_CLK_TCK)), page: sysconf(CInt(_SC_PAGESIZE)),
            descriptors: (countDescriptors(), descriptorLimit()))
    }

    /// Parses a line of `/proc/PID/stat` (proc(5)); nil if it is invalid.
    ///
    /// - Parameters:
    ///   - boot: The time when the machine was started, in seconds since 1970.
    ///   - ticks: The number of kernel ticks per second.
    ///   - page: The size of a memory page, in bytes.
    init?(
        status: String, boot: Double, ticks: Int, page: Int, descriptors: (open: Int?, limit: Int?)
    ) {
        // The program's name is in parentheses and may contain any characters, including parentheses. Field 3 of the
        // line therefore starts after the last closing parenthesis.
        guard let end = status.lastIndex(of: ")") else { return nil }
        let fields = status[status.index(after: end)...].split(whereSeparator: \.isWhitespace)
        func field(_ number: Int) -> Int? { number - 3 < fields.count ? Int(fields[number - 3]) : nil }
        guard let user = field(14), let system = field(15), let start = field(22), let virtual = field(23),
            let resident = field(24)
        else { return nil }
        processorTime = Double(user + system) / Double(ticks)
        self.start = boot + Double(start) / Double(ticks)
        memory = (virtual, resident * page)
        self.descriptors = descriptors
    }

    private static func countDescriptors() -> Int? {
        guard let folder = opendir("/proc/self/fd") else { return nil }
        defer { closedir(folder) }
        var count = 0
        while readdir(folder) != nil { count += 1 }
        // The entries `.` and `..` and the descriptor of this listing do not count.
        return count - 3
    }

    private static func descriptorLimit() -> Int? {
        var limit = rlimit()
        guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return nil }
        return Int(exactly: limit.rlim_cur)
    }

    /// The metrics in the form of Prometheus.
    package var families: [MetricFamily] {
        [
            MetricFamily(
                "process_cpu_seconds_total", .counter, "Processor time, user and system.", processorTime),
            MetricFamily(
                "process_max_fds", .gauge, "The limit of open file descriptors.",
                descriptors.limit.map(Double.init)),
            MetricFamily(
                "process_open_fds", .gauge, "How many file descriptors are open.",
                descriptors.open.map(Double.init)),
            MetricFamily(
                "process_resident_memory_bytes", .gauge, "Memory in use.", Double(memory.resident)),
            MetricFamily(
                "process_start_time_seconds", .gauge, "When the process was started, in seconds since 1970.",
                start),
            MetricFamily(
                "process_virtual_memory_bytes", .gauge, "Address space in use.", Double(memory.virtual)),
        ]
    }
}
