package import DBus
import EventLoop
import Glibc

/// The program that owns an adapter.
public struct AdapterHolder: Hashable, Sendable {
    /// The unique name of its D-Bus connection, such as `:1.42`.
    public var connection: String
    /// The process ID, as reported by the bus.
    public var process: Int?
    /// The user's name, or the user ID if there is no name.
    public var user: String?
    /// The bridge's id, if the program publishes one.
    public var bridge: String?
    /// Whether the program is the guardian of ``bridge``. A guardian owns an adapter only after its bridge has exited
    /// or lost the bus.
    public var isGuardian = false

    /// Creates a description of a program.
    public init(
        connection: String, process: Int? = nil, user: String? = nil, bridge: String? = nil,
        isGuardian: Bool = false
    ) {
        self.connection = connection
        self.process = process
        self.user = user
        self.bridge = bridge
        self.isGuardian = isGuardian
    }

    /// The program as text for users: `bridge attic (process 1234, user tactile-bridge, :1.42)`, `the guardian of
    /// bridge attic (…)`.
    public var words: String {
        let parts = [process.map { "process \($0)" }, user.map { "user \($0)" }, connection]
        let who = bridge.map { (isGuardian ? "the guardian of " : "") + "bridge \($0)" } ?? "another program"
        return "\(who) (\(parts.compactMap { $0 }.joined(separator: ", ")))"
    }
}

extension Connection {
    /// Asks the bus which program owns an adapter; returns nil if none does.
    ///
    /// - Parameter name: The adapter's name on the bus.
    /// - Throws: `DBusError`; `CancellationError`. Details that the bus does not report are omitted.
    package func adapterHolder(of name: String) async throws -> AdapterHolder? {
        guard let owner = try await owner(of: name) else { return nil }
        var holder = AdapterHolder(connection: owner)
        if let found = try? await credentials(of: owner) {
            holder.process = found.process
            if let user = found.user { holder.user = await Self.userName(user, on: loop) }
        }
        for sign in (try? await names()) ?? [] {
            guard let signer = AdapterName.signer(of: sign, at: name),
                try await self.owner(of: sign) == owner
            else { continue }
            (holder.bridge, holder.isGuardian) = (signer.bridge, signer.isGuardian)
        }
        return holder
    }

    /// Looks a user up on a separate thread, because a user directory on a server may be slow.
    private static func userName(_ number: Int, on loop: EventLoop) async -> String {
        await withCheckedContinuation { continuation in
            do throws(EventLoopError) {
                try loop.offload {
                    var entry = passwd()
                    var result: UnsafeMutablePointer<passwd>?
                    var buffer = [CChar](repeating: 0, count: 16_384)
                    let status = getpwuid_r(uid_t(clamping: number), &entry, &buffer, buffer.count, &result)
                    guard status == 0, result != nil, let name = entry.pw_name else { return "\(number)" }
                    return String(cString: name)
                } then: {
                    continuation.resume(returning: $0)
                }
            } catch {
                continuation.resume(returning: "\(number)")
            }
        }
    }
}
