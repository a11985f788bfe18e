/// Answers the calls of what a connection exports; belongs to the loop's thread.
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
    /// What answers for the exported objects; made when it is needed first.
    var server: ObjectServer {
        if let server = callReceiver as? ObjectServer { return server }
        let server = ObjectServer()
        callReceiver = server
        return server
    }
}
