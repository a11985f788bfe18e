import Bluetooth
import BridgeContract
import DeviceKit
import HostTesting
import Testing

@testable import Guardian
@testable import HostServices

@Suite("Motions that exceed their deadline")
struct WillBookTests {
    private func will(
        _ device: String, deadline: Duration? = nil, isSafetyCritical: Bool = true, value: UInt8 = 0
    ) -> LinkWill {
        let write = LinkWill.Write(path: "\(device)/motor", value: [value], kind: .withoutResponse)
        return LinkWill(
            device: device, isSafetyCritical: isSafetyCritical, writes: [write], deadline: deadline,
            deadlineWrites: deadline == nil ? [] : [write])
    }

    /// Wraps the value, so that mutating calls can be used in expectations.
    private final class Shelf {
        var value = WillBook()

        func keep(_ will: LinkWill) -> Bool { value.keep(will) }
        func release(device: String) -> Bool { value.release(device: device) }
        func overdue(at now: Duration) -> [String] { take(at: now).map(\.will.device) }
        func take(at now: Duration) -> [WillBook.Overdue] { value.takeOverdue(at: now) }
    }

    @Test("A motion is ended once, 120 ms after its deadline")
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

    @Test("A motion whose deadline was moved or removed in time is not overdue")
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

    @Test("A new motion after an ended one is watched again, and a repeated one is not")
    func again() throws {
        let book = Shelf()
        _ = book.keep(will("/a", deadline: .seconds(10)))
        let overdue = try #require(book.take(at: .seconds(11)).first)
        #expect(book.value.isEnding(device: "/a", attempt: overdue.attempt))
        book.value.end(device: "/a", attempt: overdue.attempt)
        #expect(!book.value.isEnding(device: "/a", attempt: overdue.attempt))
        _ = book.keep(will("/a", deadline: .seconds(10), value: 1))
        #expect(book.overdue(at: .seconds(11)) == [])
        _ = book.keep(will("/a", deadline: .seconds(12)))
        #expect(book.value.nextAlarm == .milliseconds(12_120))
    }

    @Test("A message of the bridge interrupts actions in its place, for the time that it has to act itself")
    func spoken() throws {
        let book = Shelf()
        _ = book.keep(will("/a", deadline: .seconds(10)))
        _ = book.keep(will("/b"))
        #expect(book.value.bridgeSpoke(at: .milliseconds(10_050)) == [], "nothing is being done yet")
        let first = try #require(book.take(at: .milliseconds(10_120)).first)
        #expect(book.value.bridgeSpoke(at: .milliseconds(10_500)) == ["/a"])
        #expect(!book.value.isEnding(device: "/a", attempt: first.attempt))
        #expect(book.value.isOpen(device: "/a"))
        #expect(book.value.nextAlarm == .milliseconds(10_620))
        #expect(book.overdue(at: .milliseconds(10_619)) == [])
        let second = try #require(book.take(at: .milliseconds(10_620)).first)
        #expect(second.attempt != first.attempt)
        #expect(book.value.isEnding(device: "/a", attempt: second.attempt))
        book.value.end(device: "/a", attempt: first.attempt)
        #expect(book.value.isEnding(device: "/a", attempt: second.attempt), "the first try ends nothing")
    }

    @Test("A bridge that then removes or moves the deadline leaves no motion open", arguments: [nil, 20])
    func spokenAndEnded(seconds: Int?) {
        let book = Shelf()
        _ = book.keep(will("/a", deadline: .seconds(10)))
        _ = book.overdue(at: .seconds(11))
        _ = book.value.bridgeSpoke(at: .seconds(11))
        _ = book.keep(will("/a", deadline: seconds.map { .seconds($0) }))
        #expect(!book.value.isOpen(device: "/a"))
        #expect(book.overdue(at: .seconds(12)) == [])
        #expect(book.value.nextAlarm == seconds.map { .seconds($0) + .milliseconds(120) })
    }

