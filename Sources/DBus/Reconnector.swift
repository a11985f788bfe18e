public import EventLoop
public import Logging

/// Keeps a program connected to a bus: opens a connection, and a new connection whenever the current connection is
/// lost.
public struct Reconnector: Sendable {
    private let address: Address
    private let loop: EventLoop
    private let backoff: ReconnectMachine.Backoff
    private let logger: Logger
    private let sleep: @Sendable (Duration) async throws -> Void

    /// Creates a reconnector; `sleep` waits between the attempts, by default on the loop.
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

    /// Runs `use` with a connection, and again with a new connection whenever the bus was lost, until `use` returns.
    ///
    /// The loss of a connection cancels `use`. The connection is closed after `use` has ended. If `use` returns or
    /// throws while the connection is open, `run` ends; after a loss, `use` runs again with the next connection.
    ///
    /// - Throws: `CancellationError`, and the errors of `use`.
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
                logger.warning(
                    "the connection to the bus is lost; reconnecting", metadata: ["bus": "\(address)"])
                action = machine.handle(.lost)
            case .wait(let delay):
                try await sleep(delay)
                action = machine.handle(.delayOver)
            case .none:
                return
            }
        }
    }

    /// Opens a connection. A repeated failure of the same kind is logged only at the debug level.
    private func open(_ lastFailure: inout DBusError.Code?) async throws -> Connection? {
        do {
            return try await Connection.open(address, loop: loop, logger: logger)
        } catch let error as DBusError {
            logger.log(
                level: error.code == lastFailure ? .debug : .warning, "cannot connect to the bus; retrying",
                metadata: [
                    "bus": "\(address)", "reason": "\(error)",
                    "remedy": "check that the bus runs at this address: systemctl status dbus",
                ])
            lastFailure = error.code
            return nil
        }
    }

    /// Returns whether the connection was lost; false if `use` has ended.
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
            // `use` may have ended because of the loss, and its result may arrive first.
            if await connection.closeReason == .lost { return .success(true) }
            return result.map { false }
        }
        await connection.close()
        return try isLost.get()
    }
}
