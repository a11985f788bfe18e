import Glibc
import HostServices

/// The secret for the login with a token (setting `console.login: token`).
enum Token {
    static let fileName = "console-token"
    private static let digits = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)

    /// Creates a token of 43 characters with 6 random bits each.
    static func make() -> String {
        var system = SystemRandomNumberGenerator()
        return String(
            decoding: (0..<43).map { _ in digits[Int.random(in: 0..<64, using: &system)] }, as: UTF8.self)
    }

    /// Returns the token in a folder. Creates it at the first call, readable only by its owner.
    static func load(_ folder: String) throws(CommandFailure) -> String {
        let path = "\(folder)/\(fileName)"
        do throws(FileAccess.Failure) {
            return try read(path)
        } catch {
            guard error.isMissing else { throw CommandFailure(.unavailable, "\(error)") }
        }
        do throws(FileAccess.Failure) {
            try FileAccess.makeFolder(folder)
            let token = make()
            try FileAccess.replace(path, with: Array("\(token)\n".utf8), mode: 0o600)
            return token
        } catch {
            throw CommandFailure(.unavailable, "cannot save the console's token: \(error)")
        }
    }

    static func read(_ path: String) throws(FileAccess.Failure) -> String {
        let text = String(decoding: try FileAccess.read(path, limit: 4096), as: UTF8.self)
        let token = text.filter { !$0.isWhitespace }
        // A token that is too short is rejected: an empty file would let everyone log in.
        guard token.utf8.count >= 16 else {
            throw FileAccess.Failure(action: "read a token in \(path)", number: EINVAL)
        }
        return token
    }
}
