/// What is needed to answer a received call.
struct CallOrigin {
    let sender: String?
    let serial: UInt32
    let wantsReply: Bool
    /// The types that the answer must have.
    let returns: Signature
    /// The called method, for the log.
    let operation: String

    func answer(_ values: [Value]) -> Message {
        var message = Message(kind: .methodReturn, arguments: values)
        message.destination = sender
        message.replySerial = serial
        return message
    }

    func answer(_ error: DBusError) -> Message {
        let isName = Syntax.isErrorName(error.name)
        var message = Message(
            kind: .error, arguments: [.string(Syntax.isCString(error.message) ? error.message : "")])
        message.destination = sender
        message.replySerial = serial
        message.errorName = isName ? error.name : DBusError.Name.failed
        return message
    }
}
