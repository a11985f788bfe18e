package import Logging
import ServiceLifecycle

/// Tells the service manager that the bridge is ready, alive and ending, and in one line how it is.
///
/// Ready says that the program runs and obeys, not that its broker or an adapter is there: both may come late, or be
/// away for hours, and the bridge waits for them by itself. If the broker's absence failed the unit, `TimeoutStartSec=`
/// would end a bridge whose robots are at rest, `systemctl start` would hang, and what is ordered after the bridge would
/// not start. What the bridge waits for is in the line, which `systemctl status` shows.
///
/// Alive means that every part answers: a part that hangs keeps the word from being told, and the service manager
/// then starts the bridge anew. Its guardian stops the robots meanwhile.
package struct Heartbeat: Service {
    /// A part of the bridge that must make progress.
    package struct Part: Sendable {
        /// Its name, for the log.
        var name: String
        /// Returns whether it makes progress; one that hangs does not return.
        var isAlive: @Sendable () async -> Bool

        package init(name: String, isAlive: @escaping @Sendable () async -> Bool) {
            self.name = name
            self.isAlive = isAlive
        }
    }

    /// Whom to tell.
    package let supervisor: Supervisor
    /// What must make progress.
    package let parts: [Part]
    /// How the bridge is, in a line for a person; told when it changes, at the watchdog's pace.
    package let condition: @Sendable () async -> String
    /// Waits on the loop that the parts live on: if the loop hangs, nothing is told.
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
            // A part that hangs keeps the next line from being reached.
            let silent = await silentParts()
            if silent.isEmpty {
                let line = await condition()
                if line == told { supervisor.tell(.alive) } else { supervisor.tell(.alive, .status(line)) }
                told = line
            } else {
                let names = silent.joined(separator: ", ")
                logger.error("no progress", metadata: ["parts": "\(names)"])
                told = "no progress: \(names)"
                supervisor.tell(.status(told))
            }
            try await sleep(interval)
        }
    }

    private func silentParts() async -> [String] {
        var names: [String] = []
        for part in parts where await !part.isAlive() { names.append(part.name) }
        return names
    }
}
