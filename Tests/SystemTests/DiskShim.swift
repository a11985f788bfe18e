import Foundation
import HostTesting

/// Intercepts calls of the C library: slows the disk down, and records what would block the bridge's thread.
///
/// A program that starts with ``environment`` waits in every fsync for the time set by ``delay(_:)``. It
/// writes a line for every file, name and disk access on which the thread of its event loop waits.
struct DiskShim {
    let environment: [String: String]
    private let delays: String
    private let notes: String

    /// Compiles the library in a folder.
    init(in folder: TemporaryDirectory) throws {
        let source = try folder.write(Self.source, to: "shim.c")
        let library = folder.file("shim.so")
        try TestProcess.run(["cc", "-shared", "-fPIC", "-O1", "-o", library, source, "-ldl"])
        (delays, notes) = (folder.file("shim.delay"), folder.file("shim.notes"))
        environment = ["LD_PRELOAD": library, "SHIM_DELAY": delays, "SHIM_NOTES": notes]
    }

    /// Sets the duration of every fsync from now on.
    func delay(_ time: Duration) throws {
        try "\(Int(time / .milliseconds(1)))".write(toFile: delays, atomically: true, encoding: .utf8)
    }

    /// The number of waits for the disk on any thread, and the calls on the loop's thread that could block it.
    func seen() throws -> (waits: Int, onLoop: [String]) {
        let lines = ((try? String(contentsOfFile: notes, encoding: .utf8)) ?? "").split(separator: "\n").map(
            String.init)
        return (lines.count { $0.hasPrefix("wait ") }, lines.filter { $0.hasPrefix("loop ") })
    }

    /// The loop's thread has the name of the process, and is not its first thread.
    private static let source = #"""
        #define _GNU_SOURCE
        #include <arpa/inet.h>
        #include <dlfcn.h>
        #include <fcntl.h>
        #include <netdb.h>
        #include <stdarg.h>
        #include <stdio.h>
        #include <stdlib.h>
        #include <string.h>
        #include <sys/syscall.h>
        #include <time.h>
        #include <unistd.h>

        static int raw_open(const char *path, int flags) {
            return (int)syscall(SYS_openat, AT_FDCWD, path, flags, 0600);
        }
        static void note(const char *kind, const char *what, const char *on) {
            const char *path = getenv("SHIM_NOTES");
            char line[512];
            int file = path ? raw_open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC) : -1;
            if (file < 0) return;
            int count = snprintf(line, sizeof line, "%s %s %s\n", kind, what, on ? on : "");
            if (write(file, line, count) < 0) {}
            close(file);
        }
        static int on_loop(void) {
            char name[32] = "";
            if (syscall(SYS_gettid) == getpid()) return 0;
            int file = raw_open("/proc/thread-self/comm", O_RDONLY | O_CLOEXEC);
            if (file < 0) return 0;
            ssize_t count = read(file, name, sizeof name - 1);
            close(file);
            return count > 0 && strncmp(name, "tactile-bridge\n", 15) == 0;
        }
        static void file(const char *what, const char *path) {
            if (!path || !strncmp(path, "/proc/", 6) || !strncmp(path, "/sys/", 5)
                || !strncmp(path, "/dev/", 5)) return;
            if (on_loop()) note("loop", what, path);
        }
        static void wait_for_disk(const char *what) {
            char text[16] = "";
            const char *path = getenv("SHIM_DELAY");
            int file = path ? raw_open(path, O_RDONLY | O_CLOEXEC) : -1;
            if (file >= 0) {
                if (read(file, text, sizeof text - 1) < 0) text[0] = 0;
                close(file);
            }
            note("wait", what, text);
            if (on_loop()) note("loop", what, "");
            long milliseconds = atol(text);
            struct timespec time = {milliseconds / 1000, milliseconds % 1000 * 1000000};
            nanosleep(&time, NULL);
        }
        #define REAL(name) __typeof__(&name) real = (__typeof__(&name))dlsym(RTLD_NEXT, #name)

        int fsync(int fd) { wait_for_disk("fsync"); return (int)syscall(SYS_fsync, fd); }
        int fdatasync(int fd) { wait_for_disk("fdatasync"); return (int)syscall(SYS_fdatasync, fd); }
        int rename(const char *from, const char *to) {
            REAL(rename);
            file("rename", from);
            return real(from, to);
        }
        static int mode(int flags, va_list list) {
            return flags & (O_CREAT | O_TMPFILE) ? va_arg(list, int) : 0;
        }
        #define OPEN(name) \
            int name(const char *path, int flags, ...) { \
                REAL(name); \
                va_list list; \
                va_start(list, flags); \
                int bits = mode(flags, list); \
                va_end(list); \
                file("open", path); \
                return real(path, flags, bits); \
            }
        OPEN(open)
        OPEN(open64)
        #define FOPEN(name) \
            FILE *name(const char *path, const char *how) { \
                REAL(name); \
                file("fopen", path); \
                return real(path, how); \
            }
        FOPEN(fopen)
        FOPEN(fopen64)
        int getaddrinfo(const char *host, const char *port, const struct addrinfo *hints,
                        struct addrinfo **list) {
            REAL(getaddrinfo);
            char bytes[16];
            int numeric = !host || inet_pton(AF_INET, host, bytes) == 1 || inet_pton(AF_INET6, host, bytes) == 1;
            if (hints && hints->ai_flags & AI_NUMERICHOST) numeric = 1;
            if (!numeric && on_loop()) note("loop", "getaddrinfo", host);
            return real(host, port, hints, list);
        }
        """#
}
