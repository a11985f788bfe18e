import Console
import JSON
import Testing

@Suite("The sessions of users")
struct SessionTests {
    @Test(
        "A session is valid for twelve hours without use, thirty days in all, or until another replaces it")
    func sessions() {
        var book = SessionBook()
        _ = book.add(Session(id: "x", user: "anna", roles: []), at: .zero)
        #expect(book.find("x", at: .seconds(43_199))?.user == "anna" && book.find("y", at: .zero) == nil)
        #expect(book.find("x", at: .seconds(43_199 + 43_200)) == nil)
        var used = SessionBook()
        _ = used.add(Session(id: "x", user: nil, roles: []), at: .zero)
        let days = stride(from: 21_600, to: 30 * 86_400, by: 21_600)
        #expect(days.allSatisfy { used.find("x", at: .seconds($0)) != nil })
        #expect(used.find("x", at: .seconds(30 * 86_400)) == nil)
        var gone: [Session] = []
        for number in 0..<3000 {
            gone += book.add(Session(id: "\(number)", user: nil, roles: []), at: .seconds(100_000 + number))
        }
        #expect(gone.count == 3001 - 256 && book.find("2999", at: .seconds(110_000)) != nil)
    }

    private let login = Duration.seconds(1_000_000_000)

    @Test("A saved session continues after a restart with its times")
    func restart() throws {
        var book = SessionBook()
        _ = book.add(Session(id: "x", user: nil, roles: []), at: .seconds(50))
        #expect(book.find("x", at: .seconds(3650)) != nil)
        let saved = book.saved(at: .seconds(3660), clock: login + .seconds(3610))
        #expect(saved == [["id": "x", "started": 1_000_000_000, "seen": 1_000_003_600]])

        // The monotonic clock starts again at a boot of the host.
        func restarted(after time: Int, from now: Int = 5) throws -> SessionBook {
            try SessionBook(saved: saved, at: .seconds(now), clock: login + .seconds(time))
        }
        var soon = try restarted(after: 3700)
        #expect(soon.find("x", at: .seconds(5))?.id == "x" && soon.find("y", at: .seconds(5)) == nil)
        var unused = try restarted(after: 3700)
        #expect(unused.find("x", at: .seconds(5 + 43_100)) == nil)
        var late = try restarted(after: 3600 + 43_200)
        #expect(late.find("x", at: .seconds(5)) == nil)
        // Use does not prolong it beyond thirty days, also across restarts.
        var used = try restarted(after: 3700)
        let hours = stride(from: 5, to: 30 * 86_400 - 3700, by: 36_000)
        #expect(hours.allSatisfy { used.find("x", at: .seconds($0)) != nil })
        #expect(used.find("x", at: .seconds(30 * 86_400 - 3690)) == nil)
    }

    @Test("A clock that was set back makes no session older than it is, nor longer than a new one")
    func clock() throws {
        let saved: JSON.Value = [["id": "x", "started": 1_000_000_000, "seen": 1_000_003_600]]
        var book = try SessionBook(saved: saved, at: .seconds(5), clock: .seconds(1000))
        #expect(book.find("x", at: .seconds(6)) != nil)
        #expect(book.find("x", at: .seconds(6 + 43_200)) == nil)
    }

    @Test(
        "A saved value without the form is refused with what was found",
        arguments: [
            ("{}", "found an object; allowed: an array of at most 256 sessions"),
            ("[3]", "found 3; allowed: an object with id, started and seen"),
            (
                #"[{"id":"","started":1,"seen":1}]"#,
                #"found {"id":"","started":1,"seen":1}; allowed: an object with"#
            ),
            (#"[{"id":"x","started":1}]"#, #"found {"id":"x","started":1}; allowed: an object with"#),
        ])
    func refused(_ text: String, _ message: String) throws {
        let value = try JSON.Value(parsing: Array(text.utf8))
        let error = #expect(throws: SessionBook.Complaint.self) {
            try SessionBook(saved: value, at: .zero, clock: .zero)
        }
        #expect(error?.description.hasPrefix(message) == true)
    }
}
