import Bluetooth
import DeviceKit

// Handles reports of the guardian, which stops the robot in place of a suspended bridge.
extension RobotMachine {
    /// Handles the guardian's report that it stopped the robot, or could not stop it.
    ///
    /// If the guardian could not stop the robot, the stop is written repeatedly until the robot reports no motion. A
    /// robot that drives by a newer command is not stopped, because the report is about an older command.
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

    /// Handles a completed read that checks whether the robot stands still (``RobotRestProof``).
    mutating func restRead(
        _ characteristic: CharacteristicID, _ result: ReadResult,
        _ effects: inout Effects
    ) {
        guard restProof.completed(characteristic, result), isUnconfirmed, drive.motion == nil else { return }
        guard let complaint = restProof.complaint else {
            isUnconfirmed = false
            return
        }
        effects.remark(.warning, "the robot does not confirm that it stands still: \(complaint)")
        slot.isStopDue = true
        effects.startTimer(Self.cadenceTimer, after: Self.cadence)
    }
}
