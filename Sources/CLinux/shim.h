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
