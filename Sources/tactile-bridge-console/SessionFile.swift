import CCrypto
import Console
import EventLoop
import Glibc
import HostServices
import JSON
import Logging

/// The file of the sessions of the login `token`, which survive a restart.
///
/// It contains no cookie: a session is identified by the SHA-256 of the token and the cookie, so a new token ends all
/// sessions. A session of the login `broker` needs the user's password, which is never saved.
struct SessionFile {
    static let fileName = "console-sessions"
    /// The interval between writes of the file while sessions are used but not created or removed. After a crash, uses
    /// within the last interval are unknown.
    static let interval = Duration.seconds(600)

    /// The path of the file; nil if sessions do not survive a restart.
    let path: String?
    /// The sessions that the file contained when the console started.
    let loaded: SessionBook
    private let token: [UInt8]

    /// Reads the file.
    ///
    /// - Parameter folder: The folder of the token; nil if sessions do not survive.
    init(_ folder: String?, token: String, logger: Logger) {
        path = folder.map { "\($0)/\(Self.fileName)" }
        self.token = Array(token.utf8)
        loaded = path.map { Self.read($0, logger) } ?? SessionBook()
    }

    private static func read(_ path: String, _ logger: Logger) -> SessionBook {
        func refuse(_ reason: String) -> SessionBook {
            logger.warning(
                "cannot read the saved sessions: users must log in again",
                metadata: ["file": "\(path)", "reason": "\(reason)"])
            return SessionBook()
        }
        do {
            let value = try JSON.Value(parsing: try FileAccess.read(path, limit: 1 << 20))
            return try SessionBook(saved: value, at: EventLoop.now, clock: clock)
        } catch let error as FileAccess.Failure where error.isMissing {
            return SessionBook()
        } catch {
            return refuse("\(error)")
        }
    }

    /// Returns the id of the session that belongs to a cookie.
    func id(of cookie: String) -> String {
        let bytes = token + [0] + Array(cookie.utf8)
        var hash = [UInt8](repeating: 0, count: 32)
        precondition(
            EVP_Digest(bytes, bytes.count, &hash, nil, EVP_sha256(), nil) == 1, "OpenSSL has no memory")
        return hash.map { byte in
            let digits = String(byte, radix: 16)
            return byte < 16 ? "0\(digits)" : digits
        }.joined()
    }

    /// The time since 1970.
    static var clock: Duration {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
    }
}

extension Hub {
    /// Saves the sessions after any save that is running.
    func saveBookSoon() {
        bookSaved = EventLoop.now
        guard let path = sessionFile.path else { return }
        let before = saving
        saving = Task {
            await before?.value
            await saveBook(path)
        }
    }

    /// Writes on another thread, because the disk may be slow.
    private func saveBook(_ path: String) async {
        let bytes = book.saved(at: EventLoop.now, clock: SessionFile.clock).bytes
        let problem: String? = await withCheckedContinuation { continuation in
            do {
                try loop.offload {
                    do throws(FileAccess.Failure) {
                        try FileAccess.replace(path, with: bytes, mode: 0o600)
                        return nil
                    } catch { return "\(error)" }
                } then: {
                    continuation.resume(returning: $0)
                }
            } catch { continuation.resume(returning: "\(error)") }
        }
        guard let problem else { return }
        logger.warning(
            "cannot save the sessions: users must log in again after a restart",
            metadata: ["file": "\(path)", "reason": "\(problem)"])
    }
}
