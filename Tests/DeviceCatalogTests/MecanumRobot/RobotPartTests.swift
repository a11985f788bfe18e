import Bluetooth
import DeviceKit
import JSON
import Testing

@testable import DeviceCatalog

@Suite("The parts of a robot's state machine")
struct RobotPartTests {
    private static let error = OperationError(.failed, "no")
    private var effects = Effects()

    private static func batch(_ tokens: [WriteToken], _ commands: [UInt64] = []) -> RobotBatch {
        var batch = RobotBatch(tokens, buttonsToken: tokens[tokens.count - 1], buttons: RobotButtons())
        batch.commands = commands.map { CommandID($0) }
        return batch
    }

    // MARK: RobotWriteSlot

    @Test("A frame waits for another frame; a stop does not, and takes over the commands of an older stop")
    func order() {
        var slot = RobotWriteSlot()
        #expect(slot.requestFrame() == true)
        slot.startFrame(Self.batch([1, 2], [7]), at: .seconds(1))
        #expect(slot.requestFrame() == false)
        #expect(slot.takeFrameCommands() == [CommandID(7)])
        #expect(slot.commands.isEmpty)
        #expect(slot.completed(1, .success(())) == nil)
        #expect(slot.completed(2, .success(()))?.isNextDue == true)
        slot.startFrame(Self.batch([3]), at: .seconds(2))
        slot.startStop(Self.batch([4]), at: .seconds(3))
        for id in [8, 9] as [UInt64] { slot.add(CommandID(id)) }
        slot.startStop(Self.batch([5]), at: .seconds(4))
        #expect(slot.start == .seconds(4) && slot.commands == [CommandID(8), CommandID(9)])
        #expect(slot.completed(3, .success(())) == nil)
        #expect(slot.completed(4, .success(())) == nil)
        slot.keepOnlyStop()
        #expect(slot.completed(5, .failure(Self.error))?.batch.answer == .failed(CommandError(Self.error)))
        #expect(slot.content == nil && slot.commands.isEmpty)
    }

    @Test("Only a frame with the newest state counts as written, not a stop or an older frame")
    func told() {
        var slot = RobotWriteSlot()
        slot.changed()
        slot.startFrame(Self.batch([1]), at: .zero)
        slot.changed()
        _ = slot.completed(1, .success(()))
        #expect(!slot.isTold)
        slot.startFrame(Self.batch([2]), at: .zero)
        _ = slot.completed(2, .failure(Self.error))
        #expect(!slot.isTold)
        slot.startStop(Self.batch([3]), at: .zero)
        _ = slot.completed(3, .success(()))
        #expect(!slot.isTold)
        slot.startFrame(Self.batch([4]), at: .zero)
        _ = slot.completed(4, .success(()))
        #expect(slot.isTold)
    }

    // MARK: RobotHandshake

    @Test("Written values are read back; a different value or a failure ends the attempt")
    mutating func handshake() {
        let values = [RobotVector.zero.bytes, RobotVector.zero.bytes, RobotButtons().bytes]
        for wrong in [nil, 0, 1, 2] {
            var handshake = RobotHandshake(Self.batch([1, 2, 3]), isTakenOver: false)
            for token in [1, 2, 3] as [WriteToken] {
                #expect(handshake.written(token, .success(()), &effects) == .underWay)
            }
            var outcome = RobotHandshake.Outcome.underWay
            for (index, id) in RobotGATT.all.enumerated() {
                #expect(outcome == .underWay)
                outcome = handshake.read(id, .success(index == wrong ? [0x39] : values[index]))
            }
            #expect((outcome == .atRest) == (wrong == nil))
        }
        var handshake = RobotHandshake(Self.batch([1]), isTakenOver: true)
        let failed = handshake.written(1, .failure(Self.error), &effects)
        #expect(failed == .disagrees("a write failed: failed: no"))
        handshake = handshake.again(Self.batch([2]))
        #expect(!handshake.isLastAttempt)
        handshake = handshake.again(Self.batch([3]))
        #expect(handshake.isLastAttempt && handshake.isTakenOver)
    }

    // MARK: RobotConfirmation

    @Test("Only a read after the newest write confirms the switches, with at most three failures")
    mutating func confirmation() {
        var confirmation = RobotConfirmation()
        #expect(confirmation.read() == false)
        #expect(confirmation.expired() == false)
        confirmation.start(1, &effects)
        confirmation.add([CommandID(1)], isEmergencyStop: true)
        for (token, result) in [(9, .failure(Self.error)), (1, .success(()))] as [(WriteToken, WriteResult)] {
            let failure = confirmation.written(token, result, &effects)
            #expect(failure == nil)
        }
        confirmation.start(2, &effects)
        #expect(confirmation.read() == false, "it was read before the second write")
        let failure = confirmation.written(2, .failure(Self.error), &effects)
        #expect(failure == "a write failed: failed: no")
        confirmation.add([CommandID(2)])
        let mayGoOn = (0..<3).map { _ in confirmation.failed() }
        #expect(mayGoOn == [true, true, false])
        #expect(confirmation.isOfEmergencyStop)
        #expect(confirmation.end(&effects) == [CommandID(1), CommandID(2)])
        #expect(!confirmation.isUnderWay)
    }

