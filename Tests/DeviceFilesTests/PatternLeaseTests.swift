import DeviceFiles
import DeviceKit
import Testing

@Suite("Patterns and the lease of an earlier command")
struct PatternLeaseTests {
    private static let motor = Sample.text(
        features: """
            motor:
              summary: A motor.
              latest: true
              lease_ms: 500
              command:
                fields: { strength: { type: integer, minimum: 0, maximum: 255 } }
                shorthand: strength
                write: { to: out, packet: [ { strength: u8 } ] }
            """,
        more: """
            stop: [ { to: out, hex: "00" } ]
            will: [ { to: out, hex: "00" } ]
            goodbye: [ { to: out, hex: "00" } ]
            haptic: { feature: motor, field: strength, scale: [0, 255] }
            """)
    private static let second =
        #"{"events":[{"time":0,"kind":"continuous","duration":1,"intensity":1,"sharpness":0}]}"#

    private static func bench() throws -> MachineBench {
        var bench = try MachineBench.online(motor)
        bench.showsTimers = true
        return bench
    }

    @Test("A command is in effect until its lease ends")
    func lease() throws {
        var bench = try Self.bench()
        #expect(bench.command("motor", "9") == ["timer lease.0 500", "write out 09"])
        #expect(bench.written() == ["answer 1 ok"])
        #expect(bench.timer("lease.0", after: .milliseconds(500)).contains("write out 00 stop"))
    }

    @Test("A pattern replaces the command, so that the command's lease no longer causes a stop")
    func pattern() throws {
        var bench = try Self.bench()
        _ = bench.command("motor", "9")
        _ = bench.written()
        let began = bench.command("haptic", Self.second)
        #expect(began.contains("cancel lease.0"))
        #expect(began.contains("write out ff"))
        _ = bench.written()
        // A timer that has already expired finds no lease.
        #expect(bench.timer("lease.0", after: .milliseconds(500)) == [])
    }
}
