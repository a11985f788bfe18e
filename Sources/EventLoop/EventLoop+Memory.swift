import CLinux

extension EventLoop {
    /// Gives the pages of the heap that are free back to the system. It takes some milliseconds of a heap of 20 MB, in
    /// which nothing else can be allocated.
    public static func returnFreeMemory() { _ = malloc_trim(0) }
}
