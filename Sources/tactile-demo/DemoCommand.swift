import ArgumentParser
// `stdout` is a global variable, which this program never changes.
@preconcurrency import Glibc

/// The command `tactile-demo`: the screen of `deploy/demo`, with input from the simulator and an MQTT client.
@main
struct DemoCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "tactile-demo",
        abstract: "Draws the demonstration that deploy/demo starts, and takes what is typed into it.",
        discussion: """
            It reads lines from each --feed: reports of 'tactile-simulator --json', messages as \
            'mosquitto_sub -F %j' prints them, and lines of the bridge's log. What is typed goes, as whole lines, \
            to --acts, or as 'TOPIC PAYLOAD' to --messages.

            On a terminal it is one screen; without one each event is a line. NO_COLOR turns colours off.

            With --play it draws a session that --keep recorded as an SVG on standard output.
            """)

    @Option(
        help: ArgumentHelp("Where lines come from: a pipe; may be given several times.", valueName: "path"))
    var feed: [String] = []
    @Option(help: ArgumentHelp("Where lines for the simulator go.", valueName: "path"))
    var acts: String?
    @Option(help: ArgumentHelp("Where messages to publish go.", valueName: "path"))
    var messages: String?
    @Option(help: ArgumentHelp("What can be typed, in pages.", valueName: "file"))
    var hints: String?
    @Option(help: ArgumentHelp("The broker, as the title shows it.", valueName: "name"))
    var broker = ""
    @Option(help: ArgumentHelp("What all topics begin with, such as demo/.", valueName: "text"))
    var prefix = ""
    @Option(help: ArgumentHelp("Where the console is.", valueName: "address"))
    var link: String?
    @Option(help: ArgumentHelp("End after so long.", valueName: "number"))
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
