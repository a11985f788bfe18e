import Bluetooth
import BridgeContract
import BridgeCore
import BridgeTesting
import DeviceKit
import HostTesting
import Logging
import Testing

@Suite("The wills that the guardian keeps")
struct WillTests {
    private static let address: Address = "AA:BB:CC:00:00:07"
    private static let place = "/hci0/\(address)"

    /// Runs a test with a roller that is online.
    private func withRoller(
        lacking: Set<CharacteristicID> = [], _ body: (TestBridge, FakeLink) throws -> Void
    ) throws {
        try withLab { lab in
            let settings = BridgeSettings(
                id: "attic", join: .permit,
                devices: [.init(name: "roller", family: "roller", address: Self.address, settings: [:])],
                families: ["roller": [:]], version: "1.0", host: "attic.example")
            let bench = lab.bridge(settings, families: [RollerFamily()])
            bench.radio.lack(lacking)
            bench.connectBroker()
            bench.hear(Self.address, name: "roller")
            bench.letStartPass()
            try body(bench, try #require(bench.link(Self.address)))
        }
    }

    private func deadline(_ bench: TestBridge) -> Duration? { bench.guardian.wills[Self.place]?.deadline }

    @Test("The guardian has the will of a connected device, with the object paths of its writes")
    func connected() throws {
        try withRoller { bench, link in
            let will = try #require(bench.guardian.wills[Self.place])
            #expect(will.isSafetyCritical)
            #expect(will.writes.map(\.value) == [[0], [0]])
            #expect(will.writes.map(\.kind) == [.withoutResponse, .withResponse])
            #expect(
                will.writes.map(\.path) == [
                    "\(Self.place)/\(RollerFamily.motor)", "\(Self.place)/\(RollerFamily.power)",
                ])
            #expect(will.writes.map(\.isReadBack) == [true, false])
            #expect(will.deadline == nil)
            #expect(will.deadlineWrites == [])
            link.lose()
            #expect(bench.guardian.wills == [:])
        }
    }

    @Test("The will omits characteristics that the device lacks")
    func lacking() throws {
        try withRoller(lacking: [RollerFamily.power]) { bench, _ in
            #expect(bench.guardian.wills[Self.place]?.writes.count == 1)
        }
    }

    @Test("The deadline of a motion is sent before the motion, and moves with every command")
    func deadlines() throws {
        try withRoller { bench, link in
            link.setHolding(true)
            let start = bench.time.now
            bench.send("roll", "500", device: "roller")
            #expect(deadline(bench) == start + .milliseconds(500))
            #expect(bench.guardian.wills[Self.place]?.deadlineWrites.map(\.value) == [[0]])
            bench.time.advance(by: .milliseconds(300))
            bench.send("roll", "500", device: "roller")
            #expect(deadline(bench) == start + .milliseconds(800))
        }
    }

    @Test("The end of a motion is sent only after the device has received it")
    func endOfMotion() throws {
        try withRoller { bench, link in
            let start = bench.time.now
            bench.send("roll", "500", device: "roller")
            link.setHolding(true)
            bench.send("stop", "", device: "roller")
            #expect(link.waiting.count == 1)
            #expect(deadline(bench) == start + .milliseconds(500))
            link.completeNext()
            #expect(deadline(bench) == nil)
            #expect(bench.guardian.wills[Self.place] != nil)
        }
    }

    @Test("An unchanged will is not sent again")
    func onlyChanges() throws {
        try withRoller { bench, link in
            let count = bench.guardian.words.count
            #expect(count == 2, "the link, then its will")
            bench.send("arm", "", device: "roller")
            link.tell(.rssi(-50))
            bench.send("nonsense", "", device: "roller")
            #expect(bench.guardian.words.count == count)
        }
    }

    @Test("A device that is disconnected cleanly keeps its will until it is disconnected")
    func closing() throws {
        try withRoller { bench, link in
            link.setSilent(true)
            link.setHolding(true)
            bench.shutDown()
            #expect(bench.guardian.wills[Self.place] != nil)
            link.setHolding(false)
            #expect(link.disconnects == 1)
            #expect(bench.guardian.wills == [:])
            #expect(bench.isOver)
        }
    }

    @Test("After complete last writes, the guardian has nothing to do")
    func cleanGoodbye() throws {
        try withRoller { bench, link in
            bench.send("roll", "500", device: "roller")
            bench.shutDown()
            #expect(bench.isOver && link.disconnects == 1)
            #expect(bench.guardian.handedOver == [] && bench.guardian.wills == [:])
        }
    }

    @Test("If the last writes are not finished in time, the guardian takes over before the disconnection")
    func lateGoodbye() throws {
        try withRoller { bench, link in
            bench.send("roll", "500", device: "roller")
            link.setHolding(true)
            bench.shutDown()
            bench.time.advance(by: .milliseconds(1400))
            #expect(bench.guardian.handedOver == [])
            bench.time.advance(by: .milliseconds(200))
            #expect(bench.guardian.handedOver == [Self.place])
            link.setHolding(false)
            #expect(bench.isOver)
            #expect(bench.guardian.words.last == .carryOut(Self.place), "it is not forgotten at the end")
        }
    }

    @Test("If the last writes fail, the guardian takes over on every kind of disconnection")
    func failedGoodbye() throws {
        try withRoller { bench, link in
            bench.send("roll", "500", device: "roller")
            link.fail(RollerFamily.motor, OperationError(.failed, "In Progress"))
            bench.shutDown()
            #expect(bench.guardian.handedOver == [Self.place])
            #expect(bench.isOver)
        }
        try withRoller { bench, link in
            bench.send("roll", "500", device: "roller")
            link.fail(RollerFamily.motor, OperationError(.failed, "In Progress"))
            bench.request("disconnect", "roller")
            #expect(bench.guardian.handedOver == [Self.place])
        }
    }

    @Test("A report of the guardian on a device reaches its state machine and the log")
    func reports() throws {
        try withRoller { bench, _ in
            func report(_ device: String, _ report: GuardianReport) {
                bench.guardian.tell(.ended(device: device, report))
            }
            report("/hci0/nobody", .unconfirmed)
            report(Self.place, .unconfirmed)
            #expect(bench.log.count(.error, "could not confirm") == 1)
            #expect(bench.log.count(.info, "guardian: unconfirmed") == 1)
            report(Self.place, .confirmed)
            #expect(bench.log.count(.info, "guardian: confirmed") == 1)
        }
    }
}
