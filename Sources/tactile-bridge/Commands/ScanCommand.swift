import ArgumentParser
import BlueZ
import BridgeConfiguration
import Commands
import EventLoop
import HostServices
import Terminal

/// The command `tactile-bridge scan`.
struct ScanCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "scan",
        abstract: "Searches for devices in range, and shows what to type to let them join.",
        discussion: """
            Devices of supported families come first, the strongest signal first. On a terminal, the table grows \
            during the search. It connects no device and lets none join; a bridge may need longer to connect a device \
            during the search. It requires neither a broker nor a running bridge.

            Below the devices, it lists up to 64 ESPHome devices on the network, if the host runs Avahi, also without \
            Bluetooth. They may be Bluetooth proxies. It connects to none of them.

            Examples:
              tactile-bridge scan
              tactile-bridge scan --seconds 60 --json
            """)

    @OptionGroup var source: ConfigurationOption

    @Option(help: ArgumentHelp("How long to search, in seconds, 1 to 600.", valueName: "n"))
    var seconds = 15

    @Flag(help: "One JSON object per line and Bluetooth device, at the end of the search.")
    var json = false

    func validate() throws {
        guard (1...600).contains(seconds) else {
            throw ValidationError("--seconds: found \(seconds); allowed: a whole number 1...600")
        }
    }

    func run() async throws {
        let configuration = try source.loader.load()
        let book = DeviceBook(configuration)
        let bluetooth = configuration.settings.bluetooth
        let loop = try EventLoop.start(name: "scan")
        let scanner = DeviceScanner(settings: bluetooth, loop: loop)
        let (found, candidates) = await withTaskExecutorPreference(loop) {
            () async -> (Result<[DeviceRow], any Error>, [ProxyCandidate]) in
            async let candidates = json ? nil : CandidateProbe(bus: bluetooth.bus).candidates(on: loop)
            do {
                try await scanner.examineRadio()
                return (
                    .success(await search(scanner, book, on: json ? nil : Screen())), await candidates ?? []
                )
            } catch {
                return (.failure(error), await candidates ?? [])
            }
        }
        loop.stop()
        let proxies = candidates.table(bluetooth.proxies).map(source.keeping)
        // A host without Bluetooth can use proxies.
        if case .failure = found { for line in proxies { print(line.printable) } }
        let rows = try found.get()
        if json {
            for row in rows { print(row.line) }
        } else {
            let advice = JoinAdvice(settings: configuration.settings, file: configuration.file).lines(rows)
                .map(source.keeping)
            let sections = [advice, proxies].filter { !$0.isEmpty }.flatMap { [""] + $0 }
            for line in rows.nearby + sections { print(line.printable) }
        }
    }

    private func search(_ scanner: DeviceScanner, _ book: DeviceBook, on screen: Screen?) async -> [DeviceRow]
    {
        defer { screen?.end() }
        var nearby = Nearby()
        let end = EventLoop.now + .seconds(seconds)
        await scanner.watch(for: .seconds(seconds), isSearching: true, screen: screen) { snapshot in
            nearby.take(snapshot.devices)
            let left = Int(((end - EventLoop.now) / .seconds(1)).rounded(.up))
            screen?.draw(["Searching, \(max(left, 0)) s left.   q quits", ""] + nearby.rows(book).nearby)
            return true
        }
        return nearby.rows(book)
    }
}
