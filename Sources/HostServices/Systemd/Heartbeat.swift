package import Logging
import ServiceLifecycle

/// Tells the service manager that the bridge is ready, alive and ending.
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
    /// Waits on the loop that the parts live on: if the loop hangs, nothing is told.
    package let sleep: @Sendable (Duration) async throws -> Void
    package let logger: Logger

    package init(
        supervisor: Supervisor, parts: [Part], sleep: @escaping @Sendable (Duration) async throws -> Void,
        logger: Logger
    ) {
        self.supervisor = supervisor
        self.parts = parts
        self.sleep = sleep
        self.logger = logger
    }

    /// Ready from the start on: the bridge waits for its broker and for BlueZ as long as it takes.
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
        while true {
            // A part that hangs keeps the next line from being reached.
            let silent = await silentParts()
            if silent.isEmpty {
                supervisor.tell(.alive)
            } else {
                let names = silent.joined(separator: ", ")
                logger.error("no progress", metadata: ["parts": "\(names)"])
                supervisor.tell(.status("no progress: \(names)"))
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
