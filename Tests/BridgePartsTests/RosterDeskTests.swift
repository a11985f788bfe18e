import Bluetooth
import Testing

@testable import BridgeContract
@testable import BridgeParts

@Suite("Changes to and from the roster")
struct RosterDeskTests {
    private let first = Address(number: 1)
    private let second = Address(number: 2)

    @Test(
        "Nothing is applied or written before the retained messages have arrived; changes of a round are applied once"
    )
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

    @Test("A change of this bridge is not undone by a retained message")
    func ownWish() {
        var desk = RosterDesk()
        desk.connected(at: .zero)
        _ = desk.note(.device(first))
        desk.wish(.clear, for: first)
        _ = desk.settle()
        #expect(desk.takeChanges().devices.isEmpty)
    }

    @Test("A refusal is reported once per connection, and ends the wait for the roster; so does time")
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

    @Test("The message of a written topic is expected once")
    func comesBack() {
        var desk = RosterDesk()
        desk.wrote("roster/1")
        let came = [desk.came("roster/1"), desk.came("roster/1"), desk.came("roster/2")]
        #expect(came == [true, false, false])
    }
}
