import Logging
import ServiceLifecycle

/// Tells the service manager that the bridge is ready, alive and ending.
///
/// Alive means that every part answers: a part that hangs keeps the word from being told, and the service manager
/// then starts the bridge anew. Its guardian stops the robots meanwhile.
struct Heartbeat: Service {
    /// A part of the bridge that must make progress.
    struct Part: Sendable {
        /// Its name, for the log.
        var name: String
        /// Returns whether it makes progress; one that hangs does not return.
        var isAlive: @Sendable () async -> Bool
    }

    /// Whom to tell.
    let supervisor: Supervisor
    /// What must make progress.
    let parts: [Part]
    /// Waits on the loop that the parts live on: if the loop hangs, nothing is told.
    let sleep: @Sendable (Duration) async throws -> Void
    let logger: Logger

    /// Ready from the start on: the bridge waits for its broker and for BlueZ as long as it takes.
    func run() async throws {
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
