import Bluetooth
import BridgeContract
import BridgeParts
import DeviceKit
import JSON
import Logging

// The period during which new devices may join.
extension Bridge {
    func permitJoin(_ asked: BridgeFeatures.PermitJoin) throws(CommandError) -> JSON.Object {
        guard settings.join != .configured else {
            throw CommandError(
                .notSupported,
                "bluetooth.join is configured: only devices of the configuration are connected")
        }
        if asked.seconds != 0 { try refuseWhileDraining() }
        var address: Address?
        if let text = asked.address {
            guard let parsed = Address(text) else {
                throw CommandError(.invalidValue, "address: such as AA:BB:CC:DD:EE:FF, got \(text)")
            }
            address = parsed
        }
        let seconds = asked.seconds
        guard seconds > 0 else {
            endPermit(.ended)
            return ["seconds": 0]
        }
        let families = asked.families.map(Set.init)
        let expected =
            families.map(Array.init) ?? address.flatMap { admission.families(of: $0, at: ports.time.now) }
        let onlyAdvertise = onlyAdvertise(expected ?? [])
        let count = address == nil ? asked.max ?? usualCount(families) : 1
        let max = room(for: count, onlyAdvertise: onlyAdvertise)
        guard max > 0 else {
            throw CommandError(.notSupported, limitComplaint(onlyAdvertise: onlyAdvertise))
        }
        begin(
            Permit(
                end: ports.time.now + .seconds(seconds),
                until: TimeStamp(milliseconds: ports.time.date.milliseconds + Int64(seconds) * 1000),
                families: families,
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

    /// The default number of devices that a permission admits: one. Keyboards join without an address only if the
    /// host is bonded with them. So a permission for families of keyboards admits all of them.
    private func usualCount(_ names: Set<String>?) -> Int {
        let areInputs = names?.allSatisfy { families.named($0)?.requirements.isInputDevice ?? false } ?? false
        return areInputs ? settings.maxDevices : 1
    }

    /// Starts a permission to join, which replaces the current permission.
    private func begin(_ new: Permit) {
        let announced = admission.begin(new)
        if admission.button.clear() { announceBridge() }
        logger.info(
            "new devices may join",
            metadata: ["seconds": "\((new.end - ports.time.now).components.seconds)", "max": "\(new.max)"])
        startTimer(.permit, at: new.end)
        updateDiscovery()
        reportInfo()
        if let announced, fleet[announced.address] == nil { consider(announced) }
        // A connected device does not advertise, so the radio must report it again in this period.
        spawn { await $0.ports.radio.replayKnown() }
    }

    /// Ends the current permission to join. Joining devices that are connecting may finish; the other joining devices
    /// are removed.
    func endPermit(_ reason: PermitEnd) {
        guard let ended = admission.end() else { return }
        timers.cancel(.permit)
        let devices = ended.admitted.compactMap { fleet[$0] }.map { JSON.Value.object(describe($0)) }
        var event: JSON.Object = ["reason": .string(reason.rawValue), "devices": .array(devices)]
        if devices.isEmpty {
            let advice = advice(after: ended, reason)
            event["advice"] = .string(advice)
            logger.notice(
                "no device joined while joining was permitted",
                metadata: ["reason": "\(reason.rawValue)", "advice": "\(advice)"])
        } else {
            logger.info("new devices may no longer join", metadata: ["reason": "\(reason.rawValue)"])
        }
        reportEvent("permit_join_ended", event)
        updateDiscovery()
        reportInfo()
        for session in admission.joiningAddresses.compactMap({ fleet[$0] }) { followJoining(session) }
    }

    /// Advice for the user after a permission to join ended without a new device.
    private func advice(after ended: Permit, _ reason: PermitEnd) -> String {
        if reason == .noAdapter { return radio.state.advice }
        let joining = admission.joiningAddresses.filter { admission.isPermitted($0) }
        if let session = joining.compactMap({ fleet[$0] }).first {
            let advice = session.connector.supervision.advice.map { ": \($0)" } ?? ""
            return "\(session.offlineMessage)\(advice)"
        }
        if let known = ended.address.flatMap({ fleet[$0] }) {
            return "this device is already known as \(known.name)"
        }
        let absence =
            "switch the device on, bring it near, and disconnect it from other hosts; to list devices in range: "
            + "\(scanLine)"
        if let address = ended.address {
            if let families = admission.families(of: address, at: ports.time.now),
                let wanted = ended.families, wanted.isDisjoint(with: families)
            {
                return
                    "\(address) is in range, but the permission does not allow \(families.joined(separator: " ")): "
                    + "omit families, or name a family that matches it"
            }
            return ended.trials[address] == nil
                ? "\(address) was not in range, or no family matches it: \(absence)"
                : "\(address) was in range and did not come online: \(absence)"
        }
        guard let (address, family) = admission.waiting(at: ports.time.now) else {
            return "no device that may join was in range: \(absence)"
        }
        return "\(family.displayName) \(address) is in range; to let it join: \(permitLine(address))"
    }

    /// The command line that shows which devices are in range.
    private var scanLine: String {
        "mosquitto_rr -W 20 -t \(ShellWord.quoted(topics.own("request/scan"))) -e answer -m 15"
    }

    /// The command line that lets one device join. Its payload has no quotes, which JSON would escape.
    func permitLine(_ address: Address) -> String {
        "mosquitto_pub -t \(ShellWord.quoted(topics.own("request/permit_join"))) -m \(address)"
    }
}
