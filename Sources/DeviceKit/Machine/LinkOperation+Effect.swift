public import Bluetooth

extension LinkOperation {
    /// Creates the read, write or subscription that an effect requests; nil for an effect that does not use the link.
    public init?(_ effect: Effect) {
        switch effect {
        case .write(let write): self = .write(write)
        case .read(let id): self = .read(id)
        case .subscribe(let id): self = .subscribe(id)
        case .unsubscribe(let id): self = .unsubscribe(id)
        default: return nil
        }
    }
}
