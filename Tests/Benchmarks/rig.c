/* Runs the phases of a measurement as lines on standard input request them, and answers each with a line of JSON. */
#define _GNU_SOURCE
#include "rig.h"
#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <time.h>
#include <unistd.h>

int device_count;
struct flow taps[MAX_DEVICES], commands[MAX_DEVICES];
struct record record;
_Atomic uint64_t first_message, first_event;

uint64_t now_ns(void) {
	struct timespec time;
	clock_gettime(CLOCK_MONOTONIC, &time);
	return (uint64_t)time.tv_sec * 1000000000u + (uint64_t)time.tv_nsec;
}

void die(const char *what) {
	fprintf(stderr, "rig: %s%s%s\n", what, errno ? ": " : "", errno ? strerror(errno) : "");
	exit(1);
}

unsigned depart(struct flow *flow, unsigned marks) {
	uint32_t number = flow->sent;
	if (number - flow->received >= RING) return 0;
	flow->stamps[number % RING] = now_ns();
	flow->sent = number + 1;
	return number % marks + 1;
}

void arrived(struct flow *flow, unsigned mark, unsigned marks) {
	uint64_t now = now_ns();
	uint32_t number = flow->received;
	if (mark < 1 || mark > marks || number == flow->sent) {
		record.strange++;
		return;
	}
	/* Messages of one device arrive in order: a mark that is ahead shows how many were lost. */
	uint32_t missing = (mark - 1 + marks - number % marks) % marks;
	if (number + missing >= flow->sent) {
		record.strange++;
		return;
	}
	record.lost += missing;
	number += missing;
	uint64_t latency = (now - flow->stamps[number % RING]) / 100;
	size_t index = record.count;
	if (index < record.capacity) {
		record.microseconds_x10[index] = latency > UINT32_MAX ? UINT32_MAX : (uint32_t)latency;
		record.count = index + 1;
	}
	flow->received = number + 1;
	if (!first_event) first_event = now;
}

static int ascending(const void *left, const void *right) {
	uint32_t a = *(const uint32_t *)left, b = *(const uint32_t *)right;
	return (a > b) - (a < b);
}

static uint64_t total(const struct flow *flows, bool received) {
	uint64_t sum = 0;
	for (int i = 0; i < device_count; i++) sum += received ? flows[i].received : flows[i].sent;
	return sum;
}

/* Waits until BlueZ has input or output, or until a moment. */
static void rest(uint64_t until) {
	uint64_t next = bluez_connect(), now = now_ns();
	struct timespec time = { 0, 0 };
	if (next < until) until = next;
	if (until > now) time.tv_nsec = until - now < 999999999 ? (long)(until - now) : 999999999;
	short writes = bluez_has_more() ? POLLOUT : 0;
	struct pollfd entry = { .fd = bluez_descriptor(), .events = (short)(POLLIN | writes) };
	if (ppoll(&entry, 1, &time, NULL) > 0) bluez_dispatch();
}

static void begin(size_t capacity) {
	free(record.microseconds_x10);
	record.microseconds_x10 = calloc(capacity, sizeof(uint32_t));
	if (!record.microseconds_x10) die("no memory");
	record.capacity = capacity;
	record.count = record.lost = record.strange = 0;
	for (int i = 0; i < device_count; i++) {
		taps[i].received = taps[i].sent;
		commands[i].received = commands[i].sent;
	}
}

static double percentile(double share) {
	if (!record.count) return 0;
	size_t index = (size_t)(share * (double)record.count);
	return record.microseconds_x10[index < record.count ? index : record.count - 1] / 10.0;
}

/* Waits until all messages have arrived, or none arrives for a while, and prints the result. */
static void finish(struct flow *flows, uint64_t begun, uint64_t sent_before, uint64_t late) {
	uint64_t progress = now_ns(), seen = 0, sent = total(flows, false);
	double duration = (double)(now_ns() - begun) / 1e9;
	uint64_t in_time = record.count;
	while (total(flows, true) < sent && now_ns() - progress < 2000000000u) {
		rest(now_ns() + 1000000);
		if (record.count != seen) {
			seen = record.count;
			progress = now_ns();
		}
	}
	double whole = (double)(now_ns() - begun) / 1e9;
	qsort(record.microseconds_x10, record.count, sizeof(uint32_t), ascending);
	printf("{\"sent\":%lu,\"received\":%zu,\"lost\":%lu,\"strange\":%lu,\"seconds\":%.3f,\"drained\":%.3f,"
	       "\"rate\":%.0f,\"p50\":%.1f,\"p99\":%.1f,\"p999\":%.1f,\"max\":%.1f,\"late_ms\":%.2f}\n",
	       sent - sent_before, record.count, record.lost + (sent - total(flows, true)), record.strange, duration,
	       whole, (double)in_time / duration, percentile(0.5), percentile(0.99), percentile(0.999),
	       percentile(1), (double)late / 1e6);
	fflush(stdout);
}

