import BridgeConfiguration
import Console
import EventLoop
import HostServices
import JSON
import Logging
import MQTT
import Reference

// Plain HTTP requests of browsers, and the decision which requests may become a page's WebSocket.
extension Hub {
    /// Answers a plain HTTP request. May be called from any thread.
    nonisolated func respond(to request: Request, with answer: @escaping @Sendable (Response) -> Void) {
        deliver(isUrgent: request.isStop) { hub, number in
            if request.isStop { hub.lastStop = max(hub.lastStop, number) }
            hub.respond(request, answer)
        }
    }

    /// Decides whether a request may become a page's WebSocket. May be called from any thread.
    ///
    /// - Parameter answer: Receives the ticket for ``opened(_:session:)``; nil if the request is refused.
    nonisolated func admit(_ request: Request, _ answer: @escaping @Sendable (String?) -> Void) {
        deliver { hub, _ in answer(hub.ticket(request)) }
    }

    /// The name of the session's cookie. It contains the console's address, so that several consoles on one host use
    /// different cookies.
    private var cookieName: String {
        let number = settings.console.listen.utf8.reduce(UInt32(2_166_136_261)) {
            ($0 ^ UInt32($1)) &* 16_777_619
        }
        return "tactile_console_\(String(number, radix: 16))"
    }

    /// Returns the response that refuses a WebSocket; nil if the request may become a WebSocket.
    private func refusal(_ request: Request) -> Response? {
        if let complaint = entrance.complaint(origin: request) { return .text(403, complaint) }
        guard let session = session(request), !session.roles.isEmpty else {
            return .text(401, "log in first")
        }
        guard tabs.count + tickets.count < Self.tabLimit else {
            return .text(503, "\(Self.tabLimit) pages are open: close one")
        }
        return nil
    }

    private func ticket(_ request: Request) -> String? {
        guard request.method == "GET", request.path == "/socket", entrance.complaint(host: request) == nil,
            refusal(request) == nil, let session = session(request)
        else { return nil }
        let ticket = Token.make()
        tickets[ticket] = session
        // A ticket counts as an open page, so an unused ticket expires.
        _ = loop.schedule(after: .seconds(10)) { self.tickets[ticket] = nil }
        return ticket
    }

    /// Returns the session of a request; nil if a login is required.
    func session(_ request: Request) -> Session? {
        let way = entrance.way(request)
        func session(_ id: String, _ user: String?) -> Session {
            Session(id: id, user: user, roles: roles.roles(of: user, over: way))
        }
        switch settings.console.login {
        case .none: return session("", nil)
        case .proxy: return entrance.proxyUser(request).map { session("", $0) }
        case .token, .broker:
            guard let cookie = request.cookie(cookieName),
                let known = book.find(sessionFile.id(of: cookie), at: EventLoop.now)
            else { return nil }
            return session(known.id, known.user)
        }
    }

    private func respond(_ request: Request, _ answer: @escaping @Sendable (Response) -> Void) {
        if let complaint = entrance.complaint(host: request) { return answer(.text(403, complaint)) }
        switch (request.method, request.path) {
        case ("GET", "/api/health"): answer(health)
        case ("GET", "/api/session"): answer(json(status(request)))
        case ("GET", "/socket"):
            answer(refusal(request) ?? .text(426, "this path accepts only WebSockets"))
        case ("GET", let path), ("HEAD", let path):
            if path.hasPrefix("/api/") { return answer(.text(404, "not found: \(path)")) }
            page(path, acceptsGzip: request.acceptsGzip, answer)
        case ("POST", let path):
            if let complaint = entrance.complaint(origin: request) { return answer(.text(403, complaint)) }
            switch path {
            case "/api/login": login(request, answer)
            case "/api/logout": answer(logout(request))
            case "/api/stop": stop(request, answer)
            default: answer(.text(404, "not found: \(path)"))
            }
        default: answer(.text(405, "found \(request.method.prefix(16)); allowed: GET HEAD POST"))
        }
    }

    func json(_ value: JSON.Value, status: Int = 200) -> Response {
        Response(
            status, headers: ["Content-Type": "application/json", "Cache-Control": "no-store"],
            body: value.bytes)
    }

    private var health: Response {
        guard let shared else { return json(["status": "ok"]) }
        return json(["status": .string(shared.isConnected ? "ok" : "no_broker")])
    }

    private func status(_ request: Request) -> JSON.Value {
        let session = session(request)
        return [
            "login": .string(settings.console.login.rawValue), "logged_in": .bool(session != nil),
            "user": session?.user.map { .string($0) } ?? .null, "roles": Words.roles(session?.roles ?? []),
        ]
    }

