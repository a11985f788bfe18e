/// Rules that can be disabled in a simulation, to show which promise needs which rule.
///
/// The simulation changes the inputs of the state machines, or the handling of their outputs. The state machines have
/// no switches.
package enum BrokenRule: String, CaseIterable, Sendable {
    /// A bridge ignores the claims of other bridges.
    case yield
    /// The last claim counts, whatever its epoch.
    case epochs
    /// Retained messages count as complete before they have arrived, and the bridges in them as online.
    case settling
    /// A bridge whose link is claimed yields without proving the link.
    case challenge
    /// No bridge takes over from an offline bridge.
    case warden
    /// A bridge does not respond to forged claims in its name.
    case ownName
    /// A new owner executes the last command to the previous one.
    case freshCommands
    /// A command is obeyed however long it was in transit.
    case promptCommands
    /// The task of the previous owner is resumed whatever its age.
    case intentAge
    /// A device moves although it is used.
    case idle
    /// A device moves to a host that receives it hardly better.
    case moveMargin
    /// Offers count whatever their age.
    case offerAge
    /// A bridge moves a device any number of times.
    case moveLimit
    /// A bridge counts only its own moves of a device.
    case moveCount
    /// Bridges make no offers for devices of other bridges.
    case moveOffers
}
