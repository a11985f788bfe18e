import DeviceKit
import JSON

extension BeltMachine {
    mutating func setOrientation(
        _ id: CommandID, _ asked: BeltFamily.OrientationCommand, _ effects: inout Effects
    ) throws(CommandError) {
        guard asked.isEnabled else {
            orientation.disable()
            effects.append(.unsubscribe(BeltGATT.orientation))
            return effects.answer(id, .ok)
        }
        let period = asked.period
        if period != BeltOrientationStream.defaultPeriod {
            let key = BeltFamily.orientation.names.taken(\.period)
            try require(BeltOrientationStream.firstWithPeriod, for: "\(key) \(period)")
        }
        orientation.isEnabled = true
        orientation.minimumChange = asked.minimumChange
        orientation.period = period
        if period != orientation.knownPeriod {
            changePeriod(for: id, &effects)
        } else if orientation.isSubscribed {
            effects.answer(id, .ok)
        } else {
            subscribeOrientation(for: id, &effects)
        }
    }

    /// After a reconnect, writes the requested period to the belt, or reads its current period. The belt keeps a period
    /// until it is switched off, even if another client set the period.
    mutating func restoreOrientationPeriod(_ effects: inout Effects) {
        let isAsWanted = orientation.period == orientation.knownPeriod
        if (firmware?.version ?? 0) < BeltOrientationStream.firstWithPeriod {
            guard orientation.isEnabled, !isAsWanted else { return }
            effects.remark(
                .warning,
                "the orientation period stays 500 ms, because another period needs firmware 52 or newer")
        } else if orientation.isEnabled, !isAsWanted {
            changePeriod(for: nil, &effects)
        } else {
            orientation.isAsked = true
            effects.write(BeltGATT.parameterRequest, BeltParameterRequest.read(.orientationPeriod).bytes)
        }
    }

    /// Writes the requested period if the belt reports another period after a reconnect.
    mutating func correctOrientationPeriod(_ effects: inout Effects) {
        guard orientation.isAsked else { return }
        orientation.isAsked = false
        guard orientation.isEnabled, change == nil, orientation.period != orientation.knownPeriod
        else { return }
        changePeriod(for: nil, &effects)
    }

    /// Changes the period like pybelt: notifications are paused during the change.
    private mutating func changePeriod(for id: CommandID?, _ effects: inout Effects) {
        orientation.isSubscribed = false
        effects.append(.unsubscribe(BeltGATT.orientation))
        request(
            .setOrientationPeriod(orientation.period),
            until: .parameter([.orientationPeriod], .integer(Int(orientation.period))), for: id,
            then: .orientation, &effects)
    }

    /// Enables orientation notifications. The command is answered when they are active.
    mutating func subscribeOrientation(for id: CommandID?, _ effects: inout Effects) {
        if let older = orientation.command { effects.answer(older, .superseded) }
        orientation.command = id
        effects.subscribe(BeltGATT.orientation)
    }
}
