package import DeviceKit
package import JSON

/// The entity by which Home Assistant shows a feature, instead of the entities that its fields suggest.
package enum EntityEntry: Hashable, Sendable {
    case light(Light)
    /// A field of the command that is a Boolean or one of two words.
    case control(String, Control.Form)
    /// A field of the report that is a Boolean or one of two words.
    case binarySensor(String)
    /// A field of the event, whose words are the types of the event.
    case event(String)
    /// One button for each payload of the command.
    case buttons([JSON.Value])
}
