import Bluetooth
import DeviceKit

/// What a TAP is set to where no command says otherwise.
extension TapMachine {
    /// Takes other defaults: for the next link, and with `atOnce` for the present one too.
    mutating func take(_ settings: TapSettings, atOnce: Bool, _ effects: inout Effects) {
        (defaultMode, defaultXRState) = (settings.defaultMode, settings.defaultXRState)
        guard atOnce else { return }
        commanded = []
        guard phase == .online else { return }
        if isFramed { senseDefault(&effects) } else { setDefaults(&effects) }
    }

    /// The default input mode, or what stands for it on a TAP that does not have it.
    mutating func supportedDefault(_ effects: inout Effects) -> TapInputCommand {
        let isSupported =
            versions.has(.of(defaultMode)) && (defaultMode != .raw || profile.has(TapGATT.raw))
        if !isSupported {
            effects.remark(
                .warning,
                "default_input_mode \(defaultMode.name) is not for this TAP; it is set to controller")
        }
        let wanted = isSupported ? defaultMode : .controller
        return wanted == .raw ? .raw(TapSensitivity()) : .mode(wanted)
    }

    private mutating func setDefaults(_ effects: inout Effects) {
        let mode = supportedDefault(&effects)
        if needsToLeaveRaw(for: mode) { slot.add(.leaveRaw) }
        slot.add(.default(mode))
        if versions.has(.xrState) { slot.add(.default(.xr(defaultXRState))) }
        runSlot(&effects)
    }

    private mutating func senseDefault(_ effects: inout Effects) {
        let wanted = TapSensing(mode: defaultMode)
        wantedSensing = wanted
        frames.add(
            TapFrameLine.Request(
                purpose: .setup, commands: wanted.commands + TapSensing.example.questions))
        runFrames(&effects)
    }
}
