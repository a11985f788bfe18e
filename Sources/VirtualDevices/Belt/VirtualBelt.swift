import Bluetooth

/// A feelSpace naviBelt in software, with the firmware behaviour that its clients rely on.
public struct VirtualBelt: VirtualDevice {
    let choices: Choices
    var name: String
    var demandsBond: Bool

    /// Makes a belt that is switched off.
    public init(_ choices: Choices = Choices()) {
        self.choices = choices
        name = Choices.namePrefix + choices.nameSuffix
        demandsBond = choices.pairing != .off
    }

    /// Reacts as a belt does.
    public mutating func handle(_ stimulus: Stimulus, at now: Duration, reactions: inout [Reaction]) {
        switch stimulus {
        case .poweredOn: reactions.append(.advertise(true))
        case .read(Attribute.firmware): reactions.append(.value(choices.firmware))
        case .read: reactions.append(.refused(ATTError.readNotPermitted))
        case .write: reactions.append(.refused(ATTError.writeNotPermitted))
        default: break
        }
    }
}
