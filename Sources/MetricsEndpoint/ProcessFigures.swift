import EventLoop
import Glibc
import HostServices

/// What the system says of this process, under the names that every Prometheus client uses.
package struct ProcessFigures: Sendable {
    /// Processor time in seconds, in its own code and in the kernel's.
    var processorTime: Double
    /// When it was started, in seconds since 1970.
    var start: Double
    /// Bytes of address space, and those of them that are in memory.
    var memory: (virtual: Int, resident: Int)
    /// How many descriptors it has open, and may have.
    var descriptors: (open: Int?, limit: Int?)

    /// Looks at this process; nil where `/proc` is not there.
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

    /// Reads a line of `/proc/PID/stat` (proc(5)); nil if it is none.
    ///
    /// - Parameters:
    ///   - boot: When the machine was started, in seconds since 1970.
    ///   - ticks: How many ticks of the kernel make a second.
    ///   - page: How many bytes a page has.
    init?(
        status: String, boot: Double, ticks: Int, page: Int, descriptors: (open: Int?, limit: Int?)
    ) {
        // The program's name stands in parentheses and may hold anything, parentheses too. Behind it comes field 3.
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
        // Not the two entries for folders, and not the one that was opened to look.
        return count - 3
    }

    private static func descriptorLimit() -> Int? {
        var limit = rlimit()
        guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return nil }
        return Int(exactly: limit.rlim_cur)
    }

    /// The figures as Prometheus reads them.
    package var families: [MetricFamily] {
        [
            MetricFamily(
                "process_cpu_seconds_total", .counter, "Processor time, user and system.", processorTime),
            MetricFamily(
                "process_max_fds", .gauge, "How many descriptors may be open.",
                descriptors.limit.map(Double.init)),
            MetricFamily(
                "process_open_fds", .gauge, "How many descriptors are open.",
                descriptors.open.map(Double.init)),
            MetricFamily(
                "process_resident_memory_bytes", .gauge, "Memory in use.", Double(memory.resident)),
            MetricFamily(
                "process_start_time_seconds", .gauge, "When the process was started, since 1970.", start),
            MetricFamily(
                "process_virtual_memory_bytes", .gauge, "Address space in use.", Double(memory.virtual)),
        ]
    }
}
