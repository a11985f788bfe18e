import DeviceKit
import Haptics
import Testing

@testable import DeviceFiles

/// Patterns on a device that shows a strength for at least 200 ms, and a pause for at least 50 ms.
@Suite("Pauses of patterns on a slow device")
struct PatternPauseTests {
    private let family: FileFamily

    init() throws {
        let text = Sample.text(
            features: """
                motor:
                  summary: A motor.
                  command:
                    fields: { level: { type: integer, minimum: 0, maximum: 200, required: true } }
                    write: { to: in, packet: [ { level: u8 } ] }
                """,
            more: """
                haptic: { feature: motor, field: level, scale: [0, 200], shortest_ms: 200 }
                stop: [ { to: in, hex: "00" } ]
                will: [ { to: in, hex: "00" } ]
                """)
        family = FileFamily(try DeviceFile.read(text, file: "probe.yaml").file)
    }

    private static func continuous(_ time: Double, _ duration: Double, _ intensity: Double = 1) -> Event {
        Event(time: time, .continuous(duration: duration), intensity: intensity, sharpness: 0)
    }

    /// The writes as `milliseconds:value`, and what is not shown.
    private func rendering(_ events: [Event], passes: Int = 1) throws -> (writes: [String], lost: Set<Loss>) {
        let strengths = try #require(family.plan.strengths)
        let rendering = HapticRendering(Timeline(Pattern(events), passes: passes), strengths)
        let writes = rendering.cues.map { "\(Int($0.time / .milliseconds(1))):\($0.message)" }
        return (writes, rendering.degraded.subtracting([.sharpness]))
    }

    @Test(
        "A vibration that lasts longer because the device is slow is reported",
        arguments: [190, 180, 100, 50])
    func longer(length: Int) throws {
        let (writes, lost) = try rendering([Self.continuous(0, Double(length) / 1000)])
        #expect(writes == ["0:200", "200:0"])
        #expect(lost == (length > 180 ? [] : [.timing]))
    }

    @Test(
        "A pause is as long as the device needs, if the vibration before it is long enough",
        arguments: [
            (0.4, 0.7, ["0:200", "400:0", "700:200", "900:0"], []),
            (0.4, 0.44, ["0:200", "390:0", "440:200", "640:0"], []),
            (0.4, 0.42, ["0:200", "370:0", "420:200", "620:0"], [.timing]),
            (0.1, 0.24, ["0:200", "240:200", "440:0"], [.timing]),
        ] as [(Double, Double, [String], Set<Loss>)])
    func pause(end: Double, next: Double, writes: [String], lost: Set<Loss>) throws {
        let shown = try rendering([Self.continuous(0, end), Self.continuous(next, 0.2)])
        #expect(shown.writes == writes && shown.lost == lost)
    }

    @Test("Repetitions that run together are reported, and the last one ends")
    func repetitions() throws {
        let tap = Event(time: 0, .transient, intensity: 1, sharpness: 0)
        let joined = try rendering([tap], passes: 5)
        #expect(joined.writes == ["0:200", "200:0"] && joined.lost == [.timing])
        let separate = try rendering([Self.continuous(0.2, 0.2)], passes: 5)
        #expect(separate.writes == ["200:200", "400:0"] && separate.lost == [])
        let endless = try rendering([Self.continuous(0, 0.5, 0.5), Self.continuous(0.5, 0.5)], passes: 5)
        #expect(endless.writes == ["0:100", "500:200", "1000:0"] && endless.lost == [])
    }
}
