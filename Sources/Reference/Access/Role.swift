/// A role of a user of the broker, which defines what the user may read and send.
package enum Role: String, CaseIterable, Sendable {
    /// The bridge itself.
    case bridge
    /// Reads everything except typed text.
    case viewer
    /// Reads like a viewer; sends commands that cannot hurt anyone; adds and removes devices.
    case `operator`
    /// Reads like a viewer; drives robots.
    case driver
    /// Reads like a viewer, and reads typed text.
    case typist
    /// Reads like a viewer; records the traffic of devices.
    case recorder
    /// Reads like a viewer; restores the devices of a backup.
    case restorer
    /// Reads like a viewer, and reads the bridges' logs, which contain names of devices, addresses and commands.
    case logReader = "log-reader"
    /// Reads like a viewer; writes the roster, the list of the fleet's devices; drains bridges, so that other bridges
    /// take over their devices.
    case admin
    /// The account of the console on the broker. The console needs the rights of all its users, and itself limits what
    /// each user may do.
    case console

    /// The purpose of the role, for help and for the generated file.
    package var summary: String {
        switch self {
        case .bridge: "the bridge itself"
        case .viewer: "reads everything but typed text"
        case .operator:
            "reads as a viewer, sends commands that cannot hurt anyone, and adds and removes devices"
        case .driver: "reads as a viewer, and sets robots in motion"
        case .typist: "reads as a viewer, and reads typed text"
        case .recorder: "reads as a viewer, and makes the bridge record, typed text included"
        case .restorer: "reads as a viewer, and restores the devices of a backup"
        case .logReader: "reads as a viewer, and reads the logs of bridges"
        case .admin:
            "reads as a viewer, gives the devices of the fleet names, settings and groups, and drains bridges"
        case .console:
            "the console: a viewer, operator, driver and typist in one, which gives its users the roles of console.roles"
        }
    }
}
