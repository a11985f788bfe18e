import HostTesting

/// The hundred devices of the soak, and their present configuration.
struct Fleet: Sendable {
    /// The families, with the number of devices of each.
    enum Family: String, CaseIterable, Sendable {
        case belt
        case tap
        case robot

        var count: Int {
            switch self {
            case .belt, .tap: 40
            case .robot: 20
            }
        }
    }

    /// A device with its name in the simulator, which is also its topic unless it is renamed.
    struct Device: Hashable, Sendable {
        let family: Family
        let number: Int

        var name: String { "\(family.rawValue.prefix(1))\(number)" }
        /// The name of the device while it is renamed.
        var otherName: String { "\(name)x" }
        var address: String {
            let digits = String(number, radix: 16, uppercase: true)
            let last = digits.count < 2 ? "0" + digits : digits
            return
                "C0:FF:EE:5A:\(["belt": "0B", "tap": "0C", "robot": "0D"][family.rawValue] ?? "00"):\(last)"
        }

        /// Whether reloads and requests remove this device and add it again. The ledgers ignore what happens
        /// to it in between.
        var isMovable: Bool { number > family.count - 3 }
        /// Whether this device sends garbage occasionally, so that its events do not come from its wearer only.
        var isNoisy: Bool { !isMovable && number > family.count - 9 }
    }

    /// A change by a reload.
    enum Change: Hashable, Sendable {
        /// Removes the device from the file, or adds it again.
        case presence(Device)
        /// Changes between the device's two names.
        case name(Device)
        /// Changes a setting of this device only.
        case setting(Device)
        case logLevel
        /// A file with an error, which must change nothing.
        case mistake
    }

    static let devices = Family.allCases.flatMap { family in
        (1...family.count).map { Device(family: family, number: $0) }
    }
    static let adapters = 2

    private(set) var absent: Set<Device> = []
    private(set) var renamed: Set<Device> = []
    /// The device that was renamed last, and its former name.
    private(set) var former: (device: Device, topic: String)?
    private var special: Set<Device> = []
    private var isVerbose = false

    /// The devices in the file.
    var present: [Device] { Self.devices.filter { !absent.contains($0) } }

    func topic(_ device: Device) -> String { renamed.contains(device) ? device.otherName : device.name }

    /// Applies a change, and returns the text of the changed file.
    mutating func apply(_ change: Change) -> String {
        switch change {
        case .presence(let device): absent.formSymmetricDifference([device])
        case .name(let device):
            former = (device, topic(device))
            renamed.formSymmetricDifference([device])
        case .setting(let device): special.formSymmetricDifference([device])
        case .logLevel: isVerbose.toggle()
        case .mistake: return configuration + "robot: { max_lease_ms: 1 }\n"
        }
        return configuration
    }

    /// The bridge's configuration file.
    var configuration: String {
        let lines = present.map { device in
            let setting = special.contains(device) ? Self.setting(device.family) : ""
            return
                "  \(topic(device)): { family: \(device.family), address: \"\(device.address)\"\(setting) }\n"
        }
        return """
            bluetooth: { join: configured }
            belt: { orientation_period_ms: 2000 }
            log: { level: \(isVerbose ? "debug" : "info") }
            devices:
            \(lines.joined())
            """
    }

    private static func setting(_ family: Family) -> String {
        switch family {
        case .belt: ", orientation_min_change: 5"
        case .tap: ", default_input_mode: controller_mouse_hid"
        case .robot: ", power_timeout_s: 60"
        }
    }

    /// The simulator's scenario.
    static func scenario(seed: UInt64) -> String {
        let lines = devices.map { device in
            let bond = device.family == .tap ? ", bonded: true" : ""
            let type = device.family == .robot ? ", address_type: public" : ""
            return
                "  \(device.name): { kind: \(device.family), address: \"\(device.address)\"\(bond)\(type) }\n"
        }
        return """
            seed: \(seed >> 1)
            bluez: { adapters: \(adapters), connect_time: 20ms, resolve_time: 30ms, supervision_timeout: 1s }
            devices:
            \(lines.joined())
            """
    }
}
