import Testing

@testable import tactile_demo

@Suite("A recorded demonstration as an animation")
struct FilmTests {
    private static let recording = """
        {"at":1000,"received":"{\\"device\\":\\"belt\\",\\"event\\":\\"link\\",\\"connected\\":true}"}
        {"at":4000,"typed":"belt/vibrate/set 90"}
        {"at":4100,"received":"{\\"device\\":\\"belt\\",\\"event\\":\\"feel\\",\\"motors\\":[{\\"motor\\":4,\\"intensity\\":50}]}"}
        """

    @Test("The animation shows a line as it is typed, and then its effect; each frame has its time")
    func frames() throws {
        let recording = try Recording(Self.recording)
        #expect(recording.entries.map(\.line).joined(separator: "\n") == Self.recording)
        let film = Film(recording, hints: Sample.hints, broker: "localhost", width: 80, height: 24)
        let prompts = film.frames.map { $0.canvas.lines.last ?? "" }
        #expect(prompts.first == ">")
        #expect(prompts.contains("> belt/vibr"))
        #expect(prompts.contains("> belt/vibrate/set 90"))
        #expect(prompts.last == ">")
        #expect(film.frames.last?.canvas.lines.contains { $0.contains("[4]") } == true)
        #expect(film.frames.map(\.at) == film.frames.map(\.at).sorted())
    }

    @Test("The animation contains each part once, and is reproducible")
    func drawing() throws {
        let film = Film(
            try Recording(Self.recording), hints: Sample.hints, broker: "a<b&c", width: 80, height: 24)
        let svg = film.svg(title: "a < b")
        #expect(svg == film.svg(title: "a < b"))
        #expect(svg.contains("<title>a &lt; b</title>"))
        #expect(svg.contains("a&lt;b&amp;c"))
        // A constant part exists once and is always visible; the motor appears with its background and stays.
        #expect(svg.matches(of: /<g><text[^>]*>belt press home/).count == 1)
        let motor = try #require(svg.firstMatch(of: /<g class="a t(\d+) s"><rect[^>]*><text[^>]*>\[4\]</))
        let time = "@keyframes k\(motor.1){"
        #expect(svg.contains("\(time)0%{visibility:hidden}"))
        #expect(!svg.contains("\(time)0%{visibility:visible}"))
        #expect(svg.hasSuffix("</svg>\n"))
    }

    @Test("An invalid line is reported with what is expected")
    func mistake() {
        #expect {
            _ = try Recording("{\"at\":1,\"typed\":\"x\"}\n{\"at\":-1}")
        } throws: { error in
            "\(error)".hasPrefix("line 2: expected {\"at\":<milliseconds>")
                && "\(error)".hasSuffix("{\"at\":-1}")
        }
    }

    @Test(
        "Numbers have at most two decimals",
        arguments: [(0.0, "0"), (8.4, "8.4"), (1.05, "1.05"), (33.3333, "33.33"), (100, "100")])
    func numbers(value: Double, text: String) { #expect(Film.number(value) == text) }
}
