import Bluetooth
import DeviceKit
import JSON
import Logging

// The time in which new devices may join.
extension Bridge {
    func permitJoin(_ arguments: Arguments) throws(CommandError) -> JSON.Object {
        guard settings.join != .configured else {
            throw CommandError(
                .notSupported,
                "bluetooth.join is configured: only devices of the configuration are connected")
        }
        if arguments.integer("seconds") != 0 { try refuseWhileDraining() }
        var address: Address?
        if let text = arguments.text("address") {
            guard let parsed = Address(text) else {
                throw CommandError(.invalidValue, "address: such as AA:BB:CC:DD:EE:FF, got \(text)")
            }
            address = parsed
        }
        let seconds = arguments.integer("seconds") ?? 60
        guard seconds > 0 else {
            endPermit(.ended)
            return ["seconds": 0]
        }
        let max = room(for: address == nil ? arguments.integer("max") ?? 1 : 1)
        guard max > 0 else { throw CommandError(.notSupported, limitComplaint) }
        begin(
            Permit(
                end: world.time.now + .seconds(seconds),
                until: TimeStamp(milliseconds: world.time.date.milliseconds + Int64(seconds) * 1000),
                families: (arguments["families"]?.array?.compactMap(\.string)).map(Set.init),
                address: address,
                max: max))
        var answer: JSON.Object = ["seconds": .integer(seconds), "max": .integer(max)]
        let state = radio.state
        if !state.isReady {
            answer["warning"] = .string(
                "no device can join yet: \(state.reason ?? "no Bluetooth adapter is ready")")
        }
        return answer
    }

    /// Begins a permission; one that runs is replaced.
    private func begin(_ new: Permit) {
        let announced = admission.begin(new)
        if admission.button.clear() { announceBridge() }
        logger.info(
            "new devices may join",
            metadata: ["seconds": "\((new.end - world.time.now).components.seconds)", "max": "\(new.max)"])
        startTimer(.permit, at: new.end)
        updateDiscovery()
        reportInfo()
        if let announced, fleet[announced.address] == nil { consider(announced) }
    }

    /// Ends the permission that runs. Devices whose link is being made may come to their end; the others are
    /// let go.
    func endPermit(_ reason: Permit.End) {
        guard let ended = admission.end() else { return }
        clockwork.stop(.permit)
        logger.info("no new devices may join any more", metadata: ["reason": "\(reason.rawValue)"])
        let devices = ended.admitted.compactMap { fleet[$0] }.map { JSON.Value.object(describe($0)) }
        reportEvent(
            "permit_join_ended", ["reason": .string(reason.rawValue), "devices": .array(devices)])
        updateDiscovery()
        reportInfo()
        for session in admission.joiningAddresses.compactMap({ fleet[$0] }) { followJoining(session) }
    }

    /// What to type so that one device may join.
    func permitLine(_ address: Address) -> String {
        "mosquitto_pub -t \(topics.own("request/permit_join")) -m '{\"address\":\"\(address)\"}'"
    }
}
