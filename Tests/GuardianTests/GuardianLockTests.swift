import Glibc
import HostTesting
import Testing

@testable import Guardian
@testable import HostServices

@Suite("The guardian's lock")
struct GuardianLockTests {
    private static let stranger = ProcessIdentity(pid: 4_000_000, start: 1)

    @Test("The lock is free, then held by a named guardian, and free again after its end")
    func held() throws {
        let folder = try TemporaryDirectory()
        let lock = GuardianLock(folder: folder.path)
        #expect(lock.holder == nil)
        let own = try #require(ProcessIdentity(of: getpid()))
        let file = try lock.open()
        #expect(try lock.take(file, .init(guardian: own, bridge: Self.stranger)))
        #expect(lock.holder == GuardianLock.Holder(guardian: own, bridge: Self.stranger))
        let other = try lock.open()
        #expect(try !lock.take(other, .init(guardian: Self.stranger, bridge: nil)))
        #expect(lock.holder?.guardian == own, "one who does not get it writes nothing")
        // A process that another test is just starting may briefly hold the descriptor too.
        _ = flock(file, LOCK_UN)
        close(file)
        #expect(lock.holder == nil)
        #expect(try lock.take(other, .init(guardian: Self.stranger, bridge: nil)))
        #expect(lock.holder == GuardianLock.Holder(guardian: Self.stranger, bridge: nil))
        close(other)
        #expect(throws: FileAccess.Failure.self) {
            _ = try GuardianLock(folder: "\(folder.path)/nowhere").open()
        }
    }

    @Test("A process is identified by its ID and start time, and no other process is killed in its place")
    func identity() throws {
        let program = try TestProcess(["sh", "-c", "echo up; exec sleep 60"])
        #expect(program.nextLine(within: .seconds(10)) == "up")
        let pid = try #require(program.pid)
        let identity = try #require(ProcessIdentity(of: pid))
        #expect(identity.isAlive && ProcessIdentity("\(identity)") == identity)
        var other = identity
        other.start += 1
        #expect(!other.isAlive)
        other.kill()
        #expect(identity.isAlive, "a stranger with the number of one that is gone is left alone")
        program.sendAlone(SIGSTOP)
        identity.kill()
        #expect(program.end(with: nil) != 0)
        #expect(!identity.isAlive && ProcessIdentity(of: pid) == nil)
    }

    @Test(
        "The kernel's process data is parsed for any process name, and an ended process does not count",
        arguments: [
            ("7 (a) b) S 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 4711 20", 4711 as UInt64?),
            ("7 (x) Z 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 4711 20", nil),
            ("7 (x) S 1 2 3", nil), ("", nil),
        ])
    func stat(_ text: String, _ start: UInt64?) {
        #expect(ProcessIdentity(pid: 7, stat: text)?.start == start)
    }

    @Test("An invalid process identity is rejected", arguments: ["", "7", "-1 5", "0 5", "a b", "7 8 9"])
    func nonsense(_ text: String) {
        #expect(ProcessIdentity(text) == nil)
    }
}
