package import Logging
import ServiceLifecycle

/// Reports to the service manager that the bridge is ready, alive and stopping, with its status in one line.
///
/// Ready means that the program runs and handles commands. It does not mean that the broker or an adapter is available:
/// both may be missing for hours, and the bridge waits for them. If a missing broker failed the unit,
/// `TimeoutStartSec=` would stop a bridge whose robots are at rest, `systemctl start` would block, and units that are
/// ordered after the bridge would not start. The status line, which `systemctl status` shows, contains what the bridge
/// waits for.
///
/// Alive means that every part responds. If a part hangs, the report is omitted and the service manager restarts the
/// bridge. While the bridge is down, its guardian process stops the robots.
package struct Heartbeat: Service {
    /// A part of the bridge that must make progress.
    package struct Part: Sendable {
        /// The name of the part, for the log.
        package var name: String
        /// Returns whether the part makes progress; does not return if the part hangs.
        var isAlive: @Sendable () async -> Bool

        package init(name: String, isAlive: @escaping @Sendable () async -> Bool) {
            self.name = name
            self.isAlive = isAlive
        }
    }

    package let supervisor: Supervisor
    package let parts: [Part]
    /// The status of the bridge in one line for users; reported when it changes, at the interval of the watchdog.
    package let condition: @Sendable () async -> String
    /// Waits on the event loop of the parts, so that nothing is reported if the loop hangs.
    package let sleep: @Sendable (Duration) async throws -> Void
    package let logger: Logger

    package init(
        supervisor: Supervisor, parts: [Part], condition: @escaping @Sendable () async -> String,
        sleep: @escaping @Sendable (Duration) async throws -> Void, logger: Logger
    ) {
        self.supervisor = supervisor
        self.parts = parts
        self.condition = condition
        self.sleep = sleep
        self.logger = logger
    }

    package func run() async throws {
        supervisor.tell(.ready)
        await withTaskGroup { group in
            if let limit = supervisor.watchdog {
                group.addTask { try? await cancelWhenGracefulShutdown { try await beat(every: limit / 3) } }
            }
            try? await gracefulShutdown()
            supervisor.tell(.stopping)
            group.cancelAll()
        }
    }

    private func beat(every interval: Duration) async throws {
        var told = ""
        while true {
            // If a part hangs, this call does not return.
            let silent = await parts.stalled()
            if silent.isEmpty {
                let line = await condition()
                if line == told { supervisor.tell(.alive) } else { supervisor.tell(.alive, .status(line)) }
                told = line
            } else {
                let names = silent.joined(separator: ", ")
                logger.error("parts of the bridge make no progress", metadata: ["parts": "\(names)"])
                told = "no progress: \(names)"
                supervisor.tell(.status(told))
            }
            try await sleep(interval)
        }
    }
}

extension [Heartbeat.Part] {
    /// Returns the names of the parts that make no progress; does not return if a part hangs.
    package func stalled() async -> [String] {
        var names: [String] = []
        for part in self where await !part.isAlive() { names.append(part.name) }
        return names
    }
}
