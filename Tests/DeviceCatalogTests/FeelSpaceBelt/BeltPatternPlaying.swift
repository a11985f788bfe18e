@testable import DeviceCatalog

/// Shared parts of tests about patterns: a belt with navigation, and the bytes of its vibrations.
protocol BeltPatternPlaying {}

extension BeltPatternPlaying {
    /// Returns a continuous vibration all around the belt, as 18 bytes.
    func all(_ channel: UInt8, _ intensity: UInt8, _ period: UInt16) -> String {
        let command = BeltVibrationCommand.configure(
            BeltChannelConfiguration(
                channel: channel, intensity: intensity, place: .motors(0b0010_1001_0010_1001), iterations: 1,
                period: period))
        return "FE03 " + command.bytes.map { format($0) }.joined(separator: " ")
    }

    func format(_ byte: UInt8) -> String {
        let text = String(byte, radix: 16, uppercase: true)
        return text.count == 1 ? "0\(text)" : text
    }

    func navigating() -> BeltBench {
        var bench = BeltBench.online()
        bench.command("navigation", "90")
        bench.acknowledge()
        bench.notify(mode: .app)
        bench.acknowledge()
        bench.advance(by: .milliseconds(200))
        _ = bench.take()
        return bench
    }
}
