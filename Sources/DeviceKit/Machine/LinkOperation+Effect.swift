public import Bluetooth

extension LinkOperation {
    /// The operation that an effect asks for; nil for an effect that asks nothing of the link.
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
