/// Serves the devices of a ``World`` over a simulated or a real radio.
///
/// The server owns the world within its isolation, passes events to it, carries out the outputs in order and keeps one
/// timer for ``World/nextDeadline``.
public protocol PeripheralServer: Actor {
    /// Publishes the devices and switches them on. Returns when clients can find them.
    func start() async throws
    /// Executes a user's live line, such as `belt press home`.
    func perform(line: String) async
    /// Stops serving the devices and removes them from the radio.
    func stop() async
}
