import Bluetooth
import DeviceFiles
import DeviceKit
import Testing

@Suite("Reports of devices with a device file")
struct ReportTests {
    private static func bench(_ features: String, setup: String = "[ { subscribe: out } ]", out: String = "")
        throws -> MachineBench
    {
        var bench = try MachineBench(
            Sample.text(features: features).replacing(
                "setup: [ { subscribe: out } ]", with: "setup: \(setup)"
            )
            .replacing("uuid: ff01", with: "uuid: ff01\(out)"))
        _ = bench.connect()
        if setup.contains("subscribe: out") { _ = bench.subscribed("out") }
        return bench
    }

    private static func feature(_ kind: String, _ more: String = "", name: String = "value") -> String {
        """
        \(name):
          summary: A value.
          kind: \(kind)
          from: out
          packet: [ { a: u8, values: { 0: up, 1: down, 2: held } } ]
          \(more)
        """
    }

    @Test("A state is a plain value; events and battery are objects")
    func shapes() throws {
        var bench = try Self.bench(
            [
                Self.feature("state"), Self.feature("event", name: "press"),
                Self.feature("state", name: "battery"), Self.feature("state", "object: true", name: "whole"),
            ]
            .joined(separator: "\n"))
        #expect(
            bench.notify("out", "01") == [
                #"publish value "down""#, #"publish press {"a":"down"}"#, #"publish battery {"a":"down"}"#,
                #"publish whole {"a":"down"}"#,
            ])
    }

    @Test("A read updates states and streams, but never causes an event")
    func reads() throws {
        var bench = try Self.bench(
            [
                Self.feature("state"), Self.feature("event", name: "press"),
                Self.feature("stream", name: "flow"),
            ].joined(separator: "\n"),
            setup: "[ { read: out }, { subscribe: out } ]")
        #expect(
            bench.read("out", "01") == [#"publish value "down""#, #"publish flow "down""#, "subscribe out"])
    }

    @Test("Skipped values are not published")
    func skip() throws {
        var bench = try Self.bench(Self.feature("event", "skip: { a: [up, held] }"))
        #expect(bench.notify("out", "00") == [])
        #expect(bench.notify("out", "02") == [])
        #expect(bench.notify("out", "01") == [#"publish value {"a":"down"}"#])
    }

    @Test("With `changed`, only changes are published, and each connection starts with the first value")
    func changed() throws {
        var bench = try Self.bench(Self.feature("event", "changed: true"))
        #expect(bench.notify("out", "01").count == 1)
        #expect(bench.notify("out", "01") == [])
        #expect(bench.notify("out", "02").count == 1)
        _ = bench.send(.disconnected)
        _ = bench.connect()
        _ = bench.subscribed("out")
        #expect(bench.notify("out", "02").count == 1)
    }

    @Test("A stream keeps its minimum interval and publishes the newest value last")
    func interval() throws {
        var bench = try Self.bench(Self.feature("stream", "min_interval_ms: 100"))
        bench.showsTimers = true
        #expect(bench.notify("out", "00") == [#"publish value "up""#])
        #expect(bench.notify("out", "01") == ["timer stream.0 100"])
        #expect(bench.notify("out", "02") == [])
        #expect(bench.timer("stream.0", after: .milliseconds(100)) == [#"publish value "held""#])
        #expect(bench.notify("out", "00") == ["timer stream.0 100"])
    }

    @Test("Bytes that fit no feature are counted, and reported once per connection")
    func garbage() throws {
        var bench = try Self.bench(Self.feature("state"))
        #expect(bench.notify("out", "07") == ["count garbage", "remark warning"])
        #expect(bench.notify("out", "") == ["count garbage"])
        #expect(bench.notify("out", "01") == [#"publish value "down""#])
    }

    @Test("Bytes that fit one of several features are not counted as garbage")
    func several() throws {
        var bench = try Self.bench(
            """
            a:
              summary: A.
              kind: state
              from: out
              packet: [ { _k: u8, equals: 1 }, { a: u8 } ]
            b:
              summary: B.
              kind: state
              from: out
              packet: [ { _k: u8, equals: 2 }, { b: u8 } ]
            """)
        #expect(bench.notify("out", "0105") == ["publish a 5"])
        #expect(bench.notify("out", "0206") == ["publish b 6"])
        #expect(bench.notify("out", "0306") == ["count garbage", "remark warning"])
    }

    @Test("Bits identify the feature of a packet; for other packets, the first feature's reason is reported")
    func bits() throws {
        func feature(_ name: String, _ kind: Int) -> String {
            """
            \(name):
              summary: A value.
              kind: state
              from: out
              packet: [ { _f: u8, bits: { _kind: { at: [0, 1], equals: \(kind) } } }, { \(name): u8 } ]
            """
        }
        var bench = try Self.bench(feature("a", 1) + "\n" + feature("b", 2))
        #expect(bench.notify("out", "0105") == ["publish a 5"])
        #expect(bench.notify("out", "fe06") == ["publish b 6"])
        #expect(bench.lastRemark == nil)
        #expect(bench.notify("out", "0306") == ["count garbage", "remark warning"])
        #expect(
            bench.lastRemark?.contains("_kind: found 3; allowed: 1") ?? false, "\(bench.lastRemark ?? "")")
    }

    @Test("Lines are assembled from any parts, and ignored and empty lines are dropped")
    func lines() throws {
        var bench = try Self.bench(
            "value:\n  summary: A.\n  kind: event\n  from: out\n  line: \"v={a:integer}\"",
            out: #", lines: "\n", ignore: [OK]"#)
        #expect(bench.notify("out", text: "v=1\r\nv=") == [#"publish value {"a":1}"#])
        #expect(bench.notify("out", text: "22") == [])
        #expect(
            bench.notify("out", text: "\nOK\n\nv=3\n") == [
                #"publish value {"a":22}"#, #"publish value {"a":3}"#,
            ])
        #expect(bench.notify("out", text: "what\n") == ["count garbage", "remark warning"])
        #expect(bench.notify("out", text: "v=") == [])
        _ = bench.send(.disconnected)
        _ = bench.connect()
        _ = bench.subscribed("out")
        #expect(bench.notify("out", text: "5\n") == ["count garbage", "remark warning"])
    }

    @Test("A line that is too long is counted as garbage, and the next line is complete")
    func longLine() throws {
        var bench = try Self.bench(
            "value:\n  summary: A.\n  kind: event\n  from: out\n  line: \"v={a:text}\"",
            out: #", lines: "\r\n""#)
        for _ in 0..<60 { #expect(bench.notify("out", text: String(repeating: "x", count: 10)) == []) }
        #expect(
            bench.notify("out", text: "\r\nv=1\r\n") == [
                "count garbage", "remark warning", #"publish value {"a":"1"}"#,
            ])
    }

    @Test("A pause ends a line if the device sends no line end")
    func idle() throws {
        var bench = try Self.bench(
            "value:\n  summary: A.\n  kind: event\n  from: out\n  line: \"v={a:integer}\"",
            out: ", idle_ms: 50")
        bench.showsTimers = true
        #expect(bench.notify("out", text: "v=") == ["timer line.0 50"])
        #expect(bench.notify("out", text: "12") == ["timer line.0 50"])
        #expect(bench.timer("line.0", after: .milliseconds(50)) == [#"publish value {"a":12}"#])
    }

    @Test("A feature with two characteristics is published when all present characteristics have a value")
    func joined() throws {
        let text = Sample.text(
            features: """
                both:
                  summary: Both.
                  kind: state
                  from: [out, in]
                  packet: { out: [ { a: u8 } ], in: [ { b: u8 } ] }
                """
        ).replacing("setup: [ { subscribe: out } ]", with: "setup: [ { subscribe: out }, { subscribe: in } ]")
            .replacing("uuid: ff02", with: "uuid: ff02, optional: true")
        var bench = try MachineBench.online(text)
        #expect(bench.subscribed("in") == ["ready"])
        #expect(bench.notify("out", "01") == [])
        #expect(bench.notify("in", "02") == [#"publish both {"a":1,"b":2}"#])
        #expect(bench.notify("out", "03") == [#"publish both {"a":3,"b":2}"#])
        _ = bench.send(.disconnected)
        #expect(bench.connect(without: ["in"]) == ["subscribe out"])
        #expect(bench.subscribed("out") == ["ready"])
        #expect(bench.notify("out", "04") == [#"publish both {"a":4,"b":null}"#])
    }
}