    // MARK: RobotEmergencyLatch

    private static func changes(_ effects: Effects) -> [Bool] {
        effects.list.compactMap { if case .latch(let isSet) = $0 { isSet } else { nil } }
    }

    @Test("An emergency stop during a release is written next, and the release is dropped")
    mutating func stopDuringRelease() {
        var latch = RobotEmergencyLatch(.latched)
        #expect(latch.release(at: .zero, &effects) == false)
        latch.set(CommandID(1), at: .zero)
        latch.keep(at: .zero, &effects)
        latch.cancelRelease()
        #expect(Self.changes(effects) == [false])
        #expect(latch.kept(false, failure: nil, at: .zero, &effects) == .unchanged)
        #expect(Self.changes(effects) == [false, true] && latch.state == .latched)
        latch.answer([CommandID(1)], .ok, &effects)
        #expect(!effects.list.contains { if case .answer = $0 { true } else { false } })
        _ = latch.kept(true, failure: nil, at: .zero, &effects)
        #expect(effects.list.contains(.answer(CommandID(1), .ok(["latch": "kept"]))))
    }

    @Test("A release is complete when it is on disk, and refused if the disk fails or takes 2 s")
    mutating func release() {
        for latch in [RobotEmergencyLatch(.latched), RobotEmergencyLatch(.unconfirmed)] {
            var (quick, refused, late) = (latch, latch, latch)
            #expect(quick.release(at: .zero, &effects) == false)
            #expect(quick.kept(false, failure: nil, at: .zero, &effects) == .done)
            #expect(quick.state == .clear)
            #expect(quick.recall() == false, "what the broker retains is older than the release")
            #expect(refused.release(at: .zero, &effects) == false)
            #expect(refused.kept(false, failure: "full", at: .zero, &effects) == .refused("full"))
            #expect(late.release(at: .zero, &effects) == false)
            #expect(late.expired(at: .milliseconds(1999), &effects) == .unchanged)
            let refusal = RobotEmergencyLatch.Release.refused("the disk did not confirm it within 2 s")
            #expect(late.expired(at: .seconds(2), &effects) == refusal)
        }
    }

    // MARK: Drive, weapon and status

    @Test("The weapon's lease follows the drive up to a limit, unless the command has a duration")
    mutating func weapon() {
        var (free, timed) = (RobotWeapon(), RobotWeapon())
        free.start(.init(end: .seconds(1), limit: .seconds(3)), driving: nil, at: .zero, &effects)
        timed.start(.init(end: .seconds(1)), driving: .seconds(2), at: .zero, &effects)
        #expect(free.lease.end == .seconds(1) && timed.lease.end == .seconds(1))
        for (drive, end) in [(2.0, 2.0), (0.5, 1), (9, 3)] {
            free.follow(driving: .seconds(drive), at: .zero, &effects)
            #expect(free.lease.end == .seconds(end))
        }
        #expect(free.lease.deadline == .seconds(1), "the robot was told no later end")
        free.stop(&effects)
        #expect(free.lease.end == nil && free.lease.deadline == .seconds(1))
    }

    @Test("Only a current drive can be turned")
    mutating func drive() {
        var drive = RobotDrive()
        #expect(drive.turn(to: 90) == false)
        drive.start(RobotMotion(speed: 1), offset: 0, until: .seconds(1), at: .zero, &effects)
        #expect(drive.turn(to: 90) == true)
        #expect(drive.turn(to: 90) == false)
        #expect(drive.movement(isFieldOriented: true) == RobotVector(direction: 0, speed: 1, offset: 90))
        #expect(drive.movement(isFieldOriented: false) == RobotVector(direction: 0, speed: 1, offset: 0))
        drive.stop(&effects)
        #expect(drive.movement(isFieldOriented: true).isZero && drive.lease.end == nil)
    }

    @Test("A status is published on change, at most five times a second unless it is urgent")
    mutating func status() {
        var report = RobotStatusReport()
        func count(_ effects: Effects) -> Int {
            effects.list.count { if case .publish = $0 { true } else { false } }
        }
        report.publish(RobotStatus(), remainder: nil, at: .zero, &effects)
        report.publish(RobotStatus(), remainder: .seconds(1), at: .seconds(1), &effects)
        #expect(count(effects) == 1)
        report.publish(RobotStatus(hasPower: true), remainder: nil, at: .milliseconds(199), &effects)
        #expect(count(effects) == 1 && effects.list.last == .startTimer("status", after: .milliseconds(1)))
        report.isUrgent = true
        report.publish(RobotStatus(hasPower: true), remainder: nil, at: .milliseconds(199), &effects)
        #expect(count(effects) == 2)
    }
}
