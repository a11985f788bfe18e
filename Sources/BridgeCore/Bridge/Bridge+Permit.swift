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
        let named = try addresses(asked)
        let seconds = asked.seconds
        guard seconds > 0 else {
            endPermit(.ended)
            return ["seconds": 0]
        }
        let families = asked.families.map(Set.init)
        let new = named?.filter { fleet[$0] == nil || admission.underWay($0) != nil }
        let heard = named?.flatMap { admission.families(of: $0, at: ports.time.now) ?? [] }
        let onlyAdvertise = onlyAdvertise(families.map(Array.init) ?? heard ?? [])
        let count = new.map { Swift.max($0.count, 1) } ?? asked.max ?? usualCount(families)
        let max = room(for: count, onlyAdvertise: onlyAdvertise)
        // Which of the named devices join must not depend on which of them is received first.
        guard max > 0, new == nil || max == count else {
            throw CommandError(.notSupported, limitComplaint(onlyAdvertise: onlyAdvertise, asked: count))
        }
        begin(
            Permit(
                end: ports.time.now + .seconds(seconds),
                until: TimeStamp(milliseconds: ports.time.date.milliseconds + Int64(seconds) * 1000),
                families: families,
                addresses: named.map(Set.init),
                max: max))
        var answer: JSON.Object = ["seconds": .integer(seconds), "max": .integer(max)]
        let known = Set(named ?? []).subtracting(new ?? []).compactMap { fleet[$0]?.name }.sorted()
        if !known.isEmpty { answer["known"] = .array(known.map { .string($0) }) }
        let state = radio.state
        if !state.isReady {
            answer["warning"] = .string(
                "no device can join yet: \(state.reason ?? "no Bluetooth adapter is ready")")
        }
        return answer
    }

    /// The addresses that a request names, each once; nil if it names none.
    private func addresses(_ asked: BridgeFeatures.PermitJoin) throws(CommandError) -> [Address]? {
        if asked.address != nil, asked.addresses != nil {
            throw CommandError(.invalidValue, "found address and addresses; allowed: one of them")
        }
        guard let texts = asked.addresses ?? asked.address.map({ [$0] }) else { return nil }
        var found: Set<Address> = []
        for text in texts {
            guard let address = Address(text) else {
                throw CommandError(
                    .invalidValue,
                    "\(asked.address == nil ? "addresses" : "address"): such as AA:BB:CC:DD:EE:FF, got \(text)"
                )
            }
            found.insert(address)
        }
        return found.sorted()
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
        for advertisement in announced where fleet[advertisement.address] == nil { consider(advertisement) }
        // A connected device does not advertise, so the radio must report it again in this period.
        spawn { await $0.ports.radio.replayKnown() }
    }

    /// Ends the current permission to join. Joining devices that are connecting may finish; the other joining devices
    /// are removed.
    func endPermit(_ reason: PermitEnd) {
        guard let ended = admission.end() else { return }
        timers.cancel(.permit)
        let devices = ended.admitted.compactMap { fleet[$0] }.map { JSON.Value.object(describe($0)) }
        let missing = (ended.addresses ?? []).subtracting(ended.admitted)
            .filter { fleet[$0] == nil || admission.underWay($0) != nil }.sorted()
        var event: JSON.Object = ["reason": .string(reason.rawValue), "devices": .array(devices)]
        if !missing.isEmpty { event["missing"] = .array(missing.map { .string($0.description) }) }
        if devices.isEmpty || !missing.isEmpty {
            let advice = advice(after: ended, about: missing.first ?? ended.addresses?.min(), reason)
            event["advice"] = .string(advice)
            logger.notice(
                devices.isEmpty
                    ? "no device joined while joining was permitted"
                    : "not all named devices joined while joining was permitted",
                metadata: ["reason": "\(reason.rawValue)", "advice": "\(advice)"])
        } else {
            logger.info("new devices may no longer join", metadata: ["reason": "\(reason.rawValue)"])
        }
        reportEvent("permit_join_ended", event)
        updateDiscovery()
        reportInfo()
        for session in admission.joiningAddresses.compactMap({ fleet[$0] }) { followJoining(session) }
    }

    /// Advice for the user after a permission to join ended without a new device, or without a named device.
    ///
    /// - Parameter address: A named device that has not joined; nil if the permission named none.
    private func advice(after ended: Permit, about address: Address?, _ reason: PermitEnd) -> String {
        if reason == .noAdapter { return radio.state.advice }
        let joining = admission.joiningAddresses.filter { admission.isPermitted($0) }
        if let session = joining.compactMap({ fleet[$0] }).first {
            let advice = session.connector.supervision.advice.map { ": \($0)" } ?? ""
            return "\(session.offlineMessage)\(advice)"
        }
        if let known = address.flatMap({ fleet[$0] }) {
            return "this device is already known as \(known.name)"
        }
        let absence =
            "switch the device on, bring it near, and disconnect it from other hosts; to list devices in range: "
            + "\(scanLine)"
        if let address {
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
