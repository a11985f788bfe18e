package import Bluetooth
import BridgeContract
package import Claims
package import DeviceKit
package import JSON

/// Keeps what is known of a device and of its connection, and makes the states `info`, `connection` and `last_seen` of it.
package struct DeviceStatus: Sendable {
    private static let seenInterval = Duration.seconds(60)

    package var info = DeviceInfo()
    /// What the device has not of all that its family declares.
    package var lacking: Lacking
    /// The signal strength in dBm; nil where it is not known.
    package private(set) var rssi: Int?
    /// Since when the connection is as it is.
    package private(set) var since: TimeStamp
    /// Since when this bridge holds the link, or holds none, however often it tried to connect meanwhile.
    package private(set) var heldSince: TimeStamp
    private var isHeld = false
    private var hostName: String?
    private var seen: Duration?
    private var reportedSeen: Duration?
    private var reported: (stage: LinkStage, isReady: Bool) = (.disconnected, false)
    private var reportedAttempt: (moment: Duration?, text: String?) = (nil, nil)

    package init(since: TimeStamp, lacking: Lacking = Lacking()) {
        self.since = since
        heldSince = since
        self.lacking = lacking
    }

    /// The name that the host knows the device by; nil where it knows none.
    package var advertisedName: String? { hostName }

    // MARK: What is heard

    /// The device was heard on the air, or the host told of it.
    package mutating func heard(_ advertisement: Advertisement) {
        rssi = advertisement.rssi ?? rssi
        hostName = advertisement.name ?? hostName
    }

    package mutating func measured(rssi: Int?) { self.rssi = rssi }

    /// The device gave a sign of life.
    ///
    /// - Returns: Whether to publish ``lastSeen(now:date:)``: once a minute at most, since it is retained.
    package mutating func noteSeen(at now: Duration) -> Bool {
        seen = now
        return reportedSeen.map { now - $0 >= Self.seenInterval } ?? true
    }

    // MARK: What is said

    /// When the device gave its last sign of life; nil if it never did.
    package mutating func lastSeen(now: Duration, date: TimeStamp) -> JSON.Value? {
        guard let seen else { return nil }
        reportedSeen = now
        return .string(date.advanced(by: seen - now).description)
    }

    package func infoValue(family: String, address: Address) -> JSON.Value {
        var value: JSON.Object = [
            "family": .string(family), "name": Self.text(hostName),
            "address": .string(address.description), "manufacturer": Self.text(info.manufacturer),
            "model": Self.text(info.model), "hardware": Self.text(info.hardware),
            "firmware": Self.text(info.firmware), "serial": Self.text(info.serial),
        ]
        // Few devices have them.
        value["bootloader"] = info.bootloader.map { .string($0) }
        value["model_version"] = info.modelVersion.map { .string($0) }
        value["second_firmware"] = info.secondFirmware.map { .string($0) }
        return .object(value)
    }

    /// Takes how the connection is now.
    ///
    /// - Returns: Whether that differs from what it was, and whether its stage does.
    package mutating func changed(to stage: LinkStage, isReady: Bool, at date: TimeStamp) -> (
        any: Bool, stage: Bool
    ) {
        let isNewStage = reported.stage != stage
        let isNew = isNewStage || reported.isReady != isReady
        if isNew { since = date }
        reported = (stage, isReady)
        return (isNew, isNewStage)
    }

    /// This bridge holds the link from now on, or no more.
    package mutating func hold(_ isHeld: Bool, at date: TimeStamp) {
        guard self.isHeld != isHeld else { return }
        (self.isHeld, heldSince) = (isHeld, date)
    }

    /// How the connection is.
    ///
    /// - Parameter holder: Who holds it, as the other bridges at the broker read it.
    package mutating func connection(
        _ supervision: Supervision, adapter: String?, of holder: TopicOwnership, now: Duration,
        date: TimeStamp
    ) -> JSON.Value {
        // The time of the next attempt is computed from two clocks: only a new attempt is a change.
        if supervision.nextAttempt != reportedAttempt.moment {
            let next = supervision.nextAttempt.map { date.advanced(by: $0 - now).description }
            reportedAttempt = (supervision.nextAttempt, next)
        }
        return [
            "state": .string(supervision.state.rawValue), "bridge": .string(holder.bridge),
            "address": .string(holder.address.description), "configured": .bool(holder.isConfigured),
            "bluetooth_adapter": Self.text(adapter),
            "rssi": supervision.state == .connected ? rssi.map { .integer($0) } ?? .null : .null,
            "since": .string(since.description), "attempt": .integer(supervision.attempt),
            "reason": Self.text(supervision.reason),
            "reason_code": Self.text(supervision.reasonCode?.rawValue),
            "advice": Self.text(supervision.advice),
            "advice_code": Self.text(supervision.adviceCode?.rawValue),
            "next_attempt": Self.text(reportedAttempt.text),
        ]
    }

    private static func text(_ text: String?) -> JSON.Value { text.map { .string($0) } ?? .null }
}

extension Lacking {
    /// The name under which it is kept beside what the state machine of the device remembers.
    package static let memoryKey = "lacking"
}

extension TimeStamp {
    fileprivate func advanced(by time: Duration) -> TimeStamp {
        TimeStamp(milliseconds: milliseconds + Int64(time.milliseconds))
    }
}
