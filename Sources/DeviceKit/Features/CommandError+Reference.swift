extension CommandError.Code {
    /// The meaning of the error code, in one sentence for the reference of errors.
    public var meaning: String {
        switch self {
        case .invalidPayload:
            "The payload is neither JSON nor a shorthand of the command, or it is too large."
        case .unknownField: "The object has a key that the command does not know."
        case .missingField: "The object lacks a key that the command needs, or lacks one of several."
        case .invalidValue:
            "A value has the wrong type or form, is not one of the allowed words, or contradicts another."
        case .outOfRange: "A number is outside its limits."
        case .unknownFeature: "The device, the group or the bridge has no such command."
        case .unknownDevice: "The bridge has no device of this name, or none of the group."
        case .notSupported: "This device, its firmware or the configuration does not allow it."
        case .wrongMode: "The device is in a mode in which it does not accept the command."
        case .deviceOffline: "The device is not connected."
        case .timeout: "The device did not confirm the command in time."
        case .busy: "Too many commands are waiting, or another command has to finish first."
        case .rateLimited: "More commands arrived in a second than the bridge accepts."
        case .retainedCommand: "The command was retained. The broker would deliver it again at every start."
        case .expired: "The command arrived after its expiry time, or messages are delayed; see the reason."
        case .stopped: "A stop arrived, so motion has to be requested again; see the reason."
        case .deviceError: "The device or its link refused the command."
        case .internal: "Internal error of the bridge."
        }
    }

    /// Advice for the sender of the command, in one sentence for the reference of errors.
    public var remedy: String {
        switch self {
        case .invalidPayload: "Send JSON or a shorthand of the command; the message states what was found."
        case .unknownField: "Remove the key or correct it; the message names the keys that are allowed."
        case .missingField: "Add the key that the message names."
        case .invalidValue, .outOfRange: "Send a value that the message lists as allowed."
        case .unknownFeature: "Choose a command that the message lists."
        case .unknownDevice: "Look the name up in bridge/<bridge>/devices."
        case .notSupported: "The message names what is needed: a firmware, a setting, another device."
        case .wrongMode: "Change the mode first; the message names the mode."
        case .deviceOffline: "Send it when <device>/availability is online; <device>/connection has advice."
        case .timeout: "Check that the device is in range and switched on, then send the command again."
        case .busy: "Wait for the answers to the earlier commands."
        case .rateLimited: "Send more slowly."
        case .retainedCommand: "Send it without the retain flag, and clear the retained message."
        case .expired: "Send a new command. Do not repeat the old command automatically."
        case .stopped: "Release the control, then start again."
        case .deviceError:
            "The message contains the device's reply; send the command again, or reconnect the device."
        case .internal: "Report it with the message and the log."
        }
    }
}

extension CommandError.Reason {
    /// The meaning of the refusal's cause, in one sentence for the reference of errors.
    public var meaning: String {
        switch self {
        case .clock: "The command has `expires`, and the clock of the bridge's host is not synchronized."
        case .path: "The bridge's own echo from the broker is late, so commands are late too."
        case .sender: "The command's `echo` is too old: messages from the sender are delayed."
        case .stall: "The bridge stalled and drops the commands that arrived during the stall."
        case .nameShared: "Two devices claim this name, so only stops are accepted under it."
        case .subscription: "The broker did not grant a subscription, so a stop could not arrive."
        case .noGuardian: "No guardian is running that would stop the device if the bridge died."
        case .proxy:
            "The device is connected over a Bluetooth proxy, where nothing could end what the command starts."
        case .hold: "A stop arrived after the start of the press that the command names in `hold`."
        case .stop(let stop): stop.meaning
        }
    }
}

extension MotionStop {
    /// The meaning of the stop's cause, in one sentence for the reference of errors.
    fileprivate var meaning: String {
        switch self {
        case .stop: "The device's own `stop` was the last stop."
        case .emergencyStop: "The device's `emergency_stop` was the last stop."
        case .allStop: "A stop of all devices, or of all devices of the family, was the last stop."
        case .pathLost: "The device was stopped because messages from the broker were delayed."
        case .late: "The device was stopped because the bridge stalled."
        case .reload: "A reload of the configuration stopped the device because it changed or removed it."
        case .linkLost: "The link to the device was lost."
        case .brokerLost: "The connection to the broker was lost."
        case .suspend: "The device was stopped because the host went to sleep."
        case .start: "The bridge has just started and waits until every control is released."
        case .guardian: "The guardian stopped the device because the bridge was silent past a deadline."
        }
    }
}