    /// Reads a file of the page, or its compressed copy, on another thread, because the disk may be slow.
    private func page(
        _ path: String, acceptsGzip: Bool, _ answer: @escaping @Sendable (Response) -> Void
    ) {
        guard let (name, type) = PageFiles.file(path) else {
            return answer(.text(404, "there is no such file"))
        }
        let file = "\(pageFolder)/\(name)"
        do {
            try loop.offload {
                Result { () throws(FileAccess.Failure) in
                    let packed =
                        acceptsGzip ? try? FileAccess.read("\(file).gz", limit: PageFiles.sizeLimit) : nil
                    if let packed { return (bytes: packed, isPacked: true) }
                    return (bytes: try FileAccess.read(file, limit: PageFiles.sizeLimit), isPacked: false)
                }
            } then: { result in
                switch result {
                case .success(let found):
                    var headers = [
                        "Content-Type": type, "Cache-Control": PageFiles.caching(name),
                        "Vary": "Accept-Encoding",
                    ]
                    if found.isPacked { headers["Content-Encoding"] = "gzip" }
                    answer(Response(200, headers: headers, body: found.bytes))
                case .failure(let failure):
                    answer(.text(failure.isMissing ? 404 : 500, "there is no such file"))
                }
            }
        } catch {
            answer(.text(503, "the file cannot be read now: try again"))
        }
    }

    // MARK: Logging in

    /// Returns the response that refuses logins from the address of a request; nil if they are allowed.
    func refusal(login request: Request) -> Response? {
        guesses.admits(entrance.client(request) ?? "unix", at: EventLoop.now)
            ? nil : .text(429, "too many logins failed: wait a minute")
    }

    private func login(_ request: Request, _ answer: @escaping @Sendable (Response) -> Void) {
        if let refusal = refusal(login: request) { return answer(refusal) }
        let peer = entrance.client(request) ?? "unix"
        let body = (try? JSON.Value(parsing: request.body))?.object
        let isEncrypted = entrance.isEncrypted(request)
        switch settings.console.login {
        case .token:
            guard let found = body?["token"]?.string, Array(found.utf8).isSame(as: token) else {
                return answer(failed(peer))
            }
            answer(welcome(nil, isEncrypted).response)
        case .broker:
            guard let user = body?["user"]?.string, let password = body?["password"]?.string, !user.isEmpty
            else {
                return answer(failed(peer))
            }
            // A login counts as failed until the broker has answered, which limits concurrent attempts.
            guesses.fail(peer, at: EventLoop.now)
            connect(user, password) { line, response in
                guard let line else { return answer(response) }
                self.guesses.forgive(peer)
                let (session, response) = self.welcome(user, isEncrypted)
                self.lines[session.id] = line
                answer(response)
            }
        case .proxy, .none: answer(.text(404, "this console has no login"))
        }
    }

    private func failed(_ peer: String) -> Response {
        guesses.fail(peer, at: EventLoop.now)
        logger.warning("a login failed", metadata: ["from": "\(peer)"])
        return .text(401, "the login is not correct")
    }

    /// Creates a session, and the response with its cookie.
    private func welcome(_ user: String?, _ isEncrypted: Bool) -> (session: Session, response: Response) {
        let value = Token.make()
        let session = Session(id: sessionFile.id(of: value), user: user, roles: [])
        for gone in book.add(session, at: EventLoop.now) { forget(gone) }
        saveBookSoon()
        let cookie =
            "\(cookieName)=\(value); HttpOnly; SameSite=Strict; Path=/; Max-Age=\(SessionBook.longest.components.seconds)"
            + (isEncrypted ? "; Secure" : "")
        return (session, Response(204, headers: ["Set-Cookie": cookie, "Cache-Control": "no-store"]))
    }

    /// Checks a user name and a password by connecting to the broker. After a successful login, the session uses this
    /// connection.
    private func connect(_ user: String, _ password: String, _ done: @escaping (Line?, Response) -> Void) {
        let line = makeLine(as: (user, password))
        let name = ObjectIdentifier(line)
        newcomers[name] = line
        let timer = loop.schedule(after: .seconds(10)) {
            guard self.newcomers.removeValue(forKey: name) != nil else { return }
            line.close()
            done(nil, .text(503, "the broker does not answer"))
        }
        line.onOutcome = { error in
            timer.cancel()
            self.newcomers[name] = nil
            guard let error else { return done(line, .text(204, "")) }
            line.close()
            let isRefused = error.code == .badCredentials || error.code == .notAuthorized
            self.logger.warning("a login failed", metadata: ["user": "\(user)", "reason": "\(error)"])
            done(
                nil,
                isRefused
                    ? .text(401, "the broker rejects this user name or password") : .text(503, "\(error)"))
        }
        line.run()
    }

    private func logout(_ request: Request) -> Response {
        if let cookie = request.cookie(cookieName), let session = book.remove(sessionFile.id(of: cookie)) {
            forget(session)
            saveBookSoon()
        }
        return Response(
            204, headers: ["Set-Cookie": "\(cookieName)=; HttpOnly; SameSite=Strict; Path=/; Max-Age=0"])
    }

    /// Closes the pages and the broker connection of a session.
    func forget(_ session: Session) {
        guard !session.id.isEmpty else { return }
        for tab in tabs.values where tab.session.id == session.id { dismiss(tab, "logged_out", "logged out") }
        lines.removeValue(forKey: session.id)?.close()
    }

    /// Returns the broker connection for a session's commands.
    func line(of session: Session) -> Line? { shared ?? lines[session.id] }
}
