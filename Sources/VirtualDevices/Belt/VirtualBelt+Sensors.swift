import Bluetooth

extension VirtualBelt {
    /// Sends the orientation to a subscribed client. Headings are signed, as in real belts.
    mutating func sendOrientation(_ turn: inout Turn) {
        guard isSubscribed(Attribute.orientation), mode != .standby else { return }
        let box = heading - parameters.headingOffset.current
        let status: UInt8 = isCompassAccurate ? 3 : 0
        var bytes: [UInt8] = [0x02]
        bytes += Packet.bytes(Self.signed(heading))
        bytes += Packet.bytes(Self.signed(box))
        bytes += Packet.bytes(0) + Packet.bytes(0)
        bytes += Packet.bytes(isCompassAccurate ? 5 : 45)
        bytes += [status, 3, 3, isCompassAccurate ? 3 : 1, isCompassAccurate ? 0 : 1]
        turn.notify(Attribute.orientation, bytes)
        turn.start(.orientation, after: .milliseconds(parameters.orientationPeriod.current))
    }

    /// Normalizes an angle to -180 (inclusive) to 180 degrees.
    private static func signed(_ angle: Int) -> Int {
        let turned = ((angle % 360) + 360) % 360
        return turned >= 180 ? turned - 360 : turned
    }

    /// Starts the stream of raw sensor data, which ends when the client unsubscribes.
    mutating func sensorCommand(_ bytes: [UInt8], _ turn: inout Turn) throws(Rejected) {
        guard bytes.count >= 2, bytes[0] == 0x01, bytes[1] == 0x01 else {
            throw Rejected("unknown sensor command")
        }
        link?.rawSequence = 0
        turn.start(.rawData, after: choices.rawPeriod)
    }

    mutating func sendRawData(_ turn: inout Turn) {
        guard let sequence = link?.rawSequence, mode != .standby else { return }
        let gravity = Packet.bytes(0) + Packet.bytes(0) + Packet.bytes(1000)
        let north = Packet.bytes(Self.signed(heading)) + Packet.bytes(0) + Packet.bytes(0)
        turn.notify(Attribute.sensorData, [0x01, sequence, 0x01] + gravity + [0x02] + north)
        link?.rawSequence = sequence &+ 1
        turn.start(.rawData, after: choices.rawPeriod)
    }
}
