import Bluetooth
import DeviceKit

/// Some writes that went out together, and the commands that are answered when the last one is done.
struct RobotBatch: Hashable, Sendable {
    /// The writes that are under way.
    private(set) var open: Set<WriteToken> = []
    /// The write to the buttons characteristic.
    let buttonsToken: WriteToken
    /// What that write says.
    let buttons: RobotButtons
    /// The commands that it carries out.
    var commands: [CommandID] = []
    /// Why one of them failed.
    private(set) var error: OperationError?

    /// Notes writes of which the last is to the buttons characteristic, or the one named.
    init(_ tokens: [WriteToken], buttonsToken: WriteToken, buttons: RobotButtons) {
        open = Set(tokens)
        self.buttonsToken = buttonsToken
        self.buttons = buttons
    }

    /// Takes a completed write.
    ///
    /// - Returns: Whether it was the last one.
    mutating func completed(_ token: WriteToken, _ result: Result<Void, OperationError>) -> Bool {
        guard open.remove(token) != nil else { return false }
        if case .failure(let error) = result { self.error = self.error ?? error }
        return open.isEmpty
    }
}
