package import DeviceKit

extension DeviceFamily {
    /// Returns the invocation of a command that switches off something hazardous, as far as its payload can be read;
    /// nil for every other command.
    ///
    /// Switching off must never be harder than switching on. So such a command passes every check that a stop passes.
    package func readOff(_ request: CommandRequest, _ command: Command) -> Invocation? {
        guard command.traits.contains(.hazardous), let off = command.readOff(request.payload),
            motionRequest(request.feature, nil).demand != .none,
            motionRequest(request.feature, off.arguments).demand == .none
        else { return nil }
        return off
    }
}
