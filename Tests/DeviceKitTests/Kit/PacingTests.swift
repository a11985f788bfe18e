import DeviceKit
import Testing

@Suite("Write pacing, queues and leases")
struct PacingTests {
    private static func ms(_ number: Int) -> Duration { .milliseconds(number) }

    @Test("Values that arrive during a write, or too early, are sent once at the end of the interval")
    func newest() {
        var pacer = WritePacer(Self.ms(100))
        #expect(pacer.request(at: Self.ms(0)) == .send)
        #expect(pacer.request(at: Self.ms(10)) == .nothing)
        #expect(pacer.completed(at: Self.ms(20)) == .wait(Self.ms(80)))
        #expect(pacer.request(at: Self.ms(30)) == .wait(Self.ms(70)))
        #expect(pacer.advance(at: Self.ms(100)) == .send)
        #expect(pacer.completed(at: Self.ms(250)) == .nothing)
        #expect(pacer.request(at: Self.ms(251)) == .send)
    }

    @Test("Canceled values are not sent, and a new link does not wait")
    func cancelled() {
        var pacer = WritePacer(Self.ms(100))
        #expect(pacer.request(at: .zero) == .send)
        #expect(pacer.request(at: Self.ms(1)) == .nothing)
        pacer.cancel()
        #expect(pacer.completed(at: Self.ms(2)) == .nothing && !pacer.isDue)
        #expect(pacer.request(at: Self.ms(3)) == .wait(Self.ms(97)))
        pacer.reset()
        #expect(pacer.request(at: Self.ms(4)) == .send)
    }

    @Test("With origin end, the interval counts from the end of a write")
    func pause() {
        var pacer = WritePacer(Self.ms(200), from: .end)
        #expect(pacer.delay(at: .zero) == .zero)
        pacer.begin(at: .zero)
        #expect(pacer.delay(at: Self.ms(500)) == nil)
        pacer.end(at: Self.ms(500))
        #expect(pacer.delay(at: Self.ms(510)) == Self.ms(190))
        #expect(pacer.delay(at: Self.ms(700)) == .zero)
    }

    @Test("A newer command replaces the command in progress, which is answered")
    func latest() {
        var (slot, effects) = (LatestCommand(), Effects())
        let (one, two) = (CommandID(1), CommandID(2))
        slot.put(one, &effects)
        #expect(effects.list.isEmpty && slot.id == one)
        slot.put(two, &effects)
        #expect(effects.list == [.answer(one, .superseded)])
        #expect(slot.take() == two && slot.take() == nil)
        slot.put(one, &effects)
        slot.answer(.ok, &effects)
        slot.answer(.ok, &effects)
        #expect(effects.list == [.answer(one, .superseded), .answer(one, .ok)])
    }

    @Test("A queue keeps the order, and refuses commands beyond its limit")
    func line() throws {
        var line = WaitingLine<Int>(limit: 3)
        #expect(line.isEmpty && line.next() == nil)
        for number in 1...3 {
            try line.requireRoom()
            line.append(number)
        }
        #expect(throws: CommandError(.busy, "3 commands are already waiting")) { try line.requireRoom() }
        #expect(line.remove { $0 == 2 } == [2])
        #expect(!line.isFull && line.next() == 1 && line.elements == [3])
    }

    @Test("A newer lease brings the deadline forward immediately, and extends it only when it is written")
    func lease() {
        var lease = Lease()
        #expect(!lease.isOver(at: .seconds(100)) && lease.remainder(at: .zero) == nil)
        lease.renew(until: .seconds(5))
        #expect(lease.deadline == nil)
        lease.written()
        #expect(lease.deadline == .seconds(5))
        lease.renew(until: .seconds(9))
        #expect(lease.end == .seconds(9) && lease.deadline == .seconds(5))
        lease.renew(until: .seconds(3))
        #expect(lease.deadline == .seconds(3) && lease.remainder(at: .seconds(1)) == .seconds(2))
        #expect(!lease.isOver(at: .milliseconds(2999)) && lease.isOver(at: .seconds(3)))
        lease.release()
        #expect(lease.end == nil && lease.deadline == .seconds(3))
        lease.written()
        #expect(lease.deadline == .seconds(3))
        lease.settle()
        #expect(lease == Lease())
    }
}
