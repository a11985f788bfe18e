import Bluetooth
import BridgeContract
import BridgeParts
import Claims
import DeviceKit
import Logging

// Devices that only advertise. While such a device is in range, its state machine has a link without characteristics,
// so that claims, offers and availability are those of a connected device. No connection is made.
extension DeviceSession {
    /// Whether discovery must run even while the device is online, because the device only advertises, or to compare how
    /// well this host and others receive it.
    var needsAdvertisements: Bool {
        (family.advertising != nil || comparesHosts) && life == .open && connector.linked != nil
    }

    /// Passes new data of an advertisement to the state machine.
    func receive(_ advertisement: Advertisement) {
        guard family.advertising != nil else { return }
        lastAdvertisement = advertisement
        let broadcast = broadcasts.changes(
            in: advertisement, over: adapter ?? "", using: family.serviceData, at: now)
        if broadcasts.flooded > 0 { counters.named["flooded"] = broadcasts.flooded }
        guard let broadcast, connector.linked != nil else { return }
        record(.advertised(broadcast))
        counters.notifications += 1
        feed(.advertised(broadcast))
    }

    /// Whether this bridge can use the device now. Without the right key, it leaves the device to the bridges that have
    /// the key, and makes no offer.
    func canUse(_ advertisement: Advertisement) -> Bool {
        guard family.advertising != nil, connector.linked == nil else {
            return !isVisitedElsewhere && !leavesToHolder(advertisement)
        }
        // A device keeps advertising while another bridge uses it. This bridge may then offer to use it instead.
        guard !ownership.device.isHeldElsewhere(context.neighbors) else {
            offerToReplace(advertisement)
            return false
        }
        guard let refusal = family.refusal(of: advertisement, settings) else { return true }
        let isDue = connector.supervision.nextAttempt.map { now >= $0 } ?? true
        if isDue, connector.isIdle { reject(refusal) }
        return false
    }

    /// Offers to use the device in place of the bridge that uses it now. That bridge leaves the device if the offer
    /// shows a clearly better reception.
    private func offerToReplace(_ advertisement: Advertisement) {
        guard advertisement.rssi != nil, connector.supervision.wantsDiscovery,
            family.refusal(of: advertisement, settings) == nil, let score = receptionScore,
            receivers.isOfferDue(at: now)
        else { return }
        sendOffer(score)
    }

    /// Leaves the device to the bridge that made an offer, if that bridge receives the device clearly better.
    func considerLeaving(to offer: Offer) {
        guard isReady, connector.isKept,
            receivers.heard(offer, score: receptionScore, heardAt: broadcasts.heardAt, at: now)
        else { return }
        logger.info(
            "the device is left to a bridge that receives it better",
            metadata: ["bridge": "\(offer.bridge)"],
            source: LogSubsystem.links.rawValue)
        connector.leave(to: Connector.Successor(bridge: offer.bridge, sharesLink: false))
        part()
    }

    /// Handles that another bridge no longer uses the device.
    func advertisingReleased() {
        guard family.advertising != nil, let lastAdvertisement, broadcasts.isHeard(at: now) else { return }
        if canUse(lastAdvertisement), connector.heard(lastAdvertisement, at: now) { proceed() }
    }

    /// Starts to use a device that only advertises.
    func useAdvertisements(_ number: Int) {
        let profile = LinkProfile(characteristics: [:])
        guard life == .open, case .use = connector.judge(profile, isHazardous: false) else { return }
        connector.use(profile, over: adapter ?? "", number: number)
        tapeAdvertising(isStanding: false)
        begin(profile)
        if var advertisement = lastAdvertisement {
            // An earlier packet, or a packet that another bridge may have published, causes no event.
            if ownership.wasElsewhere || !broadcasts.isFresh(at: now) { advertisement.isCached = true }
            broadcasts.reset()
            receive(advertisement)
        }
        awaitSilence()
    }

    /// Handles that the host has forgotten the device.
    func forgottenByHost() { broadcasts.reset() }

    /// Handles that no adapter receives advertisements.
    func advertisementsEnded(_ radio: RadioState) {
        guard family.advertising != nil, !radio.isReady else { return }
        closeLink(reason: radio.reason ?? RadioStatus.noAdapter)
    }

    private func awaitSilence() {
        guard let silence = family.advertising?.silence else { return }
        startTimer(.silence, at: (broadcasts.heardAt ?? now) + silence)
    }

    /// Handles that the device may not have advertised for a long time.
    func silenceIsDue() {
        if visiting != nil {
            endVisits()
            return reportConnection()
        }
        guard let silence = family.advertising?.silence, connector.linked != nil else { return }
        guard now - (broadcasts.heardAt ?? .zero) >= silence else { return awaitSilence() }
        closeLink(reason: "no advertisement for \(silence.components.seconds) s")
    }
}
