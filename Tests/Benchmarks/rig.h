/* The measuring rig: a replacement of BlueZ that creates the load, and an MQTT client that receives the results. Both
 * run in one process, so that they share one clock and one table of timestamps. */
#pragma once
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
	MAX_DEVICES = 1024,
	/* The maximum number of a device's messages in transit; a power of two. */
	RING = 4096,
};

/* The times at which a device's messages were sent, in order. */
struct flow {
	_Atomic uint64_t stamps[RING];
	_Atomic uint32_t sent;
	_Atomic uint32_t received;
};

/* The measurements since the start of a phase. */
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
/* Records that `device`'s message with `mark` arrived: marks count from 1 to `marks` repeatedly. */
void arrived(struct flow *flow, unsigned mark, unsigned marks);
/* Records the timestamp of the next message and returns its mark; 0 if too many are in transit. */
unsigned depart(struct flow *flow, unsigned marks);

/* bluez.c */
/* The devices: TAPs, or devices that only advertise: sensors of BTHome, or devices that no family matches. */
extern enum kind { TAP, SENSOR, STRANGER } kind;
enum { TAP_MARKS = 31, COMMAND_MARKS = 200 };
void bluez_open(const char *address);
int bluez_descriptor(void);
/* Whether output is pending. */
bool bluez_has_more(void);
/* Handles pending input and output; returns after at most one pass. */
void bluez_dispatch(void);
void bluez_tap(int device);
/* A report of a device that only advertises, with new data. */
void bluez_report(int device);
/* A report with a new address; BlueZ removes the object of an earlier address. */
void bluez_pass(int device);
int bluez_subscribed(void);
extern bool taps_on_subscription;
/* The time that an adapter needs for each connection, one after the other; 0: all devices are connected. The services
 * of a device are resolved half this time later. */
extern uint64_t connection_ns;
/* Completes the connections that are due, and returns the time of the next step; UINT64_MAX if none is pending. */
uint64_t bluez_connect(void);

/* probe.c */
void probe_open(int port, const char *filter);
void probe_command(int device);
