import Bluetooth
import DeviceKit

/// A link that the session has, and what holds only as long as it is there.
struct Linked {
    let link: any DeviceLink
    /// What the state machine asked of the link and is not done yet.
    var operations = OperationQueue()
    /// The characteristics whose last write failed.
    var failedWrites: Set<CharacteristicID> = []
    /// The adapter that the device is reached over, as long as that is said.
    var adapter: String?
    /// Whether the device can be used.
    var isReady = false
    /// Whether the state machine says its last words before a disconnect.
    var isParting = false
    /// Whether the state machine asked for the end of the link.
    var wantsDisconnect = false
    /// Why the state machine gave up on the link.
    var failure: DeviceFailure?
    /// The bridge that this one lets the device go to, and whether the link stays, since that one uses it too.
    var successor: String?
    var staysForSuccessor = false
    /// The proof of the link that is under way.
    var proof: DeviceSession.LinkProof?

    init(_ link: any DeviceLink) {
        self.link = link
        adapter = link.adapter
    }
}

// What the other parts of a session ask about its link.
extension DeviceSession {
    var link: (any DeviceLink)? { linked?.link }
    var adapter: String? { linked?.adapter }
    var isReady: Bool { linked?.isReady ?? false }
    var isParting: Bool { linked?.isParting ?? false }
    var wantsDisconnect: Bool { linked?.wantsDisconnect ?? false }
    var hasWrites: Bool { linked?.operations.hasWrites ?? false }
}
