public import EventLoop
public import Logging

/// Keeps a program on a bus: opens a connection, lets it be used, and opens the next one when it is lost.
public struct Reconnector: Sendable {
    private let address: Address
    private let loop: EventLoop
    private let backoff: ReconnectMachine.Backoff
    private let logger: Logger
    private let sleep: @Sendable (Duration) async throws -> Void

    /// Describes the bus and how patiently it is tried; `sleep` waits between the attempts; without it, the loop does.
    public init(
        _ address: Address, loop: EventLoop, backoff: ReconnectMachine.Backoff = .init(),
        logger: Logger = Logger(label: "dbus"),
        sleep: (@Sendable (Duration) async throws -> Void)? = nil
    ) {
        self.address = address
        self.loop = loop
        self.backoff = backoff
        self.logger = logger
        self.sleep = sleep ?? { try await loop.sleep(until: EventLoop.now + $0) }
    }

    /// Runs `use` with a connection; again with a new one whenever the bus was lost, until `use` returns.
    ///
    /// A connection that is lost cancels `use`. It is closed when `use` has ended. A `use` that returns or throws
    /// while the connection is open ends the whole; one that does so after it was lost is given the next one.
    ///
    /// - Throws: `CancellationError`, and what `use` throws.
    public func run(_ use: @escaping @Sendable (Connection) async throws -> Void) async throws {
        var machine = ReconnectMachine(backoff: backoff)
        var lastFailure: DBusError.Code?
        var action = machine.handle(.start)
        while true {
            switch action {
            case .connect:
                guard let connection = try await open(&lastFailure) else {
                    action = machine.handle(.failed)
                    continue
                }
                _ = machine.handle(.connected)
                lastFailure = nil
                guard try await serve(connection, use) else { return }
                logger.warning("the bus is lost", metadata: ["bus": "\(address)"])
                action = machine.handle(.lost)
            case .wait(let delay):
                try await sleep(delay)
                action = machine.handle(.delayOver)
            case .none:
                return
            }
        }
    }

    /// Opens a connection; a failure of the kind that was told already is told to debuggers only.
    private func open(_ lastFailure: inout DBusError.Code?) async throws -> Connection? {
        do {
            return try await Connection.open(address, loop: loop, logger: logger)
        } catch let error as DBusError {
            logger.log(
                level: error.code == lastFailure ? .debug : .warning, "the bus cannot be reached",
                metadata: [
                    "bus": "\(address)", "reason": "\(error)",
                    "remedy": "see that the bus runs at this address: systemctl status dbus",
                ])
            lastFailure = error.code
            return nil
        }
    }

    /// Returns whether the connection was lost; false if `use` came to its end.
    private func serve(
        _ connection: Connection, _ use: @escaping @Sendable (Connection) async throws -> Void
    ) async throws -> Bool {
        enum Outcome: Sendable {
            case lost
            case done(Result<Void, any Error>)
        }
        let isLost = await withTaskGroup(of: Outcome.self, returning: Result<Bool, any Error>.self) { group in
            group.addTask {
                do {
                    try await use(connection)
                    return .done(.success(()))
                } catch {
                    return .done(.failure(error))
                }
            }
            group.addTask {
                let reason = try? await connection.waitForClose()
                return reason == .lost ? .lost : .done(.failure(CancellationError()))
            }
            let first = await group.next()
            group.cancelAll()
            await group.waitForAll()
            guard case .done(let result) = first else { return .success(true) }
            // It may have ended because of the loss, and be heard first.
            if await connection.closeReason == .lost { return .success(true) }
            return result.map { false }
        }
        await connection.close()
        return try isLost.get()
    }
}
