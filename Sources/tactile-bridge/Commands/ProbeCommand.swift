import ArgumentParser
import BlueZ
import Bluetooth
import BridgeConfiguration
import Commands
import DBus
import DeviceKit
import EventLoop
import HostServices
import Synchronization

/// The command `tactile-bridge probe`.
struct ProbeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "probe",
        abstract: "Shows the services and notifications of a Bluetooth Low Energy device.",
        discussion: """
            It connects, reads each readable characteristic, subscribes to all notifications, prints them, and \
            disconnects. It writes nothing and does not bond. The device may be connected to the bridge: both then use \
            the same connection, and the bridge receives notifications twice if both subscribe to them.

            With --file, it prints a draft of a device file instead; check it with tactile-bridge check-device.

            Examples:
              tactile-bridge scan
              tactile-bridge probe C0:FF:EE:00:00:01 --seconds 30
              tactile-bridge probe C0:FF:EE:00:00:01 --file > buzz.yaml
              tactile-bridge probe C0:FF:EE:00:00:01 --advertised --seconds 60
            """)

    @OptionGroup var source: ConfigurationOption

    @Argument(help: "The device's address, as scan shows it.", transform: ProbeCommand.address)
    var address: Bluetooth.Address

    @Option(help: ArgumentHelp("How long to print notifications, in seconds, 0 to 600.", valueName: "n"))
    var seconds = 10

    @Flag(help: "Prints a draft of a device file.")
    var file = false

    @Flag(help: "Does not connect, and shows the data that the device advertises.")
    var advertised = false

    func validate() throws {
        guard (0...600).contains(seconds) else {
            throw ValidationError("--seconds: found \(seconds); allowed: a whole number 0...600")
        }
    }

    private static func address(_ word: String) throws -> Bluetooth.Address {
        if let address = Bluetooth.Address(word[...]) { return address }
        throw ValidationError("found \(word); allowed: an address such as C0:FF:EE:00:00:01")
    }

    func run() async throws {
        let configuration = try source.loader.load()
        let bluetooth = configuration.settings.bluetooth
        let loop = try EventLoop.start(name: "probe")
        let settings = BlueZ.Settings(bus: DBus.Address(bluetooth.bus), adapters: Set(bluetooth.adapters))
        let probe = Probe(settings: settings, address: address, loop: loop)
        let (isFile, time) = (file, Duration.seconds(file ? 0 : seconds))
        let scanner = DeviceScanner(settings: bluetooth, loop: loop)
        do {
            try await withTaskExecutorPreference(loop) {
                try await scanner.examineRadio()
                if advertised { return try await listen(probe) }
                try await probe.run(for: time) { news in
                    switch news {
                    case .device(let device):
                        if isFile { return print(device.deviceFile, terminator: "") }
                        var shown = device
                        shown.families = device.fitting(configuration.families)
                        for line in shown.lines { print(line) }
                        if time > .zero { print("", "Notifications:", separator: "\n") }
                    case .notification(let id, let value, let time):
                        if !isFile { print(ProbedDevice.line(id, value, seconds: time / .seconds(1))) }
                    case .lost(let reason): RootCommand.complain(["the link was lost: \(reason)"])
                    case .advertisement: break
                    }
                }
            }
        } catch let error as BlueZError {
            let isHost = [.serviceAway, .noAdapter, .adapterOff, .accessDenied].contains(error.code)
            let remedy =
                (isHost ? error.remedy : nil)
                ?? source.keeping("tactile-bridge scan shows what is in range")
            throw CommandFailure(.unavailable, "\(address): \(error.reason); \(remedy)")
        }
        loop.stop()
    }

    /// Shows advertised data as it arrives, or prints a device file for all advertised data that was received.
    private func listen(_ probe: Probe) async throws {
        let file = file
        let collected = Mutex(Advertisement(address: address))
        try await probe.listen(for: .seconds(seconds)) { news in
            guard case .advertisement(let advertisement, let time) = news else { return }
            collected.withLock { all in
                all.name = advertisement.name ?? all.name
                all.serviceData.merge(advertisement.serviceData) { $1 }
                all.manufacturerData.merge(advertisement.manufacturerData) { $1 }
            }
            guard !file else { return }
            let tenths = Int(time / .milliseconds(100))
            for line in ProbedDevice.advertised(advertisement) {
                print("\(tenths / 10).\(tenths % 10) s  \(line)")
            }
        }
        let all = collected.withLock { $0 }
        guard !all.serviceData.isEmpty || !all.manufacturerData.isEmpty else {
            throw CommandFailure(
                .unavailable, "\(address): no advertised data in \(seconds) s; --seconds waits longer")
        }
        if file { print(ProbedDevice.deviceFile(advertisedBy: all), terminator: "") }
    }
}
