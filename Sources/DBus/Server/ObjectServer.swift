/// Answers the calls of exported objects; belongs to the loop's thread.
final class ObjectServer: CallReceiver {
    var objects = ObjectTree()
    /// The calls that wait for their answers.
    var answers: [UInt64: CallOrigin] = [:]
    var handlerTasks: [UInt64: Task<Void, Never>] = [:]

    func receive(_ call: IncomingMessage, on connection: isolated Connection) { connection.receiveCall(call) }

    func connectionEnded() {
        let tasks = handlerTasks.values
        (handlerTasks, answers) = ([:], [:])
        for task in tasks { task.cancel() }
    }
}

extension Connection {
    /// The server of the exported objects, created on first use.
    var server: ObjectServer {
        if let server = callReceiver as? ObjectServer { return server }
        let server = ObjectServer()
        callReceiver = server
        return server
    }
}
