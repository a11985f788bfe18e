import Glibc

/// A pipe that closes with its owner.
final class Pipe: Sendable {
    let readEnd: CInt
    let writeEnd: CInt

    struct Failure: Error {}

    /// - Parameter goesBothWays: Whether data written at either end is readable at the other.
    init(goesBothWays: Bool = false) throws {
        var ends: [CInt] = [-1, -1]
        let type = CInt(SOCK_STREAM.rawValue)
        guard (goesBothWays ? socketpair(AF_UNIX, type, 0, &ends) : pipe(&ends)) == 0 else { throw Failure() }
        (readEnd, writeEnd) = (ends[0], ends[1])
        for end in ends { _ = fcntl(end, F_SETFL, O_NONBLOCK) }
    }

    deinit {
        close(readEnd)
        close(writeEnd)
    }

    func put(_ bytes: [UInt8]) -> Int { write(writeEnd, bytes, bytes.count) }

    func take(_ count: Int) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: count)
        let received = read(readEnd, &bytes, count)
        return Array(bytes.prefix(max(received, 0)))
    }
}
