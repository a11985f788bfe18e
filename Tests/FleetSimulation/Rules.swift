/// Rules that are taken out of a simulation, to see which promise needs which.
///
/// What the machines are told, or what is done with what they say, is changed here; the machines have no switches.
package enum BrokenRule: String, CaseIterable, Sendable {
    /// A bridge does not hear what others claim.
    case yield
    /// Who says something last counts, whatever its epoch.
    case epochs
    /// What the broker has in store counts as known before it has arrived, and those that it names as alive.
    case settling
    /// A bridge whose link is claimed falls silent, without asking the device.
    case challenge
    /// Nobody speaks in the place of a bridge that is gone.
    case warden
    /// A bridge says nothing against a claim in its own name that it did not make.
    case ownName
    /// A new holder goes on with what the former one was told.
    case freshCommands
    /// A command counts however long it was under way.
    case promptCommands
    /// What the former holder was about is taken up however old it is.
    case intentAge
}
