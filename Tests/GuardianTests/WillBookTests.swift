import BridgeCore
import BridgeTesting
import DeviceKit
import Testing

@testable import tactile_bridge

@Suite("Which motions are over their deadline")
struct WillBookTests {
    private func will(
        _ device: String, deadline: Duration? = nil, isUrgent: Bool = true, value: UInt8 = 0
    ) -> LinkWill {
        let write = LinkWill.Write(path: "\(device)/motor", value: [value], kind: .withoutResponse)
        return LinkWill(
            device: device, isUrgent: isUrgent, writes: [write], deadline: deadline,
            deadlineWrites: deadline == nil ? [] : [write])
    }

    /// Holds the value, so that what changes it can stand in an expectation.
    private final class Shelf {
        var value = WillBook()

        func keep(_ will: LinkWill) -> Bool { value.keep(will) }
        func release(device: String) -> Bool { value.release(device: device) }
        func overdue(at now: Duration) -> [String] { value.takeOverdue(at: now).map(\.device) }
    }

    @Test("A motion is ended 120 ms after its deadline, once, and not before")
    func deadline() {
        let book = Shelf()
        #expect(book.value.nextAlarm == nil)
        _ = book.keep(will("/a", deadline: .seconds(10)))
        #expect(book.value.nextAlarm == .milliseconds(10_120))
        #expect(book.overdue(at: .milliseconds(10_119)) == [])
        #expect(book.overdue(at: .milliseconds(10_120)) == ["/a"])
        #expect(book.overdue(at: .seconds(11)) == [])
        #expect(book.value.nextAlarm == nil)
    }

    @Test("A deadline that was moved or ended in time is not overdue")
    func moved() {
        let book = Shelf()
        _ = book.keep(will("/a", deadline: .seconds(10)))
        _ = book.keep(will("/a", deadline: .seconds(11)))
        #expect(book.overdue(at: .milliseconds(10_500)) == [])
        _ = book.keep(will("/a"))
        #expect(book.value.nextAlarm == nil)
        #expect(book.overdue(at: .seconds(100)) == [])
        _ = book.keep(will("/a", deadline: .seconds(10)))
        #expect(book.release(device: "/a"))
        #expect(book.overdue(at: .seconds(100)) == [])
        #expect(!book.release(device: "/a"))
    }

    @Test("A new motion after an ended one is watched anew, the same one told again is not")
    func again() {
        let book = Shelf()
        _ = book.keep(will("/a", deadline: .seconds(10)))
        _ = book.overdue(at: .seconds(11))
        #expect(book.value.isEnded(device: "/a", deadline: .seconds(10)))
        _ = book.keep(will("/a", deadline: .seconds(10), value: 1))
        #expect(book.overdue(at: .seconds(11)) == [])
        _ = book.keep(will("/a", deadline: .seconds(12)))
        #expect(!book.value.isEnded(device: "/a", deadline: .seconds(10)))
        #expect(book.value.nextAlarm == .milliseconds(12_120))
    }

    @Test("The next alarm is the earliest; what moves goes first")
    func order() {
        let book = Shelf()
        _ = book.keep(will("/a", isUrgent: false))
        _ = book.keep(will("/b", deadline: .seconds(12), isUrgent: false))
        _ = book.keep(will("/d", deadline: .seconds(11)))
        _ = book.keep(will("/c", deadline: .seconds(12)))
        #expect(book.value.nextAlarm == .milliseconds(11_120))
        #expect(book.value.all.map(\.device) == ["/c", "/d", "/a", "/b"])
        #expect(book.overdue(at: .seconds(13)) == ["/c", "/d", "/b"])
    }

    @Test("What would be written for a dead bridge changes with the writes, not with the deadline")
    func change() {
        let book = Shelf()
        #expect(book.keep(will("/a")))
        #expect(!book.keep(will("/a")))
        #expect(!book.keep(will("/a", deadline: .seconds(1))))
        #expect(book.keep(will("/a", value: 7)))
    }

    @Test("The file gives back what was laid down, with the bus; without wills there is none")
    func file() throws {
        let folder = try TemporaryDirectory()
        let file = WillFile(folder: folder.path)
        #expect(try file.read() == nil)
        let content = WillFile.Content(
            bus: "unix:path=/run/x y", wills: [will("/a"), will("/b", deadline: .seconds(1))])
        try file.write(content)
        #expect(try file.read() == content)
        try file.write(WillFile.Content(bus: "system", wills: []))
        #expect(try file.read() == nil)
        #expect(throws: FileAccess.Failure.self) {
            try WillFile(folder: "\(folder.path)/nowhere").write(content)
        }
    }
}
