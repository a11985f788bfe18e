package enum BridgeTimer: Hashable, Sendable {
    /// The end of the time in which devices may join.
    case permit
    /// Figures are due.
    case stats
    /// The bridge says again that it is there.
    case heartbeat
    /// Messages that came too often are heard.
    case intake
    /// The next echo of the ones that are sent as long as a robot is connected.
    case echo
    /// Another echo has to prove what the broker had in store.
    case marker
    /// The connection to the broker is left, with what piled up on it.
    case renewal
    /// Stored words of bridges that did not repeat them count no more.
    case patience
    /// Devices whose bridge is gone are taken up.
    case orphans
    /// Names are compared with the families that other bridges know by now.
    case families
    /// Another process with this bridge's id would have answered by now.
    case twin
    /// Bridges that have come are told that this one is there.
    case answer
    /// Devices without a link are announced to Home Assistant.
    case announcements
    /// What could not be kept is tried again.
    case saving
    /// The file of a recording gets what was taken down, or its time is over.
    case recording
    /// A scan is over.
    case scan
    /// What is said of all devices is said.
    case reports
    /// The devices may stand still since they were set up.
    case rest
    /// Lines of the log are published.
    case log
}
