import CLinux

extension EventLoop {
    /// Returns free pages of the heap to the system. For a heap of 20 MB this takes some milliseconds, during which no
    /// other thread can allocate memory.
    public static func returnFreeMemory() { _ = malloc_trim(0) }
}
