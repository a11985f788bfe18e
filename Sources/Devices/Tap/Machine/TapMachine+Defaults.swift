import Bluetooth
import DeviceKit

/// The default states of a TAP. A default applies until a command sets the state.
extension TapMachine {
    /// Applies changed defaults to the next link. The settings named in `atOnce` also apply to the current link.
    mutating func take(_ settings: TapSettings, atOnce: Set<String>, _ effects: inout Effects) {
        (defaultMode, defaultXRState) = (settings.defaultMode, settings.defaultXRState)
        let (takesMode, takesXRState) = (
            atOnce.contains("default_input_mode"), atOnce.contains("default_xr_state")
        )
        if takesMode { commanded.subtract([.mode, .sensing]) }
        if takesXRState { commanded.remove(.xrState) }
        guard phase == .online else { return }
        if isFramed {
            if takesMode { senseDefault(&effects) }
            return
        }
        if takesMode { setDefaultMode(&effects) }
        if takesXRState, versions.has(.xrState) { slot.add(.default(.xr(defaultXRState))) }
        runSlot(&effects)
    }

    /// The default input mode, or `controller` on a TAP that does not support the default.
    mutating func supportedDefault(_ effects: inout Effects) -> TapInputCommand {
        let isSupported =
            versions.has(.of(defaultMode)) && (defaultMode != .raw || profile.has(TapGATT.raw))
        if !isSupported {
            effects.remark(
                .warning,
                "this TAP does not support default_input_mode \(defaultMode.name); controller is set instead")
        }
        let wanted = isSupported ? defaultMode : .controller
        return wanted == .raw ? .raw(TapSensitivity()) : .mode(wanted)
    }

    private mutating func setDefaultMode(_ effects: inout Effects) {
        let mode = supportedDefault(&effects)
        if needsToLeaveRaw(for: mode) { slot.add(.leaveRaw) }
        slot.add(.default(mode))
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
