// Linux as Swift sees it, where the Glibc module does not. Only what is needed stands here, each with its reason.
#pragma once

// A timer as a descriptor (timerfd_create(2)), by the clock that counts suspend: poll itself goes by one that does
// not. Declared here and not included, because <sys/timerfd.h> would bring <time.h> into a second module, and with
// it another `timespec` than Glibc's. The values are an `itimerspec`.
extern int timerfd_create(int clock, int flags);
extern int timerfd_settime(int descriptor, int flags, const void *value, void *former);
// Of the flags, TFD_NONBLOCK and TFD_CLOEXEC are O_NONBLOCK and O_CLOEXEC.
enum { TFD_TIMER_ABSTIME = 1 };

// Gives pages that the heap does not use back to the system (malloc_trim(3)), all but `kept` bytes at its end. Not in
// the Glibc module, and declared here since <malloc.h> would bring <stdio.h> into a second one.
extern int malloc_trim(unsigned long kept);

// Whether the clock is synchronized (adjtimex(2)). The parameter is a `timex`, which the Glibc module does not
// have; all zero it changes nothing, and no version of it is longer than 256 bytes.
extern int adjtimex(void *settings);

// Waits for many descriptors (epoll(7)). Not in the Glibc module, and declared here for the reason above. The kernel's
// record of an event is packed on x86_64 alone.
#ifdef __x86_64__
struct __attribute__((packed)) epoll_record {
#else
struct epoll_record {
#endif
	unsigned int events;
	unsigned long data;
};
extern int epoll_create1(int flags);
extern int epoll_ctl(int epoll, int call, int descriptor, void *event);
extern int epoll_wait(int epoll, void *events, int capacity, int milliseconds);
// Of the flags, EPOLL_CLOEXEC is O_CLOEXEC.
enum { EPOLL_CTL_ADD = 1, EPOLL_CTL_DEL = 2, EPOLL_CTL_MOD = 3 };
enum { EPOLLIN = 1, EPOLLOUT = 4, EPOLLERR = 8, EPOLLHUP = 16 };
