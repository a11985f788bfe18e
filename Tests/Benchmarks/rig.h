/* The measuring rig: a look-alike of BlueZ that makes the load, and an MQTT client that sees what becomes of it.
 * Both live in one process, so that one clock and one table of stamps serve them. */
#pragma once
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
	MAX_DEVICES = 1024,
	/* How many of a device's messages may be under way; a power of two. */
	RING = 4096,
};

/* The moments at which a device's messages were sent, in the order of sending. */
struct flow {
	_Atomic uint64_t stamps[RING];
	_Atomic uint32_t sent;
	_Atomic uint32_t received;
};

/* What was measured since a phase began. */
struct record {
	uint32_t *microseconds_x10;
	_Atomic size_t count;
	size_t capacity;
	_Atomic uint64_t lost, strange;
};

extern int device_count;
extern struct flow taps[MAX_DEVICES], commands[MAX_DEVICES];
extern struct record record;
extern _Atomic uint64_t first_message, first_event;

uint64_t now_ns(void);
void die(const char *what);
/* Notes that `device`'s message with `mark` arrived: marks count from 1 to `marks` and over again. */
void arrived(struct flow *flow, unsigned mark, unsigned marks);
/* Sends the stamp of the next message and returns its mark; 0 if too many are under way. */
unsigned depart(struct flow *flow, unsigned marks);

/* bluez.c */
enum { TAP_MARKS = 31, COMMAND_MARKS = 200 };
void bluez_open(const char *address);
int bluez_descriptor(void);
/* Whether something waits to be written. */
bool bluez_has_more(void);
/* Handles what waits; returns after at most one pass over it. */
void bluez_dispatch(void);
void bluez_tap(int device);
int bluez_subscribed(void);
extern bool taps_on_subscription;

/* probe.c */
void probe_open(int port, const char *filter);
void probe_command(int device);
