import ArgumentParser
// `@preconcurrency` is needed for `stdout`: Swift rejects the use of a global variable that may change. This program
// never changes it.
@preconcurrency import Glibc

/// The command `tactile-demo`: the terminal screen of `deploy/demo`. It reads the output of the simulator and of an
/// MQTT client.
@main
struct DemoCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "tactile-demo",
        abstract: "Draws the demonstration that deploy/demo starts, and forwards typed lines.",
        discussion: """
            It reads lines from each --feed: reports of 'tactile-simulator --json', messages from \
            'mosquitto_sub -F %j', and lines of the bridge's log. Typed lines go to --acts, or as \
            'TOPIC PAYLOAD' to --messages.

            On a terminal it is one screen; otherwise each event is one line. NO_COLOR disables colors.

            With --play it draws a session that --keep recorded as an SVG on standard output.
            """)

    @Option(
        help: ArgumentHelp("A pipe with lines to read; repeatable.", valueName: "path"))
    var feed: [String] = []
    @Option(help: ArgumentHelp("The pipe for lines to the simulator.", valueName: "path"))
    var acts: String?
    @Option(help: ArgumentHelp("The pipe for messages to publish.", valueName: "path"))
    var messages: String?
    @Option(help: ArgumentHelp("The hints about what you can type, in pages.", valueName: "file"))
    var hints: String?
    @Option(help: ArgumentHelp("The broker's name in the title.", valueName: "name"))
    var broker = ""
    @Option(help: ArgumentHelp("The prefix of all topics, such as demo/.", valueName: "text"))
    var prefix = ""
    @Option(help: ArgumentHelp("The address of the console.", valueName: "address"))
    var link: String?
    @Option(help: ArgumentHelp("Exit after this number of seconds.", valueName: "number"))
    var seconds: Int?
    @Option(help: ArgumentHelp("Record the session in this file.", valueName: "file"))
    var keep: String?
    @Option(help: ArgumentHelp("Draw a recorded session as an SVG.", valueName: "file"))
    var play: String?

    static func main() {
        do {
            var command = try parseAsRoot()
            try command.run()
        } catch {
            guard exitCode(for: error).isSuccess else { exit(withError: error) }
            print(fullMessage(for: error))
        }
        guard fflush(stdout) != 0 else { return }
        Descriptor.write(
            "standard output cannot be written: \(String(cString: strerror(errno)))\n", to: STDERR_FILENO)
        Glibc.exit(74)
    }

    func validate() throws {
        if let seconds, seconds < 1 { throw ValidationError("--seconds \(seconds): expected 1 or more.") }
    }

    func run() throws {
        var hintTexts = Hints()
        if let hints { hintTexts = Hints(try TextFile.read(hints)) }
        if let play {
            let recording: Recording
            do {
                recording = try Recording(try TextFile.read(play))
            } catch let failure as Recording.Failure {
                throw ValidationError("\(play): \(failure)")
            }
            let film = Film(recording, hints: hintTexts, broker: broker, width: 80, height: 24)
            let title =
                "A terminal with the demonstration: a belt's ring of sixteen motors, a TAP's fingers and a robot"
            StandardOutput.write(film.svg(title: title))
            return
        }
        var scene = Scene()
        scene.hints = hintTexts
        scene.broker = broker
        scene.prefix = prefix
        scene.link = link
        let show = try Show(
            scene: scene, feeds: feed, acts: acts, messages: messages, keep: keep, seconds: seconds)
        show.run()
    }
}
