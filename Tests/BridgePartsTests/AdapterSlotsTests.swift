import Testing

@testable import BridgeContract
@testable import BridgeParts

@Suite("Numbers of links that the adapters support")
struct AdapterSlotsTests {
    private let slots = AdapterSlots()

    private func free(_ name: String = "hci0", for number: Int = 9, at now: Duration = .zero) -> Int? {
        slots.free(on: name, for: number, at: now)
    }

    @Test("Without a setting and a refusal the limit of an adapter is unknown")
    func unknown() {
        slots.set(.linked("hci0"), of: 1, at: .zero)
        #expect(free() == nil)
        #expect(slots.free(on: ["hci0"], at: .zero) == nil)
        #expect(slots.full(at: .zero).isEmpty)
    }

    @Test("Links and attempts use slots of their adapter only")
    func counts() {
        slots.setting = 2
        #expect(free() == 2)
        slots.set(.connecting("hci0"), of: 1, at: .zero)
        #expect(free() == 1)
        #expect(free("hci1") == 2)
        #expect(slots.free(on: ["hci0", "hci1"], at: .zero) == 3)
        slots.set(.linked("hci0"), of: 1, at: .zero)
        slots.set(.linked("hci0"), of: 2, at: .zero)
        #expect(free() == 0)
        #expect(slots.full(at: .zero) == ["hci0"])
        slots.set(nil, of: 1, at: .zero)
        #expect(free() == 1)
    }

    @Test("A proxy reports its limit itself, and a free slot wakes a waiting device")
    func proxy() {
        slots.setting = 1
        #expect(free("proxy/kitchen") == nil)
        slots.proxyLimits = ["proxy/kitchen": 2]
        slots.set(.linked("proxy/kitchen"), of: 1, at: .zero)
        #expect(free("proxy/kitchen") == 1)
        slots.set(.linked("proxy/kitchen"), of: 2, at: .zero)
        #expect(slots.full(at: .zero) == ["proxy/kitchen"])
        var isWoken = false
        slots.await(on: "proxy/kitchen", 9) { isWoken = true }
        slots.proxyLimits = ["proxy/kitchen": 3]
        #expect(isWoken)
    }

    @Test("A device's own attempt does not reduce its free slots")
    func own() {
        slots.setting = 1
        slots.set(.connecting("hci0"), of: 1, at: .zero)
        #expect(free(for: 1) == 1)
        #expect(free(for: 2) == 0)
        #expect(!slots.isConnecting(on: "hci0", besides: 1))
        #expect(slots.isConnecting(on: "hci0", besides: 2))
    }

    @Test("The limit observed at a refusal is valid for a minute, and only below the setting")
    func shown() {
        for number in 1...3 { slots.set(.linked("hci0"), of: number, at: .zero) }
        slots.refused(on: "hci0", at: .seconds(1))
        #expect(free(at: .seconds(1)) == 0)
        slots.set(nil, of: 3, at: .seconds(2))
        #expect(free(at: .seconds(2)) == 1)
        #expect(free(at: .seconds(61)) == nil)
        slots.setting = 2
        #expect(free(at: .seconds(2)) == 0)
        slots.setting = 8
        #expect(free(at: .seconds(2)) == 1)
        #expect(free(at: .seconds(61)) == 6)
    }

    @Test("Waiting devices are woken when a slot is free, once and in order of arrival")
    func waiting() {
        slots.setting = 1
        slots.set(.linked("hci0"), of: 1, at: .zero)
        var asked: [Int] = []
        for number in [5, 3] { slots.await(on: "hci0", number) { asked.append(number) } }
        // Waiting again does not change the order.
        slots.await(on: "hci0", 5) { asked.append(5) }
        #expect(asked.isEmpty)
        slots.set(nil, of: 1, at: .zero)
        #expect(asked == [5, 3])
        slots.set(.linked("hci0"), of: 5, at: .zero)
        slots.set(nil, of: 5, at: .zero)
        #expect(asked == [5, 3])
    }

    @Test("A device waits only on the adapter that received its last advertisement")
    func moved() {
        slots.setting = 1
        for (number, name) in [(1, "hci0"), (2, "hci1")] { slots.set(.linked(name), of: number, at: .zero) }
        var asked: [Int] = []
        for number in 10..<20 { slots.await(on: "hci0", number) { asked.append(number) } }
        for number in 10..<19 { slots.await(on: "hci1", number) { asked.append(number) } }
        slots.set(nil, of: 1, at: .zero)
        #expect(asked == [19])
        slots.set(.connecting("hci0"), of: 10, at: .zero)
        slots.set(nil, of: 2, at: .zero)
        #expect(asked == [19] + Array(11..<19))
    }

    @Test("A higher setting wakes the waiting devices")
    func setting() {
        slots.setting = 1
        slots.set(.linked("hci0"), of: 1, at: .zero)
        var isAsked = false
        slots.await(on: "hci0", 2) { isAsked = true }
        slots.setting = 1
        #expect(!isAsked)
        slots.setting = 2
        #expect(isAsked)
    }

    @Test("The slot of a robot that lost its link is reserved for a while")
    func kept() {
        slots.setting = 1
        slots.set(.linked("hci0"), of: 1, at: .zero)
        slots.set(nil, of: 1, isKept: true, at: .seconds(1))
        #expect(free(for: 2, at: .seconds(2)) == 0)
        #expect(free(for: 1, at: .seconds(2)) == 1)
        #expect(free(for: 2, at: .seconds(61)) == 1)
        slots.set(.linked("hci0"), of: 1, at: .seconds(3))
        slots.set(nil, of: 1, at: .seconds(4))
        #expect(free(for: 2, at: .seconds(4)) == 1)
    }

    @Test("No slot is reserved for an attempt, or for a removed device")
    func forgotten() {
        slots.setting = 1
        slots.set(.connecting("hci0"), of: 1, at: .zero)
        slots.set(nil, of: 1, isKept: true, at: .zero)
        #expect(free(for: 2) == 1)
        slots.set(.linked("hci0"), of: 1, at: .zero)
        slots.set(nil, of: 1, isKept: true, at: .zero)
        var isAsked = false
        slots.await(on: "hci0", 2) { isAsked = true }
        slots.forget(1, at: .zero)
        #expect(isAsked)
        #expect(free(for: 2) == 1)
    }

    @Test("A free slot wakes at most eight devices, however many wait")
    func growth() {
        slots.setting = 1
        slots.set(.linked("hci0"), of: 0, at: .zero)
        var asked = 0
        for number in 1...3000 { slots.await(on: "hci0", number) { asked += 1 } }
        slots.set(nil, of: 0, at: .zero)
        #expect(asked == 8)
    }
}
