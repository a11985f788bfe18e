/// A first-in, first-out queue in one array. Appending and removing the first element take constant time.
struct Queue<Element> {
    private var storage: [Element?] = []
    private var head = 0

    var count: Int { storage.count - head }
    var isEmpty: Bool { head == storage.count }
    var first: Element? { head < storage.count ? storage[head] : nil }

    mutating func append(_ element: Element) {
        storage.append(element)
    }

    mutating func popFirst() -> Element? {
        guard head < storage.count else { return nil }
        let element = storage[head]
        storage[head] = nil
        head += 1
        if head >= 64, head * 2 >= storage.count {
            storage.removeFirst(head)
            head = 0
        }
        return element
    }

    /// Removes the first matching element; the time is proportional to the number of elements before it.
    mutating func popFirst(where matches: (Element) -> Bool) -> Element? {
        guard var place = storage[head...].firstIndex(where: { $0.map(matches) ?? false }) else { return nil }
        while place > head {
            storage.swapAt(place, place - 1)
            place -= 1
        }
        return popFirst()
    }

    /// Inserts elements in front of all others, in their order.
    mutating func prepend(contentsOf elements: [Element]) {
        guard !elements.isEmpty else { return }
        storage.replaceSubrange(..<head, with: elements.map(Optional.some))
        head = 0
    }

    /// Removes all elements for which `isWanted` is false; returns their number.
    mutating func keep(where isWanted: (Element) -> Bool) -> Int {
        let before = count
        storage = storage[head...].filter { element in element.map(isWanted) ?? false }
        head = 0
        return before - count
    }

    mutating func removeAll() {
        storage = []
        head = 0
    }
}
