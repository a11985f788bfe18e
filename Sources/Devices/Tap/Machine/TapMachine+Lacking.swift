import DeviceKit

extension TapMachine {
    /// The features of the family that this TAP lacks: because of its protocol, or because of its hardware version if
    /// the version is known.
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
