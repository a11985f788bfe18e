import Foundation

/// A message bus of the simulator's own, on a Unix socket in a directory of its own.
///
/// A shell holds the daemon and reads from a pipe whose other end is here: however this process ends, the pipe
/// closes and the daemon goes with it.
final class OwnBus {
    /// Says why there is no bus.
    struct Failure: Error, CustomStringConvertible {
        var description: String
    }

    let address: String
    private let shell: Process
    private let life: Pipe

    /// Starts the daemon and waits until it listens.
    ///
    /// - Parameter ended: Called when the daemon has ended, on whatever thread.
    init(ended: @escaping @Sendable () -> Void) throws(Failure) {
        let place = URL(fileURLWithPath: NSTemporaryDirectory()).appendingPathComponent(
            "tactile-simulator-XXXXXX")
        var template = Array(place.path.utf8CString)
        guard let path = mkdtemp(&template) else {
            throw Failure(description: "there is no room for a private bus in \(NSTemporaryDirectory())")
        }
        let directory = String(cString: path)
        address = "unix:path=\(directory)/bus"
        life = Pipe()
        shell = Process()
        let said = Pipe()
        shell.executableURL = URL(fileURLWithPath: "/bin/sh")
        // When the pipe closes, the shell ends the daemon and clears up. By force, because a daemon does not end
        // by a signal that this process ignored when it started it.
        let script = """
            trap '' INT HUP
            dbus-daemon --config-file="$1/bus.conf" --nofork --nopidfile --print-address </dev/null 2>"$1/log" &
            daemon=$!
            exec >&-
            read -r line
            kill -KILL "$daemon" 2>"$1/log"
            rm -f "$1/bus" "$1/bus.conf" "$1/log"
            rmdir "$1"
            """
        shell.arguments = ["-c", script, "tactile-simulator-bus", directory]
        shell.standardInput = life
        shell.standardOutput = said
        do {
            try Self.configuration(socket: "\(directory)/bus")
                .write(toFile: "\(directory)/bus.conf", atomically: false, encoding: .utf8)
            try shell.run()
        } catch {
            throw Failure(description: "the private bus cannot be started: \(error.localizedDescription)")
        }
        guard !said.fileHandleForReading.availableData.isEmpty else {
            let log = try? String(contentsOfFile: "\(directory)/log", encoding: .utf8)
            stop()
            throw Failure(
                description: "dbus-daemon did not start; is it installed (Debian: apt install dbus-daemon)? "
                    + (log ?? ""))
        }
        // The daemon keeps its end of this pipe as long as it lives.
        Thread.detachNewThread {
            while !said.fileHandleForReading.availableData.isEmpty {}
            ended()
        }
    }

    /// Ends the daemon and waits until the shell has removed its directory.
    func stop() {
        try? life.fileHandleForWriting.close()
        if shell.isRunning { shell.waitUntilExit() }
    }

    /// Everything is allowed to the same user, as on the bus of a session.
    private static func configuration(socket: String) -> String {
        """
        <!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-Bus Bus Configuration 1.0//EN"
         "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
        <busconfig>
          <type>session</type>
          <listen>unix:path=\(socket)</listen>
          <auth>EXTERNAL</auth>
          <policy context="default">
            <allow send_destination="*" eavesdrop="true"/>
            <allow eavesdrop="true"/>
            <allow own="*"/>
          </policy>
        </busconfig>
        """
    }
}