    @Test("A device that was handed over remains until it is settled or kept again")
    func handedOver() {
        let book = Shelf()
        let robot = will("/a", deadline: .seconds(10))
        _ = book.keep(robot)
        _ = book.keep(will("/b", isSafetyCritical: false))
        book.value.handOver(robot)
        #expect(book.value.kept.map(\.device) == ["/b"])
        #expect(book.value.all.map(\.device) == ["/a", "/b"])
        #expect(book.value.nextAlarm == nil, "it is carried out already")
        book.value.releaseAll()
        #expect(book.value.all.map(\.device) == ["/a"] && book.value.isHandedOver(robot))
        let isNew = book.keep(robot)
        #expect(isNew && !book.value.isHandedOver(robot))
        book.value.handOver(robot)
        book.value.settle(device: "/a")
        #expect(book.value.all == [])
    }

    @Test("The next alarm is the earliest one, and devices that move come first")
    func order() {
        let book = Shelf()
        _ = book.keep(will("/a", isSafetyCritical: false))
        _ = book.keep(will("/b", deadline: .seconds(12), isSafetyCritical: false))
        _ = book.keep(will("/d", deadline: .seconds(11)))
        _ = book.keep(will("/c", deadline: .seconds(12)))
        #expect(book.value.nextAlarm == .milliseconds(11_120))
        #expect(book.value.all.map(\.device) == ["/c", "/d", "/a", "/b"])
        #expect(book.overdue(at: .seconds(13)) == ["/c", "/d", "/b"])
    }

    @Test("The writes for a dead bridge change with the will's writes, not with its deadline")
    func change() {
        let book = Shelf()
        #expect(book.keep(will("/a")))
        #expect(!book.keep(will("/a")))
        #expect(!book.keep(will("/a", deadline: .seconds(1))))
        #expect(book.keep(will("/a", value: 7)))
    }

    @Test("The file returns the stored wills and the bus, and does not exist without wills")
    func file() throws {
        let folder = try TemporaryDirectory()
        let file = WillFile(folder: folder.path)
        #expect(try file.read() == nil)
        var readable = will("/a")
        readable.writes[0].isReadBack = true
        let content = WillFile.Content(
            bus: "unix:path=/run/x y", wills: [readable, will("/b", deadline: .seconds(1))])
        try file.write(content)
        #expect(try file.read() == content)
        #expect(try FileAccess.read(file.path).starts(with: "format 2\nbus unix:path=/run/x y\n".utf8))
        try file.write(WillFile.Content(bus: "system", wills: []))
        #expect(try file.read() == nil)
        #expect(throws: FileAccess.Failure.self) {
            try WillFile(folder: "\(folder.path)/nowhere").write(content)
        }
    }

    @Test("A file of the previous release is readable, and invalid lines do not affect other lines")
    func oldFile() throws {
        let folder = try TemporaryDirectory()
        let old = "bus system\nkeep /a urgent - command:/a/motor:00 /\n"
        let path = try folder.write(old, to: "wills")
        let file = WillFile(folder: folder.path)
        #expect(file.path == path)
        #expect(try file.read() == WillFile.Content(bus: "system", wills: [will("/a")]))
        _ = try folder.write("\(old)keep /b later\n", to: "wills")
        #expect(try file.read() == WillFile.Content(bus: "system", wills: [will("/a")], unreadable: 1))
        _ = try folder.write("\u{0}\u{1}\n", to: "wills")
        #expect(try file.read()?.unreadable == 1)
    }

    @Test("After the bridge's death devices that move come first, and links without a will last")
    func linkAlone() {
        let book = Shelf()
        #expect(book.keep(LinkWill(device: "/a", writes: [])), "the file of wills names it")
        _ = book.keep(will("/b", isSafetyCritical: false))
        _ = book.keep(will("/c"))
        #expect(book.value.kept.map(\.device) == ["/c", "/b", "/a"])
        #expect(book.value.all.map(\.device) == ["/c", "/b", "/a"] && book.value.nextAlarm == nil)
    }
}
