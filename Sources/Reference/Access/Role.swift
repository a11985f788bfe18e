/// What a user of the broker may read and send.
package enum Role: String, CaseIterable, Sendable {
    /// The bridge itself.
    case bridge
    /// Reads everything but what a person types.
    case viewer
    /// Reads as a viewer, and commands whatever cannot hurt anybody; adds and removes devices.
    case `operator`
    /// Reads as a viewer, and sets robots in motion.
    case driver
    /// Reads as a viewer, and what a person types too.
    case typist
    /// Reads as a viewer, and records what comes and goes at the devices.
    case recorder
    /// Reads as a viewer, and has bridges take the devices of a backup.
    case restorer
    /// Reads as a viewer, and the bridges' logs, which name devices, addresses and commands.
    case logReader = "log-reader"
    /// Reads as a viewer, writes the roster of the fleet, and drains bridges.
    case admin
    /// The console, which gives each of its own users less.
    case console

    /// What the role is for, as help and the written file say it.
    package var summary: String {
        switch self {
        case .bridge: "the bridge itself"
        case .viewer: "reads everything but what a person types"
        case .operator:
            "reads as a viewer, commands whatever cannot hurt anybody, and adds and removes devices"
        case .driver: "reads as a viewer, and sets robots in motion"
        case .typist: "reads as a viewer, and what a person types"
        case .recorder: "reads as a viewer, and has the bridge record, what a person types included"
        case .restorer: "reads as a viewer, and has a bridge take the devices of a backup"
        case .logReader: "reads as a viewer, and the logs of bridges"
        case .admin:
            "reads as a viewer, gives the devices of the fleet names, settings and groups, and drains bridges"
        case .console:
            "the console: a viewer, operator, driver and typist in one, which gives its users the roles of console.roles"
        }
    }
}
