import EventLoop

// What the web server's thread hands over: stops come first with the beginning and the end of pages, and pass longer work that is under way.
extension Hub {
    /// Hands a letter over; from any thread.
    nonisolated func deliver(isUrgent: Bool = false, _ letter: @escaping Mailbox.Letter) {
        mailbox.add(isUrgent: isUrgent, letter)
        loop.execute { self.assumeIsolated { $0.readLetter() } }
    }

    private func readLetter() {
        guard let (number, letter) = mailbox.next() else { return }
        letter(self, number)
    }

    /// Carries out the stops that have come, and lets pages in and out. To be called between the pieces of longer work.
    func letStopsPass() {
        while let (number, letter) = mailbox.nextUrgent() { letter(self, number) }
    }
}
