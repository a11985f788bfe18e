/// Names a characteristic of a device by its own UUID and its service's, since some devices use one UUID in
/// two services.
public struct CharacteristicID: Hashable, Sendable, CustomStringConvertible {
    /// The service that holds it.
    public let service: UUID
    /// The characteristic itself.
    public let uuid: UUID

    /// Makes a name of the two UUIDs.
    public init(service: UUID, uuid: UUID) {
        self.service = service
        self.uuid = uuid
    }

    /// The characteristic's short form in hex where it has one, else its full UUID.
    public var description: String {
        uuid.short.map { Hex.string(UInt64($0), digits: 4).uppercased() } ?? uuid.description
    }
}
