import Bluetooth
import DeviceKit

// What the guardian did in the bridge's place, and what the bridge does about it.
extension RobotMachine {
    /// Takes whether the guardian brought the robot to rest.
    ///
    /// Where it could not, the stop is written again, and again, until the robot itself says that it is at rest. A
    /// robot that drives by a newer command is not stopped: what the guardian says is about an older one.
    mutating func guardianReported(_ report: GuardianReport, _ effects: inout Effects) {
        switch report {
        case .confirmed: isUnconfirmed = false
        case .unconfirmed:
            guard drive.motion == nil else { return }
            isUnconfirmed = true
            statusReport.isUrgent = true
            effects.count("unconfirmed")
            if phase == .online, slot.stop == nil { writeStop(&effects) }
        }
    }

    /// Notes a completed read of the proof that the robot is at rest.
    mutating func restRead(
        _ characteristic: CharacteristicID, _ result: ReadResult,
        _ effects: inout Effects
    ) {
        guard restProof.completed(characteristic, result), isUnconfirmed, drive.motion == nil else { return }
        guard let complaint = restProof.complaint else {
            isUnconfirmed = false
            return
        }
        effects.remark(.warning, "the robot does not confirm that it is at rest: \(complaint)")
        slot.isStopDue = true
        effects.startTimer(Self.cadenceTimer, after: Self.cadence)
    }
}
