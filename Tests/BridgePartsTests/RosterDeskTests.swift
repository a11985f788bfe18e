import Bluetooth
import Testing

@testable import BridgeContract
@testable import BridgeParts

@Suite("What a bridge does with the roster")
struct RosterDeskTests {
    private let first = Address(number: 1)
    private let second = Address(number: 2)

    @Test("Nothing is applied or written before the store was read; changes of a round are applied once")
    func waits() {
        var desk = RosterDesk()
        desk.connected(at: .zero)
        var isDue = desk.note(.device(first))
        #expect(!isDue && desk.isArriving(at: .seconds(1)))
        desk.wish(.write, for: second)
        #expect(desk.takeWishes().isEmpty)
        isDue = desk.settle()
        #expect(isDue && !desk.isArriving(at: .seconds(1)))
        isDue = desk.note(.groups)
        #expect(!isDue)
        let changes = desk.takeChanges()
        #expect(changes.devices == [first] && changes.groups)
        #expect(desk.takeWishes().map(\.address) == [second] && desk.takeWishes().isEmpty)
        isDue = desk.note(.nothing)
        #expect(!isDue)
        isDue = desk.note(.device(second))
        #expect(isDue)
    }

    @Test("What this bridge wishes itself is not undone by what the broker had in store")
    func ownWish() {
        var desk = RosterDesk()
        desk.connected(at: .zero)
        _ = desk.note(.device(first))
        desk.wish(.clear, for: first)
        _ = desk.settle()
        #expect(desk.takeChanges().devices.isEmpty)
    }

    @Test("A refusal is told once a connection, and ends the wait for the roster; so does time")
    func refusal() {
        var desk = RosterDesk()
        desk.connected(at: .zero)
        #expect(!desk.isArriving(at: RosterDesk.patience))
        let isTold = [desk.refused(), desk.refused()]
        #expect(isTold == [true, false] && !desk.isArriving(at: .zero))
        desk.connected(at: .seconds(9))
        let isToldAgain = desk.refused()
        #expect(isToldAgain)
    }

    @Test("A topic that was written comes back once")
    func comesBack() {
        var desk = RosterDesk()
        desk.wrote("roster/1")
        let came = [desk.came("roster/1"), desk.came("roster/1"), desk.came("roster/2")]
        #expect(came == [true, false, false])
    }
}
