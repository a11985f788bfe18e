import Bluetooth
import DeviceKit
import JSON
import Testing

@testable import BridgeContract
@testable import BridgeParts

@Suite("Emergency stop latches of all devices")
struct LatchBookTests {
    private let address = Address(number: 1)

    @Test(
        "A device without a latch gets that of its memory; otherwise the user must allow it to join, or release it",
        arguments: [
            (JSON.Value.bool(true), false, Latch.latched), (.bool(false), false, .clear), (nil, true, .clear),
            (nil, false, .unconfirmed), (.bool(true), true, .latched),
        ] as [(JSON.Value?, Bool, Latch)])
    func missing(former: JSON.Value?, isLetIn: Bool, expected: Latch) {
        var book = LatchBook(.known([:]))
        var (latch, isNew) = book.latch(of: address, former: former, isLetIn: isLetIn)
        #expect(latch == expected && isNew)
        (latch, isNew) = book.latch(of: address, former: .bool(true), isLetIn: true)
        #expect(latch == expected && !isNew)
    }

    @Test("A stored latch takes precedence over the device's memory, until it is changed")
    func known() {
        var book = LatchBook(.known([address: .latched]))
        var latch = book.latch(of: address, former: .bool(false), isLetIn: true).latch
        #expect(latch == .latched)
        book.change(.clear, of: address)
        latch = book.latch(of: address, former: .bool(true), isLetIn: false).latch
        #expect(latch == .clear)
    }

    @Test("If the latches cannot be read, every device is latched until it is released")
    func unreadable() {
        var book = LatchBook(.unreadable("permission denied"))
        var (latch, isNew) = book.latch(of: address, former: .bool(false), isLetIn: true)
        #expect(latch == .latched && !isNew)
        book.change(.clear, of: address)
        (latch, isNew) = book.latch(of: address, former: nil, isLetIn: false)
        #expect(latch == .clear && !isNew)
    }
}
