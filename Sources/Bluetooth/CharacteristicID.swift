/// Identifies a characteristic by its UUID and the UUID of its service, since some devices use one UUID in two
/// services.
public struct CharacteristicID: Hashable, Sendable, CustomStringConvertible {
    /// The UUID of the service.
    public let service: UUID
    /// The UUID of the characteristic.
    public let uuid: UUID

    /// Creates an identifier from the two UUIDs.
    public init(service: UUID, uuid: UUID) {
        self.service = service
        self.uuid = uuid
    }

    /// The characteristic's short form in hex if it has one, otherwise its full UUID.
    public var description: String {
        uuid.short.map { Hex.string(UInt64($0), digits: 4).uppercased() } ?? uuid.description
    }
}
