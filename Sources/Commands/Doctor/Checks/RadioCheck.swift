import BlueZ
import Bluetooth

/// What the checks found out about the radio switches and the adapters.
package struct RadioFacts: Hashable, Sendable {
    /// A switch that can disable an adapter (rfkill(8)).
    package struct Switch: Hashable, Sendable {
        /// The name of the adapter, such as `hci0`, or a vendor's name for a key that controls several adapters.
        var name: String
        var isSoftBlocked: Bool
        /// Whether a hardware switch or a key blocks the adapter.
        var isHardBlocked: Bool
    }

    /// All radio switches for Bluetooth; nil if the kernel of this machine provides no list of switches.
    var switches: [Switch]?
    /// The names of the adapters in the kernel; nil if the kernel has no Bluetooth.
    var kernelAdapters: [String]?
    /// The adapters that BlueZ reports; nil if BlueZ did not answer.
    var controllers: [BlueZFacts.Controller]?
    /// The adapters in the configuration (`bluetooth.adapters`); empty for all.
    var wanted: [String] = []
    /// The id of this configuration's bridge; nil if it is unknown.
    var bridge: String?

    package init(
        switches: [Switch]? = nil, kernelAdapters: [String]? = nil,
        controllers: [BlueZFacts.Controller]? = nil, wanted: [String] = [], bridge: String? = nil
    ) {
        self.switches = switches
        self.kernelAdapters = kernelAdapters
        self.controllers = controllers
        self.wanted = wanted
        self.bridge = bridge
    }

    package var findings: [Finding] { radio + adapters }

    private func isWanted(_ controller: BlueZFacts.Controller) -> Bool {
        wanted.isEmpty || wanted.contains { Settings.isName($0, of: controller.name, controller.address) }
    }

    private var usable: [BlueZFacts.Controller] {
        (controllers ?? []).filter { isWanted($0) && $0.isPowered && $0.isLowEnergy != false }
    }

    /// A problem of one adapter is only a warning while another adapter can be used.
    private func verdict(_ summary: String, _ check: Finding.Check, _ remedies: [String]) -> Finding {
        usable.isEmpty ? .problem(check, summary, remedies) : .warning(check, summary, remedies)
    }

    private var radio: [Finding] {
        guard let switches else {
            return [.ok(.radio, "the kernel shows no radio switches here (/sys/class/rfkill)")]
        }
        let blocked = switches.filter { ($0.isHardBlocked || $0.isSoftBlocked) && isRelevant($0) }
        guard !blocked.isEmpty else { return [.ok(.radio, "no switch blocks Bluetooth")] }
        return blocked.map { entry in
            entry.isHardBlocked
                ? verdict(
                    "a switch or a key of the machine blocks \(entry.name)", .radio,
                    ["flip the switch, or press the key for wireless, then: rfkill list bluetooth"])
                : verdict(
                    "software blocks \(entry.name), as in airplane mode", .radio,
                    ["sudo rfkill unblock bluetooth"])
        }
    }

    /// Whether a switch affects an adapter of the configuration. A switch that is not named after an adapter may
    /// control all adapters.
    private func isRelevant(_ entry: Switch) -> Bool {
        let controller = controllers?.first { $0.name == entry.name }
        let isNamed = controller.map { isWanted($0) } ?? (wanted.isEmpty || wanted.contains(entry.name))
        return isNamed || !(kernelAdapters ?? []).contains(entry.name)
    }

    private var adapters: [Finding] {
        guard let controllers else { return unseen }
        guard !controllers.isEmpty else { return [none] }
        var findings: [Finding] = wanted.filter { entry in
            !Bluetooth.AdapterName.isProxy(entry)
                && !controllers.contains { Settings.isName(entry, of: $0.name, $0.address) }
        }.map {
            verdict(
                "bluetooth.adapters names \($0), which does not exist", .adapters,
                ["bluetoothctl list   # found: \(controllers.map(\.name).joined(separator: " "))"])
        }
        for controller in controllers where isWanted(controller) {
            if controller.isLowEnergy == false {
                findings.append(
                    verdict(
                        "\(controller.name) does not support Bluetooth Low Energy, which all devices require",
                        .adapters,
                        [
                            "grep ControllerMode /etc/bluetooth/main.conf   # bredr switches Low Energy off",
                            "plug in an adapter for Bluetooth 4.0 or newer",
                        ]))
            } else if !controller.isPowered {
                findings.append(
                    verdict(
                        "\(controller.name) is switched off", .adapters,
                        ["bluetoothctl power on", "rfkill list bluetooth   # if that fails"]))
            }
        }
        if !usable.isEmpty {
            let names = usable.map(\.name).joined(separator: " ")
            findings.insert(.ok(.adapters, "ready for Low Energy: \(names)"), at: 0)
        }
        return findings + holders
    }

    /// The findings about programs that use the adapters. The bridge waits for an adapter that another bridge uses.
    private var holders: [Finding] {
        (controllers ?? []).filter { isWanted($0) }.compactMap { controller in
            guard let holder = controller.holder else { return nil }
            guard let bridge, holder.bridge != bridge else {
                return .ok(.adapters, "\(controller.name) is in use by \(holder.words)")
            }
            return .warning(
                .adapters,
                "\(controller.name) is in use by \(holder.words): the bridge \(bridge) waits until it is free",
                [
                    "stop that bridge, or wait: this bridge takes over automatically",
                    "or give each bridge its own adapters: bluetooth.adapters",
                ])
        }
    }

    private var none: Finding {
        guard let kernelAdapters, !kernelAdapters.isEmpty else {
            return .problem(
                .adapters, "there is no Bluetooth adapter",
                [
                    "plug one in",
                    "lsusb; sudo dmesg | grep -i -e bluetooth -e firmware   # is one present, but not working?",
                ])
        }
        return .problem(
            .adapters,
            "the kernel has \(kernelAdapters.joined(separator: " ")), but bluetoothd shows no adapter",
            ["sudo systemctl restart bluetooth", "sudo dmesg | grep -i -e bluetooth -e firmware"])
    }

    /// The findings if BlueZ does not answer. They use only the kernel's list of adapters.
    private var unseen: [Finding] {
        guard let kernelAdapters, !kernelAdapters.isEmpty else {
            return [
                .problem(
                    .adapters, "the kernel has no Bluetooth adapter (/sys/class/bluetooth)",
                    [
                        "plug one in", "sudo modprobe btusb",
                        "in a container or a virtual machine: the adapter belongs to the host",
                    ])
            ]
        }
        return [
            .ok(
                .adapters, "the kernel has \(kernelAdapters.joined(separator: " ")); BlueZ could not be asked"
            )
        ]
    }
}
