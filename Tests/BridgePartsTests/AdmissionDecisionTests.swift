import Bluetooth
import BridgeTesting
import DeviceKit
import Testing

@testable import BridgeContract
@testable import BridgeParts

@Suite("Decisions which devices join")
struct AdmissionDecisionTests {
    private let family = SampleFamily()

    private func device(
        _ number: UInt64, rssi: Int? = -60, services: Set<UUID> = [], isPaired: Bool = false
    ) -> Advertisement {
        Advertisement(
            address: Address(number: number), name: "sample device", services: services, rssi: rssi,
            isPaired: isPaired)
    }

    private func permit(
        _ address: UInt64? = nil, families: Set<String>? = nil, max: Int = 1
    ) -> Permit {
        Permit(
            end: .seconds(60), until: TimeStamp(milliseconds: 0), families: families,
            addresses: address.map { [Address(number: $0)] }, max: max)
    }

    private func admission(_ permit: Permit? = nil) -> Admission {
        var admission = Admission([family])
        if let permit { _ = admission.begin(permit) }
        return admission
    }

    /// The verdict about an advertisement.
    private func verdict(
        _ admission: inout Admission, _ device: Advertisement, _ policy: BridgeSettings.JoinPolicy = .permit,
        at now: Duration = .zero
    ) -> Admission.Verdict {
        admission.hear(device, [family], policy, at: now)
    }

    /// Admits a device as the bridge does.
    private func letIn(_ admission: inout Admission, _ number: UInt64, at now: Duration = .zero) {
        guard case .joins(_, let joining) = verdict(&admission, device(number), at: now) else {
            Issue.record("\(number) does not join")
            return
        }
        admission.join(Address(number: number), joining)
    }

    @Test("A device admitted by an earlier permit neither fills nor ends a later permit for other families")
    func earlier() {
        var other = SampleFamily()
        other.name = "other"
        for second in [permit(families: ["other"]), permit(7)] {
            var admission = Admission([family, other])
            _ = admission.begin(permit(families: ["sample"]))
            letIn(&admission, 1)
            #expect(admission.room == 0)
            _ = admission.begin(second)
            #expect(admission.room == 1)
            let isLast = admission.admit(Address(number: 1))
            #expect(!isLast && admission.room == 1 && admission.permit?.admitted == [])
        }
        var admission = Admission([family, other])
        _ = admission.begin(permit())
        letIn(&admission, 1)
        _ = admission.begin(permit(1))
        #expect(admission.room == 0, "it would be admitted now too")
    }

    @Test("Without a permit a device is announced once, and does not join")
    func announced() {
        var admission = admission()
        #expect(verdict(&admission, device(1)) == .waits(isNew: true))
        #expect(verdict(&admission, device(1)) == .waits(isNew: false))
        #expect(verdict(&admission, device(1), .configured) == .waits(isNew: false))
        let joins = Joining(since: .seconds(1), isPermitted: false, isByAddress: false, family: "sample")
        #expect(verdict(&admission, device(1), .always, at: .seconds(1)) == .joins("sample", joins))
    }

    @Test("A permit admits devices of its families that are in range, and no input device")
    func plain() {
        var admission = admission(permit(families: ["sample"]))
        #expect(verdict(&admission, device(1, rssi: nil)) == .waits(isNew: true))
        #expect(verdict(&admission, device(2, services: UUID.inputServices)) == .waits(isNew: true))
        let joins = Joining(since: .zero, isPermitted: true, isByAddress: false, family: "sample")
        #expect(verdict(&admission, device(3)) == .joins("sample", joins))
        _ = admission.begin(permit(families: ["other"]))
        #expect(verdict(&admission, device(3)) == .waits(isNew: true))
    }

