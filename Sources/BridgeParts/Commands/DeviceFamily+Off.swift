package import DeviceKit

extension DeviceFamily {
    /// What a command says that switches off what can hurt a person, as far as it can be read; nil for every other
    /// command.
    ///
    /// Off is never harder than on: it passes wherever a stop does.
    package func readOff(_ request: CommandRequest, _ command: Command) -> Invocation? {
        guard command.traits.contains(.hazardous), let off = command.readOff(request.payload),
            motionRequest(request.feature, nil).demand != .none,
            motionRequest(request.feature, off.arguments).demand == .none
        else { return nil }
        return off
    }
}
