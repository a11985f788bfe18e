import DeviceFiles
import DeviceKit
import Testing

@Suite("Echoes of acknowledged commands")
struct EchoTests {
    private static let lamp = Sample.text(
        features: """
            lamp:
              summary: A lamp.
              kind: state
              from: out
              packet:
                - { mode: u8, values: { 0: dark, 1: steady, 2: breathing } }
                - { level: u8, if: { mode: { equals: 1 } } }
              echo: true
              command:
                fields:
                  mode: { type: choice, values: [ dark, steady, breathing ] }
                  level: { type: integer, minimum: 0, maximum: 255, default: 9 }
                shorthand: mode
                write:
                  to: out
                  packet:
                    - { mode: u8, values: { 0: dark, 1: steady, 2: breathing } }
                    - { level: u8, if: { mode: { equals: steady } } }
            """)

    @Test("The echo of a reported state is decoded from the written bytes, not copied from the command")
    func lamp() throws {
        var bench = try MachineBench.online(Self.lamp)
        #expect(bench.command("lamp", #"{"mode":"dark","level":7}"#) == ["write out 00"])
        #expect(bench.written() == [#"publish lamp {"mode":"dark","level":null}"#, "answer 1 ok"])
        #expect(bench.command("lamp", "steady") == ["write out 0109"])
        #expect(bench.written() == [#"publish lamp {"mode":"steady","level":9}"#, "answer 2 ok"])
        #expect(bench.notify("out", "02") == [#"publish lamp {"mode":"breathing","level":null}"#])
    }

    @Test("A rejected command has no echo")
    func refused() throws {
        var bench = try MachineBench.online(Self.lamp)
        _ = bench.command("lamp", "steady")
        #expect(!bench.written(OperationError(.failed, "no")).contains { $0.hasPrefix("publish") })
    }
}
