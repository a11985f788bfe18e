import DBus

/// What the checks found out about D-Bus and bluetoothd: whether the bus is running, whether BlueZ's bus name has an
/// owner, and how BlueZ answered.
package struct BusFacts: Hashable, Sendable {
    /// The result of the connection to the bus.
    enum Connection: Hashable, Sendable {
        case open
        /// The connection failed, with the D-Bus name of the error and its message.
        case failed(name: String, message: String)
    }

    /// BlueZ's answer to the request for its objects.
    package enum Answer: Hashable, Sendable {
        /// The name `org.bluez` has no owner: bluetoothd is not running.
        case nobody
        /// The D-Bus policy does not allow the request.
        case denied(String)
        /// BlueZ did not answer, or the answer was invalid; contains the reason.
        case failed(String)
        case objects(BlueZFacts)
    }

    /// The bus as the configuration names it: `system`, or a D-Bus address.
    var bus: String
    var user: String
    var isRoot = false
    var connection: Connection
    package var answer = Answer.nobody
    var isInstalled: Bool
    /// The names of the adapters in the kernel; nil if the kernel has no Bluetooth.
    var kernelAdapters: [String]?

    package var findings: [Finding] {
        switch connection {
        case .failed(let name, let message): [unreached(name, message)]
        case .open: [reached] + service
        }
    }

    private var reached: Finding {
        guard isRoot, bus == "system" else { return .ok(.bus, "the bus \(bus) answers \(user)") }
        return .ok(
            .bus, "the bus \(bus) answers root, which has all permissions; the service runs as another user",
            [StateFacts.asService("/var/lib/tactile-bridge")])
    }

    private func unreached(_ name: String, _ message: String) -> Finding {
        switch name {
        case "org.freedesktop.DBus.Error.FileNotFound":
            .problem(
                .bus, "there is no D-Bus on this machine: \(message)",
                [
                    "sudo apt install dbus && sudo systemctl start dbus",
                    "in a container: mount the host's socket, -v /run/dbus:/run/dbus",
                ])
        case DBusError.Name.accessDenied, "org.freedesktop.DBus.Error.AuthFailed":
            .problem(
                .bus, "the bus \(bus) rejects \(user): \(message)",
                [
                    "ls -l /run/dbus/system_bus_socket   # every user needs rw",
                    "in a container: run with the user id of a user of the host",
                ])
        case DBusError.Name.badAddress:
            .problem(
                .bus, "\(bus) is not the address of a bus: \(message)",
                ["correct bluetooth.bus: system, or an address such as unix:path=/run/dbus/system_bus_socket"]
            )
        case DBusError.Name.noReply:
            .problem(
                .bus, "the bus \(bus) does not answer: its daemon hangs",
                ["systemctl status dbus", "sudo reboot   # restarting only the bus ends the whole session"])
        default:
            .problem(
                .bus, "the bus \(bus) cannot be reached: \(message)",
                ["sudo systemctl start dbus", "systemctl status dbus"])
        }
    }

    private var service: [Finding] {
        switch answer {
        case .nobody: [absent]
        case .denied(let message):
            [
                .problem(
                    .bluez, "bluetoothd is running, but the bus does not let \(user) use it: \(message)",
                    [
                        "sudo adduser \(user) bluetooth   # then log in again",
                        "sudo systemctl reload dbus   # if the package was installed just now",
                    ])
            ]
        case .failed(let message):
            [
                .problem(
                    .bluez, "bluetoothd is running, but does not list its objects: \(message)",
                    ["sudo systemctl restart bluetooth", "journalctl -u bluetooth -n 30"])
            ]
        case .objects(let facts): facts.findings
        }
    }

    private var absent: Finding {
        guard isInstalled else {
            return .problem(
                .bluez, "bluetoothd is not installed, and no program on the bus \(bus) replaces it",
                ["sudo apt install bluez"])
        }
        guard kernelAdapters != nil else {
            return .problem(
                .bluez,
                "bluetoothd is not running: the kernel has no Bluetooth, which systemd requires to start it",
                [
                    "plug an adapter in", "sudo modprobe btusb",
                    "sudo dmesg | grep -i -e bluetooth -e firmware",
                ])
        }
        return .problem(
            .bluez, "bluetoothd is not running",
            ["sudo systemctl enable --now bluetooth", "journalctl -u bluetooth -n 30"])
    }
}
