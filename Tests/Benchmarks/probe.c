/* Receives the taps as a subscriber of the broker, and sends commands as a user does. It implements MQTT 3.1.1 itself:
 * a library that reads each packet in three parts would be the slowest component. */
#include "rig.h"
#include <arpa/inet.h>
#include <netinet/tcp.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

static int broker;

static void write_all(const uint8_t *bytes, size_t count) {
	while (count > 0) {
		ssize_t written = write(broker, bytes, count);
		if (written <= 0) die("the broker does not take what is written");
		bytes += written;
		count -= (size_t)written;
	}
}

/* The topics of the measured messages, and the key of the mark in their payload. */
static const struct {
	const char *topic, *feature, *key;
} forms[] = {
	[TAP] = { "tap/8c%4x/%15s", "tapped", "\"combination\":" },
	[SENSOR] = { "b%4x/%15s", "measures", "\"count\":" },
};

/* Reads a PUBLISH of QoS 0: a length-prefixed topic, and the payload. */
static void take(const uint8_t *body, size_t size) {
	if (size < 2) return;
	size_t length = (size_t)body[0] << 8 | body[1];
	if (length + 2 > size) return;
	if (!first_message) first_message = now_ns();
	char topic[64] = { 0 }, payload[512] = { 0 };
	memcpy(topic, body + 2, length < sizeof topic ? length : sizeof topic - 1);
	size -= length + 2;
	memcpy(payload, body + 2 + length, size < sizeof payload ? size : sizeof payload - 1);
	if (kind == STRANGER) return;
	unsigned device;
	char end[16];
	const char *mark = strstr(payload, forms[kind].key);
	if (!mark || sscanf(topic, forms[kind].topic, &device, end) != 2 || strcmp(end, forms[kind].feature) != 0) return;
	mark += strlen(forms[kind].key);
	if (device < (unsigned)device_count) arrived(&taps[device], (unsigned)atoi(mark), TAP_MARKS);
}

static void *read_packets(void *unused) {
	(void)unused;
	static uint8_t buffer[1 << 20];
	size_t filled = 0;
	for (;;) {
		ssize_t got = read(broker, buffer + filled, sizeof buffer - filled);
		if (got <= 0) die("the broker closed the connection");
		filled += (size_t)got;
		size_t start = 0;
		for (;;) {
			size_t size = 0, at = start + 1;
			int shift = 0;
			while (at < filled && buffer[at] & 0x80) {
				size |= (size_t)(buffer[at++] & 0x7F) << shift;
				shift += 7;
			}
			if (at >= filled) break;
			size |= (size_t)buffer[at++] << shift;
			if (at + size > filled) break;
			if (buffer[start] >> 4 == 3) take(buffer + at, size);
			start = at + size;
		}
		memmove(buffer, buffer + start, filled - start);
		filled -= start;
		if (filled == sizeof buffer) die("a packet is too long");
	}
	return NULL;
}

void probe_open(int port, const char *filter) {
	struct sockaddr_in address = { .sin_family = AF_INET, .sin_port = htons((uint16_t)port),
		.sin_addr = { htonl(INADDR_LOOPBACK) } };
	broker = socket(AF_INET, SOCK_STREAM, 0);
	if (broker < 0 || connect(broker, (struct sockaddr *)&address, sizeof address) < 0) die("no broker");
	int on = 1;
	setsockopt(broker, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
	const uint8_t hello[] = { 0x10, 15, 0, 4, 'M', 'Q', 'T', 'T', 4, 2, 0, 0, 0, 3, 'r', 'i', 'g' };
	write_all(hello, sizeof hello);
	uint8_t answer[5];
	if (recv(broker, answer, 4, MSG_WAITALL) != 4 || answer[3] != 0) die("the broker refuses");
	size_t length = strlen(filter);
	uint8_t subscribe[128] = { 0x82, (uint8_t)(length + 5), 0, 1, 0, (uint8_t)length };
	if (length > 100) die("the filter is too long");
	memcpy(subscribe + 6, filter, length);
	write_all(subscribe, length + 7);
	if (recv(broker, answer, 5, MSG_WAITALL) != 5 || answer[4] == 0x80) die("the broker refuses the subscription");
	pthread_t thread;
	if (pthread_create(&thread, NULL, read_packets, NULL) != 0) die("no thread");
}

/* Makes a device vibrate for the number of hundredths of a second in the command's mark, with QoS 1. */
void probe_command(int device) {
	static uint16_t identifier;
	unsigned mark = depart(&commands[device], COMMAND_MARKS);
	if (!mark) return;
	uint8_t packet[64];
	char topic[40], payload[16];
	int length = snprintf(topic, sizeof topic, "tap/8c%04x/vibrate/set", device);
	int size = snprintf(payload, sizeof payload, "[%u]", mark * 10);
	if (++identifier == 0) identifier = 1;
	packet[0] = 0x32;
	packet[1] = (uint8_t)(2 + length + 2 + size);
	packet[2] = 0;
	packet[3] = (uint8_t)length;
	memcpy(packet + 4, topic, (size_t)length);
	packet[4 + length] = (uint8_t)(identifier >> 8);
	packet[5 + length] = (uint8_t)identifier;
	memcpy(packet + 6 + length, payload, (size_t)size);
	write_all(packet, (size_t)(6 + length + size));
}