    @Test("A permit with an address admits only that device, even an input device or one out of range")
    func named() {
        var admission = admission(permit(1))
        let joins = Joining(since: .zero, isPermitted: true, isByAddress: true, family: "sample")
        #expect(
            verdict(&admission, device(1, rssi: nil, services: UUID.inputServices)) == .joins("sample", joins)
        )
        #expect(verdict(&admission, device(2)) == .waits(isNew: true))
    }

    @Test("A permit with the address of a discovered device needs no further advertisement")
    func announcedBefore() {
        var admission = admission()
        _ = verdict(&admission, device(1))
        let announced = admission.begin(permit(1))
        #expect(announced == [device(1)])
        let unknown = admission.begin(permit(2))
        #expect(unknown == [])
    }

    @Test("A permit with several addresses admits all of them, even input devices, and no others")
    func listed() {
        var admission = admission()
        for number: UInt64 in [3, 1, 9] { _ = verdict(&admission, device(number)) }
        var list = permit(max: 3)
        list.addresses = Set([1, 2, 3].map { Address(number: $0) })
        #expect(admission.begin(list) == [device(1), device(3)])
        let joins = Joining(since: .zero, isPermitted: true, isByAddress: true, family: "sample")
        for number: UInt64 in 1...3 {
            let keyboard = device(number, rssi: nil, services: UUID.inputServices)
            #expect(verdict(&admission, keyboard) == .joins("sample", joins))
            admission.join(Address(number: number), joins)
        }
        #expect(verdict(&admission, device(9)) == .waits(isNew: true))
        for number: UInt64 in 1...3 { #expect(admission.admit(Address(number: number)) == (number == 3)) }
    }

    @Test("A permit admits a limited number of devices, including joining ones, and ends with the last")
    func room() {
        var admission = admission(permit(max: 2))
        letIn(&admission, 1)
        letIn(&admission, 2)
        #expect(admission.room == 0)
        #expect(verdict(&admission, device(3)) == .waits(isNew: true))
        var isFull = admission.admit(Address(number: 1))
        #expect(!isFull)
        #expect(admission.joiningAddresses == [Address(number: 2)] && admission.room == 0)
        isFull = admission.admit(Address(number: 2))
        #expect(isFull)
        let ended = admission.end()
        #expect(ended?.admitted == [Address(number: 1), Address(number: 2)])
        #expect(admission.permit == nil)
    }

    @Test("A device that is not online in time makes room for those with fewer attempts, the strongest first")
    func turns() throws {
        var admission = admission(permit())
        letIn(&admission, 1)
        for (number, rssi) in [(2, -80), (3, -50), (4, -70)] {
            _ = verdict(&admission, device(UInt64(number), rssi: rssi), at: .seconds(5))
        }
        #expect(admission.overdue(at: .seconds(9)).isEmpty)
        #expect(admission.overdue(at: .seconds(10)) == [Address(number: 1)])
        #expect(admission.next(.permit, at: .seconds(10)) { _ in false } == nil)
        var begins = admission.beginLeaving(Address(number: 1))
        #expect(begins)
        begins = admission.beginLeaving(Address(number: 1))
        #expect(!begins)
        #expect(admission.underWay(Address(number: 1)) == nil)
        admission.remove(Address(number: 1))
        #expect(verdict(&admission, device(1, rssi: -30), at: .seconds(10)) == .takesTurn)
        let next = try #require(admission.next(.permit, at: .seconds(10)) { _ in false })
        #expect(next.advertisement.address == Address(number: 3))
        let after = try #require(
            admission.next(.permit, at: .seconds(10)) { $0 == Address(number: 3) })
        #expect(after.advertisement.address == Address(number: 4))
        // A device without an advertisement for 15 s is no longer in range.
        #expect(admission.nextInLine(at: .seconds(21)) { _ in false }?.advertisement == device(1, rssi: -30))
        #expect(admission.nextInLine(at: .seconds(26)) { _ in false } == nil)
    }

    @Test("A joining input device is rejected until the next permit, and a known device is left unchanged")
    func turnedAway() {
        var admission = admission(permit())
        var isTurnedAway = admission.reject(Address(number: 1))
        #expect(!isTurnedAway)
        letIn(&admission, 1)
        isTurnedAway = admission.reject(Address(number: 1))
        #expect(isTurnedAway)
        _ = admission.beginLeaving(Address(number: 1))
        admission.remove(Address(number: 1))
        #expect(verdict(&admission, device(1), .always) == .waits(isNew: true))
        _ = admission.begin(permit())
        letIn(&admission, 1)
    }

    @Test("With bluetooth.join: always, a bonded input device of an input family joins")
    func always() {
        var family = SampleFamily()
        var admission = Admission([family])
        let keyboard = device(1, services: UUID.inputServices, isPaired: true)
        #expect(admission.hear(keyboard, [family], .always, at: .zero) == .waits(isNew: true))
        family.requirements.isInputDevice = true
        let joins = Joining(since: .zero, isPermitted: false, isByAddress: false, family: "sample")
        #expect(admission.hear(keyboard, [family], .always, at: .zero) == .joins("sample", joins))
        #expect(admission.hear(device(2), [family], .always, at: .zero) == .waits(isNew: true))
    }

    @Test("Two devices are listed next to the join button, each until it joins")
    func button() {
        var button = JoinButton()
        var isChanged = button.clear()
        #expect(!isChanged)
        for number: UInt64 in 1...3 {
            isChanged = button.add(Address(number: number), "device \(number)")
            #expect(isChanged == (number < 3))
        }
        #expect(button.texts == ["device 1", "device 2"])
        isChanged = button.remove(Address(number: 3))
        #expect(!isChanged)
        isChanged = button.remove(Address(number: 1))
        #expect(isChanged && button.texts == ["device 2"])
        isChanged = button.clear()
        #expect(isChanged && button.texts.isEmpty)
    }
}
