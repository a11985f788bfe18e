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
            guard drive == nil else { return }
            isUnconfirmed = true
            isStatusUrgent = true
            effects.count("unconfirmed")
            if phase == .online, halt == nil { writeHalt(&effects) }
        }
    }

    /// Reads back what a stop wrote.
    mutating func proveRest(_ effects: inout Effects) {
        guard phase == .online, !restProof.isUnderWay else { return }
        restProof.begin()
        for characteristic in RobotRestProof.characteristics { effects.read(characteristic) }
    }

    mutating func restRead(
        _ characteristic: CharacteristicID, _ result: Result<[UInt8], OperationError>,
        _ effects: inout Effects
    ) {
        if let complaint = Self.complaint(result, RobotVector.zero.bytes) { restProof.complaint = complaint }
        guard restProof.completed(characteristic), isUnconfirmed, drive == nil else { return }
        guard let complaint = restProof.complaint else {
            isUnconfirmed = false
            return
        }
        effects.remark(.warning, "the robot does not confirm that it is at rest: \(complaint)")
        isHaltDue = true
        effects.startTimer(Self.cadenceTimer, after: Self.cadence)
    }
}
