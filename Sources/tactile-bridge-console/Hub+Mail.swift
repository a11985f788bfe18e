import EventLoop

// The queue of messages from the web server's thread (``Mailbox``). Stops, and the opening and closing of pages, come
// first. They are also processed between the parts of longer work.
extension Hub {
    /// Queues a handler of a message. May be called from any thread.
    nonisolated func deliver(isUrgent: Bool = false, _ letter: @escaping Mailbox.Letter) {
        mailbox.add(isUrgent: isUrgent, letter)
        loop.execute { self.assumeIsolated { $0.readLetter() } }
    }

    private func readLetter() {
        guard let (number, letter) = mailbox.next() else { return }
        letter(self, number)
    }

    /// Carries out the stops that have arrived, and opens and closes pages. Called between the parts of longer work.
    func letStopsPass() {
        while let (number, letter) = mailbox.nextUrgent() { letter(self, number) }
    }
}
