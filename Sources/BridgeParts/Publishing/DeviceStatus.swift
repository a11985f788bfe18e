package import Bluetooth
import BridgeContract
package import Claims
package import DeviceKit
package import JSON

/// The known data of a device and its Bluetooth connection, and the states `info`, `connection` and `last_seen`.
package struct DeviceStatus: Sendable {
    private static let seenInterval = Duration.seconds(60)

    package var info = DeviceInfo()
    /// The declared features that the device lacks.
    package var lacking: Lacking
    /// The features that the device has ever reported. The bridge stores their names across restarts.
    package var published: Set<String> = []
    /// The signal strength in dBm; nil if unknown.
    package private(set) var rssi: Int?
    /// When the signal strength was measured; nil if it is unknown.
    private var rssiTime: TimeStamp?
    /// When the state of the Bluetooth connection last changed.
    package private(set) var since: TimeStamp
    /// When this bridge last established or lost the link. Failed attempts to connect do not change it.
    package private(set) var heldSince: TimeStamp
    private var isHeld = false
    private var hostName: String?
    private var seen: Duration?
    private var reportedSeen: Duration?
    private var reported: (stage: LinkStage, isReady: Bool) = (.disconnected, false)
    private var reportedAttempt: (moment: Duration?, text: String?) = (nil, nil)

    /// - Parameter memory: The device's stored memory, with its name and description from earlier links.
    package init(since: TimeStamp, memory: JSON.Object = [:]) {
        self.since = since
        heldSince = since
        lacking = Lacking(json: memory[Lacking.memoryKey])
        let known = memory[Self.memoryKey]
        hostName = known?["name"]?.string
        info = DeviceInfo(
            manufacturer: known?["manufacturer"]?.string, model: known?["model"]?.string,
            hardware: known?["hardware"]?.string, firmware: known?["firmware"]?.string,
            serial: known?["serial"]?.string)
    }

    package static let memoryKey = "known"

    /// What the bridge stores about the device, to display the name and description while the device is offline after a
    /// restart.
    package var known: JSON.Value {
        var known = JSON.Object()
        known["name"] = hostName.map { .string($0) }
        known["manufacturer"] = info.manufacturer.map { .string($0) }
        known["model"] = info.model.map { .string($0) }
        known["hardware"] = info.hardware.map { .string($0) }
        known["firmware"] = info.firmware.map { .string($0) }
        known["serial"] = info.serial.map { .string($0) }
        return .object(known)
    }

    /// The name that the host has for the device; nil if it has none.
    package var advertisedName: String? { hostName }

    // MARK: Inputs

    /// Applies an advertisement, or data that the host has stored about the device.
    package mutating func heard(_ advertisement: Advertisement, at date: TimeStamp) {
        if let rssi = advertisement.rssi { measured(rssi: rssi, at: date) }
        hostName = advertisement.name ?? hostName
    }

    /// Records a measured signal strength; nil if it is unknown from now on.
    package mutating func measured(rssi: Int?, at date: TimeStamp) {
        self.rssi = rssi
        rssiTime = rssi.map { _ in date }
    }

    /// Records a sign of life from the device.
    ///
    /// - Returns: Whether to publish ``lastSeen(now:date:)``: at most once a minute, because it is retained.
    package mutating func noteSeen(at now: Duration) -> Bool {
        seen = now
        return reportedSeen.map { now - $0 >= Self.seenInterval } ?? true
    }

    // MARK: States

    /// The date of the last sign of life; nil if there was none.
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
        // The following members are omitted if the device does not report them, as most devices do not.
        value["bootloader"] = info.bootloader.map { .string($0) }
        value["model_version"] = info.modelVersion.map { .string($0) }
        value["second_firmware"] = info.secondFirmware.map { .string($0) }
        return .object(value)
    }

    /// Records the state of the Bluetooth connection, which consists of a stage and whether the device is ready.
    ///
    /// - Returns: Whether the state changed, and whether its stage changed.
    package mutating func changed(to stage: LinkStage, isReady: Bool, at date: TimeStamp) -> (
        any: Bool, stage: Bool
    ) {
        let isNewStage = reported.stage != stage
        let isNew = isNewStage || reported.isReady != isReady
        if isNew { since = date }
        reported = (stage, isReady)
        return (isNew, isNewStage)
    }

    /// Records whether this bridge has a link to the device.
    package mutating func hold(_ isHeld: Bool, at date: TimeStamp) {
        guard self.isHeld != isHeld else { return }
        (self.isHeld, heldSince) = (isHeld, date)
    }

    /// Returns the value of the state `connection`.
    ///
    /// - Parameter holder: The owner of the topics, which other bridges read in this state.
    package mutating func connection(
        _ supervision: Supervision, adapter: String?, of holder: TopicOwnership, now: Duration,
        date: TimeStamp
    ) -> JSON.Value {
        // The date of the next attempt is computed from two clocks, so only a new attempt counts as a change.
        if supervision.nextAttempt != reportedAttempt.moment {
            let next = supervision.nextAttempt.map { date.advanced(by: $0 - now).description }
            reportedAttempt = (supervision.nextAttempt, next)
        }
        return [
            "state": .string(supervision.state.rawValue), "bridge": .string(holder.bridge),
            "address": .string(holder.address.description), "configured": .bool(holder.isConfigured),
            "bluetooth_adapter": Self.text(adapter),
            "rssi": supervision.state == .connected ? rssi.map { .integer($0) } ?? .null : .null,
            "rssi_time": supervision.state == .connected ? Self.text(rssiTime?.description) : .null,
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

extension TimeStamp {
    fileprivate func advanced(by time: Duration) -> TimeStamp {
        TimeStamp(milliseconds: milliseconds + Int64(time.milliseconds))
    }
}
