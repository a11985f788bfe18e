import DeviceKit
import JSON

extension BeltMachine {
    private static let firstWithPeriod: UInt16 = 52

    /// Carries out `orientation`.
    mutating func setOrientation(
        _ id: CommandID, _ arguments: Arguments, _ effects: inout Effects
    ) throws(CommandError) {
        guard arguments.flag("enabled") else {
            orientation.isEnabled = false
            orientation.isSubscribed = false
            effects.append(.unsubscribe(GATT.orientation))
            return effects.answer(id, .ok)
        }
        let period = try arguments.whole("period_ms", UInt16.self)
        if period != OrientationStream.defaultPeriod {
            try require(Self.firstWithPeriod, for: "period_ms \(period)")
        }
        orientation.isEnabled = true
        orientation.minimumChange = arguments.number("min_change") ?? 0
        orientation.period = period
        if period != orientation.knownPeriod {
            changePeriod(for: id, &effects)
        } else if orientation.isSubscribed {
            effects.answer(id, .ok)
        } else {
            subscribeOrientation(for: id, &effects)
        }
    }

    /// Gives the belt the wanted period after a connect, where it may have another.
    mutating func restoreOrientationPeriod(_ effects: inout Effects) {
        guard orientation.isEnabled, orientation.period != orientation.knownPeriod else { return }
        guard (firmware?.version ?? 0) >= Self.firstWithPeriod else {
            effects.remark(.warning, "another orientation period than 500 ms needs firmware 52")
            return
        }
        changePeriod(for: nil, &effects)
    }

    /// Changes the period as pybelt does: notifications pause meanwhile.
    private mutating func changePeriod(for id: CommandID?, _ effects: inout Effects) {
        orientation.isSubscribed = false
        effects.append(.unsubscribe(GATT.orientation))
        request(
            .setOrientationPeriod(orientation.period),
            until: .parameter([.orientationPeriod], .integer(Int(orientation.period))), for: id,
            then: .orientation, &effects)
    }

    /// Asks for orientation notifications; the command is answered when they are in force.
    mutating func subscribeOrientation(for id: CommandID?, _ effects: inout Effects) {
        if let older = orientation.command { effects.answer(older, .superseded) }
        orientation.command = id
        effects.subscribe(GATT.orientation)
    }
}