/* Each device sends `rate` messages a second, evenly spread. "Late" is the delay of the rig itself. */
static void pace(struct flow *flows, void (*send)(int), double rate, double seconds) {
	double interval = 1e9 / (rate * device_count);
	uint64_t count = (uint64_t)(rate * device_count * seconds), late = 0;
	begin(count + 1000);
	uint64_t before = total(flows, false), begun = now_ns();
	for (uint64_t number = 0; number < count; number++) {
		uint64_t due = begun + (uint64_t)((double)number * interval), now;
		while ((now = now_ns()) < due) rest(due);
		if (now - due > late) late = now - due;
		/* A rig that never sleeps must also check its input. */
		if (number % 16 == 0) rest(0);
		send((int)(number % (uint64_t)device_count));
	}
	finish(flows, begun, before, late);
}

/* Sends as fast as messages arrive, with a limited number in transit: the highest sustained rate. */
static void flood(uint64_t window, double seconds) {
	begin((size_t)(200000 * seconds));
	uint64_t before = total(taps, false), begun = now_ns(), end = begun + (uint64_t)(seconds * 1e9), sent = 0;
	while (now_ns() < end) {
		if (sent - record.count - record.lost >= window) {
			rest(now_ns() + 50000);
			continue;
		}
		if (sent % 16 == 0) rest(0);
		bluez_tap((int)(sent++ % (uint64_t)device_count));
	}
	finish(taps, begun, before, 0);
}

static void obey(char *line) {
	double rate, seconds;
	unsigned long window;
	int wanted;
	if (sscanf(line, "taps %lf %lf", &rate, &seconds) == 2) {
		pace(taps, bluez_tap, rate, seconds);
	} else if (sscanf(line, "commands %lf %lf", &rate, &seconds) == 2) {
		pace(commands, probe_command, rate, seconds);
	} else if (sscanf(line, "reports %lf %lf", &rate, &seconds) == 2) {
		pace(taps, bluez_report, rate, seconds);
	} else if (sscanf(line, "addresses %lf %lf", &rate, &seconds) == 2) {
		pace(taps, bluez_pass, rate, seconds);
	} else if (sscanf(line, "flood %lu %lf", &window, &seconds) == 2) {
		flood(window, seconds);
	} else if (sscanf(line, "subscribed %d %lf", &wanted, &seconds) == 2) {
		uint64_t end = now_ns() + (uint64_t)(seconds * 1e9);
		while (bluez_subscribed() < wanted && now_ns() < end) rest(now_ns() + 1000000);
		printf("{\"subscribed\":%d,\"at\":%lu}\n", bluez_subscribed(), now_ns());
		fflush(stdout);
	} else if (sscanf(line, "first %lf", &seconds) == 1) {
		uint64_t end = now_ns() + (uint64_t)(seconds * 1e9);
		while (!first_event && now_ns() < end) rest(now_ns() + 1000000);
		printf("{\"message\":%lu,\"event\":%lu}\n", first_message, first_event);
		fflush(stdout);
	} else {
		die("a line is not understood");
	}
}

int main(int count, char **arguments) {
	const char *bus = NULL, *filter = "tap/+/tapped";
	int port = 0, option;
	while ((option = getopt(count, arguments, "b:p:n:f:sc:k:")) != -1) {
		switch (option) {
		case 'b': bus = optarg; break;
		case 'p': port = atoi(optarg); break;
		case 'n': device_count = atoi(optarg); break;
		case 'f': filter = optarg; break;
		case 'c': connection_ns = strtoull(optarg, NULL, 10) * 1000000u; break;
		case 's': taps_on_subscription = true; break;
		case 'k': kind = strcmp(optarg, "sensor") == 0 ? SENSOR : STRANGER; break;
		default: bus = NULL;
		}
	}
	if (!bus || !port || device_count < 1 || device_count > MAX_DEVICES) {
		fprintf(stderr, "usage: rig -b BUS -p BROKER-PORT -n DEVICES [-f FILTER] [-s] [-c MS] [-k sensor|stranger]\n");
		return 64;
	}
	prctl(PR_SET_TIMERSLACK, 1000);
	begin(1000);
	probe_open(port, filter);
	bluez_open(bus);
	printf("{\"ready\":true}\n");
	fflush(stdout);
	char line[200];
	size_t length = 0;
	for (;;) {
		struct pollfd entries[] = { { .fd = 0, .events = POLLIN }, { .fd = bluez_descriptor(), .events = POLLIN } };
		poll(entries, 2, connection_ns ? 1 : -1);
		if (entries[1].revents) bluez_dispatch();
		bluez_connect();
		if (!entries[0].revents) continue;
		ssize_t got = read(0, line + length, 1);
		if (got <= 0) return 0;
		if (line[length] == '\n') {
			line[length] = 0;
			length = 0;
			obey(line);
		} else if (++length == sizeof line) {
			die("a line is too long");
		}
	}
}
