public import Bluetooth

extension [any DeviceFamily] {
    /// Finds the family of a name; nil for a name that is not one.
    public func named(_ name: String) -> (any DeviceFamily)? { first { $0.name == name } }

    /// Finds the first family that recognizes an advertisement; nil where none does.
    public func recognizing(_ advertisement: Advertisement) -> (any DeviceFamily)? {
        first { $0.recognises(advertisement) }
    }
}
