import Bluetooth
import DeviceKit

/// Writes that were sent together, and the commands that are answered when the last write is complete.
struct RobotBatch: Hashable, Sendable {
    /// Identifies the write to the buttons characteristic.
    let buttonsToken: WriteToken
    /// The value that is written to the buttons characteristic.
    let buttons: RobotButtons
    /// The commands that these writes carry out.
    var commands: [CommandID] = []
    /// The error of the first write that failed; nil if none failed.
    private(set) var error: OperationError?
    private var open: Set<WriteToken>

    init(_ tokens: [WriteToken], buttonsToken: WriteToken, buttons: RobotButtons) {
        open = Set(tokens)
        self.buttonsToken = buttonsToken
        self.buttons = buttons
    }

    var answer: Answer { error.map { .failed(CommandError($0)) } ?? .ok }

    /// Records a completed write.
    ///
    /// - Returns: Whether the completed write was the last write of the batch.
    mutating func completed(_ token: WriteToken, _ result: WriteResult) -> Bool {
        guard open.remove(token) != nil else { return false }
        if case .failure(let error) = result { self.error = self.error ?? error }
        return open.isEmpty
    }
}
