import DeviceKit

extension TapMachine {
    /// What this TAP has not of all that the family declares: by its protocol, and by its hardware as far as it tells that.
    var lacking: Lacking {
        guard !isFramed else {
            return Lacking(
                reports: [
                    TapFamily.keyboard.name, TapFamily.gesture.name, TapFamily.airMouse.name,
                    TapFamily.hand.name,
                    TapFamily.pointer.name, TapFamily.inputMode.name, TapFamily.xrState.name,
                ], commands: [TapFamily.inputMode.name, TapFamily.xrState.name])
        }
        var lacking = Lacking(
            reports: [TapFamily.airGesture.name, TapFamily.sensing.name, TapFamily.standby.name],
            commands: [TapFamily.sensing.name, TapFamily.standby.name])
        if versions.hardware != nil, !versions.isXR {
            lacking.reports.formUnion([TapFamily.hand.name, TapFamily.pointer.name, TapFamily.xrState.name])
            lacking.commands.insert(TapFamily.xrState.name)
        }
        return lacking
    }
}
