/// Serves the devices of a ``World`` over a radio, an imagined or a real one.
///
/// The server owns the world inside its own isolation, hands in what happens, carries out the outputs in order
/// and keeps one timer for ``World/nextDeadline``.
public protocol PeripheralServer: Actor {
    /// Puts the devices on the air and switches them on; returns once clients can find them.
    func start() async throws
    /// Carries out a line of a person who plays with the devices, such as `belt press home`.
    func perform(line: String) async
    /// Takes the devices off the air.
    func stop() async
}
