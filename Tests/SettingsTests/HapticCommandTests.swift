import Testing

@Suite("haptic show")
struct HapticCommandTests {
    @Test("A drawing extends to the end of the rendering, which can last longer than the pattern")
    func longer() throws {
        let outcome = try BuiltCommand.run(["haptic", "show", "normal", "--family", "finder"])
        let lines = outcome.output.split(separator: "\n")
        #expect(lines.first == "normal: 0.1 s, 1 events")
        #expect(lines.contains { $0.hasSuffix(": renders all but timing; 2 writes") })
        #expect(lines.filter { $0.hasPrefix("     0 s") }.map { $0.suffix(5) } == ["0.1 s", "0.2 s"])
    }

    @Test(
        "Only a pattern with envelopes is described as one",
        arguments: [
            (#""EventType":"HapticTransient","EventParameters":[]"#, ""),
            (
                #""EventType":"HapticContinuous","EventDuration":0.1,"#
                    + #""EventParameters":[{"ParameterID":"AttackTime","ParameterValue":0.5}]"#,
                ", with envelopes"
            ),
        ])
    func envelopes(event: String, ending: String) async throws {
        try await ConfigurationScope.with { scope in
            // The taps are too close to be told apart, which is a loss without envelopes.
            let path = try scope.write(
                "row.ahap", #"{"Pattern":[{"Event":{"Time":0,\#(event)}},{"Event":{"Time":0.03,\#(event)}}]}"#
            )
            let outcome = try BuiltCommand.run(["haptic", "show", path, "--family", "belt"])
            #expect(outcome.output.split(separator: "\n").first?.hasSuffix(" s, 2 events\(ending)") == true)
        }
    }
}
