import Bluetooth
import DBus
import Testing

@testable import BlueZ

@Suite("Connection attempts from request to link, without a bus")
struct ConnectAttemptTests {
    private static let id = CharacteristicID(service: 0xFE51, uuid: 0x2A19)
    private var attempt = ConnectAttempt("C0:00:00:00:00:01", LinkRequirements(required: [id]))
    private let tree = TreeTests.full()
    private var device: Device?

    init() { device = tree.devices[TreeTests.path] }

    private func step(_ found: Set<CharacteristicID>? = nil) -> ConnectAttempt.Step {
        attempt.step(device: device, found: found ?? tree.characteristicIDs(of: TreeTests.path))
    }

    private mutating func call(answer: Result<Void, BlueZError>? = nil) {
        attempt.enter(.calling(.init(path: TreeTests.path, number: 1)))
        if let answer { attempt.answered(1, answer) }
    }

    private static func error(_ code: BlueZError.Code) -> BlueZError {
        BlueZError(code, "Connect", on: "C0:00:00:00:00:01", "reason")
    }

    @Test("The link is up when the device is connected, before the answer to Connect")
    mutating func linked() {
        #expect(step() == .wait)
        call()
        #expect(step() == .wait)
        device?.isConnected = true
        #expect(step() == .linked)
    }

    @Test(
        "A device is ready once Connect is answered, its services are resolved and nothing required is missing"
    )
    mutating func ready() {
        call()
        device?.isConnected = true
        attempt.linked()
        #expect(step() == .wait)
        device?.isResolved = true
        #expect(step() == .wait)
        attempt.answered(2, .failure(Self.error(.failed)))
        #expect(step() == .wait, "the answer to another call")
        attempt.answered(1, .success(()))
        #expect(step([]) == .incomplete(missing: [Self.id]))
        #expect(step() == .ready)
        device = nil
        #expect(step() == .failed(attempt.forgotten))
    }

    @Test("A link of the system needs no call")
    mutating func systemLink() {
        device?.isConnected = true
        device?.isResolved = true
        attempt.enter(.resolving(.systemLink(TreeTests.path)))
        #expect(step() == .ready)
        device?.isConnected = false
        attempt.lost(TreeTests.path, reason: "gone")
        #expect(step() == .failed(attempt.error(.refused, "connected, then lost: gone")))
    }

    @Test("A lost link waits for the answer to Connect, which is more precise", arguments: [true, false])
    mutating func lost(isLinked: Bool) {
        call()
        if isLinked { attempt.linked() }
        attempt.lost("/elsewhere", reason: "another adapter")
        attempt.lost(TreeTests.path, reason: "gone")
        #expect(step() == .wait)
        var refused = attempt
        refused.answered(1, .failure(Self.error(.pairingFailed)))
        #expect(refused.step(device: device, found: []) == .failed(Self.error(.pairingFailed)))
        attempt.answered(1, .success(()))
        #expect(step() == .failed(attempt.error(.refused, "connected, then lost: gone")))
    }

    @Test(
        "When another program connects the device, the answer is ignored",
        arguments: [.inProgress, .alreadyDone] as [BlueZError.Code])
    mutating func elsewhere(_ code: BlueZError.Code) {
        call(answer: .failure(Self.error(code)))
        #expect(step() == .wait)
        device?.isConnected = true
        #expect(step() == .linked)
    }

    @Test("An attempt is withdrawn until it has reached the device, and then stays ended")
    mutating func withdrawn() {
        call(answer: .success(()))
        attempt.withdraw()
        #expect(step() == .wait)
        call()
        attempt.withdraw()
        let error = attempt.error(.unreachable, "another host is connected to the device")
        #expect(step() == .failed(error))
        attempt.enter(.waiting)
        #expect(step() == .failed(error))
    }

    @Test("A device removed for another discovery is recorded as gone")
    mutating func forgetting() {
        func isGone() -> Bool { if case .forgetting(_, isGone: true) = attempt.phase { true } else { false } }
        attempt.enter(.forgetting(TreeTests.path, isGone: false))
        attempt.objectRemoved("/elsewhere")
        #expect(!isGone())
        attempt.objectRemoved(TreeTests.path)
        #expect(isGone())
    }

    @Test("A device with all substitutes needs no required characteristics")
    func replacement() {
        let (required, first, second) = (
            CharacteristicID(service: 0xFE51, uuid: 0xFE01), CharacteristicID(service: 0xFE51, uuid: 0xFE02),
            CharacteristicID(service: 0xFE51, uuid: 0xFE03)
        )
        let plain = ConnectAttempt("C0:00:00:00:00:01", LinkRequirements(required: [required]))
        let replaceable = ConnectAttempt(
            "C0:00:00:00:00:01", LinkRequirements(required: [required], substitutes: [first, second]))
        #expect(replaceable.needed(of: [required]).isEmpty)
        #expect(replaceable.needed(of: [required, second]) == [required])
        #expect(plain.needed(of: [required]) == [required])
    }

    @Test("All attempts end when bluetoothd is lost, and those of devices that may bond are counted")
    func table() {
        var table = ConnectTable()
        for (address, bonding) in [("C0:00:00:00:00:01", .none), ("C0:00:00:00:00:02", .onDemand)]
            as [(Bluetooth.Address, LinkRequirements.Bonding)]
        {
            #expect(!table.mayBond)
            table[address] = ConnectAttempt(address, LinkRequirements(required: [], bonding: bonding))
        }
        #expect(table.mayBond)
        table.serviceLost(reason: "gone")
        let step = table["C0:00:00:00:00:01"]?.step(device: nil, found: [])
        #expect(step == .failed(BlueZError(.serviceAway, "Connect", on: "C0:00:00:00:00:01", "gone")))
        table["C0:00:00:00:00:02"] = nil
        #expect(!table.mayBond)
    }
}
