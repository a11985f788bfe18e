import Bluetooth

extension World {
    /// Carries out a device's action of a live line or of a scenario step.
    mutating func perform(
        _ action: LiveLine.Action, on index: Int, at now: Duration, outputs: inout [WorldOutput]
    ) {
        let name = hosts[index].name
        switch action {
        case .act(let words): deliver(.act(words), to: index, at: now, outputs: &outputs)
        case .drop:
            if hosts[index].isConnected { outputs.append(.drop(device: name)) }
        case .mute(let isMuted):
            guard hosts[index].isMuted != isMuted else { return }
            hosts[index].isMuted = isMuted
            outputs.append(.mute(device: name, isMuted))
            updateAdvertising(of: index, outputs: &outputs)
        case .move(let placements): outputs.append(.move(device: name, placements))
        case .garbage(let count):
            hosts[index].garbage = Garbage(count, of: notifying(index), at: now)
        }
    }
}
