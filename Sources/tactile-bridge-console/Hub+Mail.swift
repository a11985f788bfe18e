import EventLoop

// What the web server's thread hands over: stops come first, and pass longer work that is under way.
extension Hub {
    /// Hands a letter over; from any thread.
    nonisolated func deliver(isStop: Bool = false, _ letter: @escaping Mailbox.Letter) {
        mailbox.add(isStop: isStop, letter)
        loop.execute { self.assumeIsolated { $0.readLetter() } }
    }

    private func readLetter() {
        guard let (number, letter) = mailbox.next() else { return }
        letter(self, number)
    }

    /// Carries out the stops that have come. To be called between the pieces of longer work.
    func letStopsPass() {
        while let (number, letter) = mailbox.nextStop() { letter(self, number) }
    }
}
