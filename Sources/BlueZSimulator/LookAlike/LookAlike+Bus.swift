import DBus
import EventLoop
import Logging

extension LookAlike {
    /// Carries out an output of the daemon.
    func perform(_ output: Output) {
        switch output {
        case .reply(let number, let values): answers.removeValue(forKey: number)?.succeed(values)
        case .failure(let number, let error):
            if let answer = answers.removeValue(forKey: number) {
                answer.fail(error)
            } else {
                refusals[number] = error
            }
        case .added(let path, let interfaces):
            let declared = interfaces.map(declare)
            onBus { try $0.export(declared, at: path) }
        case .removed(let path, let names): onBus { $0.unexport(names, at: path) }
        case .changed(let path, let interface, let properties):
            let values = Dictionary(properties.map { ($0.name, $0.value) }, uniquingKeysWith: { $1 })
            onBus { try $0.setProperties(values, of: interface, at: path) }
        case .askAgent(let question, let call): ask(question, call)
        case .tellAgent(let call): onBus { try $0.send(Self.message(call)) }
        case .openChannel(let number, let call, let mtu): openSocket(number, call: call, mtu: mtu)
        case .closeChannel(let number): sockets.removeValue(forKey: number)?.close()
        case .send(let number, let bytes): sockets[number]?.send(bytes)
        case .remember(let known): memory?.write(known)
        case .ready:
            isReady = true
            readiness?.resume()
            readiness = nil
        case .report(let event): report(event)
        }
    }

    /// Runs the body on the bus connection immediately, which is possible because the connection uses the same event
    /// loop.
    private func onBus(_ body: @Sendable (isolated Connection) throws -> Void) {
        guard let connection else { return }
        do {
            try connection.assumeIsolated { try body($0) }
        } catch let error as DBusError where error.code == .closed {
            // The connection is closed, so no client can receive the message. The error is ignored.
        } catch {
            logger.error("a message cannot be sent on D-Bus", metadata: ["reason": "\(error)"])
        }
    }

    private func declare(_ interface: Output.Interface) -> Interface {
        let declaration = InterfaceDeclaration.all[interface.name] ?? InterfaceDeclaration()
        let values = Dictionary(interface.properties.map { ($0.name, $0.value) }, uniquingKeysWith: { $1 })
        return Interface(
            interface.name,
            methods: declaration.methods.map { method in
                .deferred(method.name, takes: method.takes, returns: method.returns) {
                    [weak self] call, answer in
                    self?.assumeIsolated { $0.receive(call, answer) }
                }
            },
            properties: declaration.properties.map { property in
                guard property.isWritable else {
                    return Property(
                        property.name, property.type, values[property.name] ?? nil,
                        emits: property.name == "MTU" ? .nothing : .value)
                }
                return Property(
                    property.name, property.type, values[property.name] ?? nil, access: .readWrite
                ) { [weak self] call, value in
                    try await self?.set(property.name, value, call)
                }
            })
    }

    private func receive(_ call: MethodCall, _ answer: DBus.Answer) {
        let number = makeNumber()
        answers[number] = answer
        run { daemon, now in
            daemon.handle(
                Call(
                    number: number, sender: call.sender, path: call.path, interface: call.interface,
                    member: call.member, arguments: call.arguments), at: now)
        }
    }

    /// Sets a property for a client. The daemon answers immediately.
    private func set(_ name: String, _ value: Value, _ call: MethodCall) async throws {
        while isFrozen { await withCheckedContinuation { thawing.append($0) } }
        let number = makeNumber()
        run { daemon, now in
            daemon.handle(
                Call(
                    number: number, sender: call.sender, path: call.path, interface: "Set", member: name,
                    arguments: [value]), at: now)
        }
        if let error = refusals.removeValue(forKey: number) { throw error }
    }

    private func ask(_ question: Int, _ call: Output.AgentCall) {
        guard let connection else { return }
        do {
            try connection.start(Self.message(call), timeout: .seconds(60), for: self) { server, result in
                var error: String?
                if case .failure(let failure) = result { error = (failure as? DBusError)?.name ?? "" }
                server.run { daemon, now in daemon.agentAnswered(question, error: error, at: now) }
            }
        } catch {
            loop.execute { [weak self] in
                self?.assumeIsolated {
                    $0.run { daemon, now in daemon.agentAnswered(question, error: "", at: now) }
                }
            }
        }
    }

    private static func message(_ call: Output.AgentCall) -> Message {
        Message(
            call: call.member, of: BlueZName.agent, at: call.path, on: call.owner, call.arguments)
    }
}
