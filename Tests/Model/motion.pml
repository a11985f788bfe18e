/* Motion and stops: senders, broker, bridge (gate, leases, echo), guardian, BlueZ and one robot.
 *
 * README.md in this folder describes what is modeled, what is left out, and how to read a trace. `run` checks the whole
 * model, and the model without each of its rules.
 *
 * Time advances in ticks of 250 ms. Between two ticks every process takes any number of steps, in any order. A running
 * process executes its due steps at a tick; a frozen process does nothing until it wakes.
 *
 * Choices at compile time:
 *   SENDERS 1|2   people with a stick; the phone of each holds one command
 *   HAZARDS 1|2   1: wheels; 2: wheels (sender 0) and weapon (sender 1), each with its own lease
 *   NET           commands and echoes travel and may be late, lost or duplicated; without it they arrive at once
 *   FREEZE        the bridge freezes and wakes
 *   HOST          the guardian does too; both are killed; no guardian can be started; BlueZ rejects writes; the robot's
 *                 link breaks; power is commanded
 *   REPEATS       a program repeats power on at every tick, without a person
 *   CALM          at some tick the faults end, people release the sticks and command again, and P4 is checked
 *   BUDGET n      at most n faults; without it any number
 *   ROOM 1|2      commands that wait between broker and bridge
 *   POWER_ON_CONNECT   the bridge switches the power on without a command
 *   ECHO_0, HOLD_0, SLOW_0, SLOW_1   0|1: properties of the senders (see Senders)
 *   BY_CLOCK      another form of the rule for the end of a stop (see IS_QUIET), which is valid as well
 *   ONLY n        checks only property n
 *   NO_...        removes a rule; the comment at the rule names its switch
 */

/* ==== Durations, in ticks. Only their order matters: QUIET <= DELAY, and a slow lease is longer than QUIET. */

#define DELAY      2  /* max_path_delay_ms: the maximum age of the echo that a command relies on */
#define OLD        3  /* older than DELAY, by any amount */
#define LEASE      2  /* duration_ms of a command */
#define SLOW_LEASE 3  /* duration_ms of a sender that sends only every second tick; also max_lease_ms */
#define QUIET      2  /* 500 ms: the silence of moving commands that a stop requires to end */
#define STILL_MAX  5  /* SLOW_LEASE + DELAY: a longer silence makes no difference */
#define PATIENCE   1  /* how long after a deadline the guardian leaves the end of the motion to the bridge */
#define LOCK_WAIT  2  /* how long a new bridge waits for its predecessor's guardian */
#define HEARTBEAT  1  /* how long a guardian may be silent before the bridge replaces it */
#define UNGUARDED  5  /* HEARTBEAT, a tick, SLOW_LEASE: how long something may still move without a guardian */
#define CALM_PRESS 9  /* when people command again after the last fault */
#define CALM_END   12 /* when the robot must move */

#ifndef SENDERS
#define SENDERS 1
#endif
#ifndef HAZARDS
#define HAZARDS 1
#endif
#ifndef ROOM
#define ROOM 2
#endif
#ifdef HOST
#define FREEZE
#endif

/* ==== Properties. A violation prints its property, and ends the search. */

#ifdef ONLY
#define WATCHED(n) (ONLY == n)
#else
#define WATCHED(n) true
#endif
#define broken(n, words) \
	if :: WATCHED(n) -> printf("P%d IS BROKEN: ", n); printf(words); printf("\n"); assert(false) :: else fi

/* ==== Faults. */

unsigned calm : 4; /* 0: faults may occur; otherwise the ticks since the last fault */
#ifdef BUDGET
unsigned faults : 3 = BUDGET;
#define MAY_FAIL (calm == 0 && faults > 0)
#define failed() faults--
#else
#define MAY_FAIL (calm == 0)
#define failed() skip
#endif

/* ==== Messages. Only commands are stored as messages; for echoes and stops see the README. */

#define NONE  0
#define MOVE  1 /* drive, or weapon on */
#define POWER 2 /* power on */
typedef Command {
	unsigned kind : 2;
	bit from;            /* its sender */
	unsigned echo : 2;   /* age of the echo that it carries, the newest that its sender had read */
	unsigned before : 2; /* age of the newest echo that the broker published before it */
	unsigned age : 2;    /* ghost: its age (without an echo: since the broker received it) */
	bit old              /* ghost: a stop came after it was sent */
}
Command phone[SENDERS]; /* in transit to the broker */
Command queue[ROOM];    /* in transit to the bridge, in order: one QoS */

/* Ages of the newest echo of this connection: sent by the bridge, published by the broker, returned to the bridge. */
#ifdef NET
unsigned sentEcho : 2 = OLD;
unsigned publishedEcho : 2 = OLD;
unsigned returnedEcho : 2 = OLD;
#else
#define returnedEcho 0
#endif

/* ==== Senders. Sender 0 sends echoes, and a number for each press (`hold`). Sender 1 sends neither, and rarely. */

#ifndef ECHO_0
#define ECHO_0 1
#endif
#ifndef HOLD_0
#define HOLD_0 1
#endif
#ifndef SLOW_0
#define SLOW_0 0
#endif
#ifndef SLOW_1
#define SLOW_1 1
#endif
#define SENDS_ECHO(s) (s == 0 && ECHO_0)
#define SENDS_HOLD(s) (s == 0 && HOLD_0)
#define IS_SLOW(s)    ((s == 0 && SLOW_0) || (s == 1 && SLOW_1))
#define LEASE_OF(s)   (IS_SLOW(s) -> SLOW_LEASE : LEASE)
#define HAZARD_OF(s)  (s % HAZARDS)
bit reached[SENDERS]; /* one of its commands left the phone in this tick */
bit missed[SENDERS];  /* none did in the previous tick (slow senders only) */
bit obeyed[SENDERS];  /* ghost: this press was obeyed, and no stop has come since */
bit again[SENDERS];   /* ghost: this press was obeyed before a stop; obeying it again breaks P2 */
#ifdef REPEATS
bit repeats;          /* a program repeats power on */
bit stale;            /* ghost: an emergency stop has come since a person started that */
#endif

/* ==== The gate. */

bit stopped = 1;          /* moving commands are refused */
unsigned still : 3;       /* while stopped: ticks since the stop, and since the last moving command */
unsigned proof : 2 = OLD; /* otherwise: age of the echo that ended the stop */
unsigned quiet : 2 = QUIET;
bit seen[SENDERS];        /* the hold of this press has arrived */
bit banned[SENDERS];      /* and is refused indefinitely */

/* ==== The bridge. */

#define RUNS   0
#define FROZEN 1
#define KILLED 2
#define WAITS  3 /* a new bridge waits for its predecessor's guardian */
#define GONE   3 /* a guardian has finished and exited */
unsigned bridge : 2;
bit late;                     /* it was frozen at a tick */
unsigned waited : 2;
byte left[HAZARDS];           /* ticks to the deadline of the motion */
#define EMPTY 0
#define ON    3
unsigned slot : 2;            /* the waiting write: 1 + hazard, or ON for the power; the newest wins */
unsigned slotLeft : 2;        /* ticks to its deadline */
unsigned slotBreaks : 2;      /* ghost: the property that this write would break */
#define STILL_BIT(h) (1 << h)
#if HAZARDS == 1
#define STILL_ALL 1
#else
#define STILL_ALL 3
#endif
#define POWER_OFF 4
unsigned halt : 3;            /* the zeros to write: a bit for each hazard, and POWER_OFF */
bit powerOnConnect;           /* power_on_connect waits */
bit latch;                    /* the emergency stop, in its file */
#ifdef NO_LATCH_SYNC
bit clearing;                 /* the file is being cleared in the background */
#endif

/* ==== The guardian, and the newest data that it received. */

unsigned guardian : 2;
byte alarm[HAZARDS];          /* ticks until it acts; 0: never */
bit overdue[HAZARDS];         /* it acts repeatedly until BlueZ accepts the write */
unsigned silence : 3;         /* ticks since the running bridge last had an answer from a guardian with the robot's
                               * will; without a guardian only the ticks in which BlueZ accepts writes count */
#ifdef HOST
bit guarded;                  /* it has answered since it received this link's first will */
bit crowded;                  /* the host cannot start a process */
bit deaf;                     /* the bus accepts no guardian, which then cannot write */
#endif
#ifdef NO_YIELD
bit asleep[HAZARDS];          /* the deadline that it knew when it froze has passed */
#endif
#ifdef NO_LOCK
bit former;                   /* the previous guardian still runs */
#endif

/* ==== BlueZ and the robot. */

bit busy;                     /* BlueZ rejects writes: InProgress */
bit link = 1;
bit power;                    /* the robot switches it off when its link breaks */
bit runs[HAZARDS];            /* the last command; the robot keeps it forever, even without power and link */
byte beyond[HAZARDS];         /* ghost: ticks beyond the deadline */
bit owed;                     /* ghost: a stop has reached the bridge, but not the robot */
bit emergency;                /* ghost: no person has switched the power on since an emergency stop */

Command it;                   /* scratch, as are the next: 0 between steps */
byte i, rests, verdict;

/* ==== Parts of steps. */

#define each(n, work) i = 0; do :: i < n -> work; i++ :: else -> break od; i = 0

inline clear(m) { m.kind = NONE; m.from = 0; m.echo = 0; m.before = 0; m.age = 0; m.old = 0 }
inline copy(m, n) {
	n.kind = m.kind; n.from = m.from; n.echo = m.echo; n.before = m.before; n.age = m.age; n.old = m.old
}
inline drop() { slot = EMPTY; slotLeft = 0; slotBreaks = 0 }
inline zero(h) { runs[h] = 0; left[h] = 0; beyond[h] = 0; alarm[h] = 0; overdue[h] = 0 }
inline forgetAlarms() { each(HAZARDS, alarm[i] = 0; overdue[i] = 0) }

/* Ghosts: a stop comes. Earlier commands are old, and an earlier press that was obeyed must not be obeyed again. */
inline mark() {
	each(SENDERS,
		phone[i].old = (phone[i].kind != NONE && SENDS_ECHO(i));
		again[i] = again[i] | obeyed[i];
		obeyed[i] = 0);
	each(ROOM, queue[i].old = (queue[i].kind != NONE));
	slotBreaks = (slot != EMPTY -> 2 : 0)
}

/* The gate closes. NO_QUIET: it does not. NO_HOLD: earlier presses are not refused indefinitely. */
inline close() {
#ifndef NO_QUIET
	stopped = 1;
	still = 0;
	proof = OLD;
#endif
#ifndef NO_HOLD
	each(SENDERS, banned[i] = banned[i] | seen[i]);
#endif
	powerOnConnect = 0
}

/* A stop of any cause. NO_STOP_FIRST: the waiting write goes first. NO_TELL_LAST: the guardian is informed of the
 * end of the motion before that is written. */
inline stop(zeros) {
	mark();
	close();
#ifndef NO_STOP_FIRST
	drop();
#endif
#ifdef NO_TELL_LAST
	forgetAlarms();
#endif
	halt = halt | zeros
}

/* Without a link nothing can be written. NO_DROP_ON_RECONNECT: the waiting write stays for the next link. */
inline linkIsLost() {
#ifdef HOST
	guarded = 0;
#endif
	mark();
	close();
#ifndef NO_DROP_ON_RECONNECT
	drop();
#endif
	halt = 0;
	forgetAlarms()
}

/* The connection to the broker is new: messages in transit are lost, and earlier echoes do not count. */
inline reconnect() {
#ifdef NET
	each(ROOM, clear(queue[i]));
	sentEcho = OLD;
	publishedEcho = OLD;
	returnedEcho = OLD;
	each(SENDERS, phone[i].echo = (phone[i].kind != NONE && SENDS_ECHO(i) -> OLD : 0))
#else
	skip
#endif
}

/* A link to the robot starts with zeros. NO_ZERO_FIRST: it does not. */
inline handshake() {
	link = 1;
	power = 0;
	halt = 0;
	owed = 0;
#ifdef HOST
	guarded = 0;
#endif
#ifndef NO_ZERO_FIRST
	each(HAZARDS, zero(i));
#endif
#ifdef POWER_ON_CONNECT
	powerOnConnect = 1
#else
	skip
#endif
}

/* ==== The gate checks a command. */

#define ADMITTED 1
#define STOPPED  2
#define EXPIRED  3
#define WRONG    4

/* A command relies on the echo that it carries, otherwise on the newest returned echo; it must be at most DELAY old.
 * The newest returned echo must be so in any case. NO_SENDER_ECHO: the carried echo is ignored. NO_ECHO: the
 * returned echo is ignored. */
#ifdef NO_SENDER_ECHO
#define RESTS_ON(s, e) returnedEcho
#else
#define RESTS_ON(s, e) (SENDS_ECHO(s) -> e : returnedEcho)
#endif
#ifdef NO_ECHO
#define IS_EXPIRED(s) (SENDS_ECHO(s) && rests > DELAY)
#else
#define IS_EXPIRED(s) (returnedEcho > DELAY || rests > DELAY)
#endif

/* A stop ends when an echo returns that was sent after at least `quiet` of silence: all messages in transit at the
 * stop arrive before that echo. BY_CLOCK: after `quiet` and DELAY of silence by the clock. NO_PROOF: after `quiet`
 * by the clock. NO_END: never. */
#if defined(NO_END)
#define IS_QUIET false
#elif defined(NO_ECHO)
#define IS_QUIET (still >= quiet)
#elif defined(NO_PROOF)
#define IS_QUIET (still >= quiet && returnedEcho <= DELAY)
#elif defined(BY_CLOCK)
#define IS_QUIET (still >= quiet + DELAY && returnedEcho <= DELAY)
#else
#define IS_QUIET (still >= quiet + returnedEcho && returnedEcho <= DELAY)
#endif
inline lookForQuiet() {
	if
	:: bridge == RUNS && stopped && IS_QUIET ->
		printf("bridge: it was quiet; the stop ends\n");
		stopped = 0;
		still = 0;
		proof = returnedEcho;
		quiet = QUIET
	:: else
	fi
}

/* After that, the echo of a command must not be older than the echo that ended the stop: another sender's command
 * may still be in transit. NO_PROOF_KEPT: it may be older. */
#if defined(NO_PROOF_KEPT) || defined(BY_CLOCK)
#define IS_BEFORE_PROOF(s) false
#else
#define IS_BEFORE_PROOF(s) (SENDS_ECHO(s) && rests > proof)
#endif

/* The silence must be as long as the longest duration received. NO_LONGEST: it need not be. */
#ifdef NO_LONGEST
#define LONGEST QUIET
#else
#define LONGEST SLOW_LEASE
#endif

/* Motion and power require that a guardian has answered since it received this link's first will. NO_GUARDED: they
 * do not. NO_PING: a started guardian is enough. */
#if !defined(HOST) || defined(NO_GUARDIAN) || defined(NO_GUARDED)
#define IS_GUARDED true
#elif defined(NO_PING)
#define IS_GUARDED ((guardian == RUNS || guardian == FROZEN) && !deaf)
#else
#define IS_GUARDED guarded
#endif

/* Power on for a robot with power is not motion: it neither restarts nor ends the silence. After the power was cut,
 * power on is the release, and its repetition restarts the silence. NO_POWER_APART: it always restarts the silence.
 * NO_POWER_RELEASE: it never does. */
#define HAS_POWER (power && halt < POWER_OFF)
#if defined(NO_POWER_APART)
#define IS_MOTION true
#elif defined(NO_POWER_RELEASE)
#define IS_MOTION (it.kind == MOVE)
#else
#define IS_MOTION (it.kind == MOVE || !HAS_POWER)
#endif

inline arrive() {
	rests = RESTS_ON(it.from, it.echo);
	if
	:: IS_EXPIRED(it.from) -> verdict = EXPIRED
	:: else ->
		if
		:: stopped || (it.kind == MOVE && banned[it.from]) -> verdict = STOPPED
		:: else ->
			if
			:: IS_BEFORE_PROOF(it.from) -> verdict = EXPIRED
			:: else ->
				if
				/* An admitted command counts even before it is written. */
				:: !link || !IS_GUARDED || (it.kind == MOVE && !HAS_POWER) -> verdict = WRONG
				:: else -> verdict = ADMITTED
				fi
			fi
		fi
	fi;
	if
	:: verdict == ADMITTED ->
		printf("bridge: admits it\n");
		slotBreaks = (it.old || (it.kind == MOVE && again[it.from]) -> 2 : (it.age > DELAY -> 1 : 0));
		if
		:: it.kind == MOVE ->
			slot = 1 + HAZARD_OF(it.from);
			slotLeft = LEASE_OF(it.from);
			obeyed[it.from] = 1
		:: else ->
			slot = ON;
			slotLeft = 0
		fi
	:: else ->
		if
		:: verdict == STOPPED -> printf("bridge: refuses it: stopped\n")
		:: verdict == EXPIRED -> printf("bridge: refuses it: expired\n")
		:: verdict == WRONG -> printf("bridge: refuses it: wrong_mode\n")
		fi;
		/* While stopped, a moving command, obeyed or refused, restarts the silence and invalidates its hold. */
		if
		:: stopped && IS_MOTION ->
			still = 0;
#ifndef NO_HOLD
			banned[it.from] = banned[it.from] | (it.kind == MOVE && SENDS_HOLD(it.from))
#endif
		:: else
		fi
	fi;
	if
	:: it.kind == MOVE ->
		seen[it.from] = SENDS_HOLD(it.from);
		quiet = (IS_SLOW(it.from) -> LONGEST : quiet)
	:: else
	fi;
	rests = 0;
	verdict = 0;
	clear(it)
}

/* ==== Processes. Each of their steps is a line of a trace. */

/* A person with a stick. */
#define IS_FREE(s) (!reached[s] && phone[s].kind == NONE)
#define NONE_WAITS(s) ((queue[0].kind == NONE || queue[0].from != s) && \
	(queue[ROOM - 1].kind == NONE || queue[ROOM - 1].from != s))
#define WAS_HEARD(s) (obeyed[s] || seen[s] || again[s])

inline send(k) {
#ifdef NET
	phone[me].kind = k;
	phone[me].from = me;
	phone[me].echo = (SENDS_ECHO(me) -> publishedEcho : 0)
#else
	reached[me] = 1;
	if
	:: bridge == RUNS -> it.kind = k; it.from = me; arrive()
	:: bridge == FROZEN && !SENDS_HOLD(me) -> obeyed[me] = 0; again[me] = 0 /* it is lost */
	:: else
	fi
#endif
}

proctype Sender(bit me) {
end:
	do
	/* A new press has a new number. Without numbers a new press is a stick that was released (tick). */
	:: d_step { IS_FREE(me) && NONE_WAITS(me) && SENDS_HOLD(me) && WAS_HEARD(me) &&
				(calm == 0 || (me == 0 && calm == CALM_PRESS + 1)) ->
			printf("sender %d: lets go, presses anew, sends a moving command\n", me);
			seen[me] = 0; banned[me] = 0; obeyed[me] = 0; again[me] = 0;
			send(MOVE) }
	:: d_step { IS_FREE(me) && (calm == 0 ||
				(me == 0 && ((calm == CALM_PRESS + 1 && !WAS_HEARD(me)) || calm == CALM_PRESS + 2))) ->
			printf("sender %d: sends a moving command\n", me);
			send(MOVE) }
#ifdef REPEATS
	:: d_step { calm == 0 ->
			repeats = !repeats;
			stale = 0;
			if
			:: repeats -> printf("sender 0: has power on repeated from now on\n")
			:: else -> printf("sender 0: has power on repeated no more\n")
			fi }
#endif
#ifdef HOST
	:: d_step { IS_FREE(me) && ((calm == 0 && !power) || (me == 0 && calm == CALM_PRESS)) ->
			printf("sender %d: sends power on\n", me);
			send(POWER) }
#endif
	od
}

/* Stops arrive at the bridge at any time. */
proctype Stopper() {
end:
	do
	:: d_step { calm == 0 && bridge == RUNS ->
			printf("bridge: a stop arrives\n");
			stop(STILL_ALL);
			owed = link }
#ifdef HOST
	:: d_step { calm == 0 && bridge == RUNS ->
			printf("bridge: an emergency stop arrives\n");
			stop(STILL_ALL | POWER_OFF);
			owed = link;
			latch = 1;
#ifdef REPEATS
			stale = repeats;
#endif
			emergency = 1 }
#endif
	od
}

#ifdef NET
/* The broker and the network. An undelivered message is late; a broker that takes no step is frozen. */
inline publish(s) {
	if
	:: queue[0].kind == NONE -> copy(phone[s], queue[0]); queue[0].before = publishedEcho
	:: else -> copy(phone[s], queue[ROOM - 1]); queue[ROOM - 1].before = publishedEcho
	fi;
	reached[s] = 1
}
#define HAS_ROOM (queue[ROOM - 1].kind == NONE)

inline lose(s) {
	clear(phone[s]);
	reached[s] = 1;
	/* A gap like that of a released stick. */
	obeyed[s] = obeyed[s] & SENDS_HOLD(s);
	again[s] = again[s] & SENDS_HOLD(s)
}

proctype Network() {
end:
	do
	:: d_step { sentEcho < publishedEcho ->
			printf("broker: publishes an echo, sent %d ticks ago\n", sentEcho);
			publishedEcho = sentEcho }
	:: d_step { phone[0].kind != NONE && HAS_ROOM ->
			printf("broker: gets the command of sender 0\n");
			publish(0);
			clear(phone[0]) }
	:: d_step { MAY_FAIL && phone[0].kind != NONE && HAS_ROOM ->
			failed();
			printf("broker: gets the command of sender 0, which will come again\n");
			publish(0) }
	:: d_step { MAY_FAIL && phone[0].kind != NONE ->
			failed();
			printf("network: loses the command of sender 0\n");
			lose(0) }
#if SENDERS == 2
	:: d_step { phone[1].kind != NONE && HAS_ROOM ->
			printf("broker: gets the command of sender 1\n");
			publish(1);
			clear(phone[1]) }
	:: d_step { MAY_FAIL && phone[1].kind != NONE && HAS_ROOM ->
			failed();
			printf("broker: gets the command of sender 1, which will come again\n");
			publish(1) }
	:: d_step { MAY_FAIL && phone[1].kind != NONE ->
			failed();
			printf("network: loses the command of sender 1\n");
			lose(1) }
#endif
	/* An echo returns after the commands that were published before it. NO_ORDER: it overtakes them, as messages of
	 * QoS 0 overtake those of QoS 1. */
#ifdef NO_ORDER
	:: d_step { bridge == RUNS && publishedEcho < returnedEcho ->
			printf("bridge: an echo returns, sent %d ticks ago\n", publishedEcho);
			returnedEcho = publishedEcho;
			lookForQuiet() }
#else
	:: d_step { bridge == RUNS && queue[0].kind == NONE && publishedEcho < returnedEcho ->
			printf("bridge: an echo returns, sent %d ticks ago\n", publishedEcho);
			returnedEcho = publishedEcho;
			lookForQuiet() }
	:: d_step { bridge == RUNS && queue[0].kind != NONE && queue[0].before < returnedEcho ->
			printf("bridge: an echo returns, sent %d ticks ago\n", queue[0].before);
			returnedEcho = queue[0].before;
			lookForQuiet() }
#endif
	:: d_step { bridge == RUNS && queue[0].kind != NONE ->
			printf("bridge: the command of sender %d arrives, %d ticks old", queue[0].from, queue[0].age);
			if
			:: SENDS_ECHO(queue[0].from) -> printf(", with an echo sent %d ticks ago\n", queue[0].echo)
			:: else -> printf("\n")
			fi;
			copy(queue[0], it);
			clear(queue[0]);
#if ROOM == 2
			copy(queue[1], queue[0]);
			clear(queue[1]);
#endif
			arrive() }
	/* A connection that is restored later is modeled as one that is restored at once and then delivers nothing. */
	:: d_step { MAY_FAIL && bridge == RUNS && sentEcho != OLD ->
			failed();
			printf("bridge: loses its connection to the broker, stops, and gets a new one\n");
			stop(STILL_ALL);
			reconnect() }
	od
}
#endif

/* The bridge: its writes, its end and its restart. */
#define CAN_WRITE (link && !busy)
#ifdef NO_STOP_FIRST
#define MAY_WRITE_SLOT (slot != EMPTY)
#define MAY_WRITE_HALT (halt != 0 && slot == EMPTY)
#else
#define MAY_WRITE_SLOT (slot != EMPTY && halt == 0)
#define MAY_WRITE_HALT (halt != 0)
#endif
/* NO_LEASE, NO_WEAPON_LEASE: neither bridge nor guardian ends this hazard at its deadline. */
#if defined(NO_LEASE)
#define HAS_LEASE(h) (h != 0)
#elif defined(NO_WEAPON_LEASE)
#define HAS_LEASE(h) (h != 1)
#else
#define HAS_LEASE(h) true
#endif
/* A new bridge waits for the lock that its predecessor's guardian holds, and kills that guardian after LOCK_WAIT.
 * NO_LOCK: it does not wait. NO_LOCK_LIMIT: it waits forever. */
#define LOCK_IS_FREE (guardian == GONE || guardian == KILLED)
#if defined(NO_LOCK)
#define MAY_START true
#elif defined(NO_LOCK_LIMIT)
#define MAY_START LOCK_IS_FREE
#else
#define MAY_START (LOCK_IS_FREE || waited == LOCK_WAIT)
#endif

/* A guardian counts only while the bus answers it, and reports the loss of the bus at once. NO_BUS: it counts as
 * soon as it runs. */
#ifdef NO_BUS
#define ANSWERS true
#define MUST_TELL false
#else
#define ANSWERS !deaf
#define MUST_TELL (deaf && guarded)
#endif

proctype Bridge() {
	byte h;
end:
	do
	:: d_step { bridge == RUNS && CAN_WRITE && MAY_WRITE_HALT ->
			printf("bridge: writes zeros to the robot\n");
			each(HAZARDS, if :: halt & STILL_BIT(i) -> zero(i) :: else fi);
			power = power & !(halt & POWER_OFF);
			owed = 0;
			halt = 0 }
#ifdef NO_STOP_RETRY
	:: d_step { bridge == RUNS && link && busy && MAY_WRITE_HALT ->
			printf("bridge: BlueZ refuses its zeros, which it does not write again\n");
			halt = 0 }
#endif
	/* The guardian receives the deadline first. */
	:: d_step { bridge == RUNS && CAN_WRITE && MAY_WRITE_SLOT && slot != ON ->
			h = slot - 1;
			printf("bridge: writes a motion of hazard %d to the robot\n", h);
			runs[h] = 1;
			left[h] = slotLeft;
			beyond[h] = 0;
			overdue[h] = 0;
			alarm[h] = (HAS_LEASE(h) && guardian != GONE -> slotLeft + PATIENCE : 0);
			if
			:: slotBreaks == 2 -> broken(2, "a command or a press of before the stop moves it")
			:: slotBreaks == 1 -> broken(1, "a command moves it that was on its way for too long")
			:: slotBreaks == 0 && slotLeft == 0 -> broken(1, "it begins to move after the deadline")
			:: else
			fi;
			drop();
			h = 0 }
	/* The latch is cleared and synced before the power is written. NO_LATCH_SYNC: some time later. */
	:: d_step { bridge == RUNS && CAN_WRITE && MAY_WRITE_SLOT && slot == ON ->
			printf("bridge: writes power on to the robot\n");
#ifdef NO_LATCH_SYNC
			clearing = latch;
#else
			latch = 0;
#endif
			emergency = 0;
			powerOnConnect = 0;
			if
			:: slotBreaks == 2 -> broken(2, "a command of before the stop gives it power")
			:: slotBreaks == 1 -> broken(1, "a command gives it power that was on its way for too long")
			:: slotBreaks == 0 && !power && (runs[0] || runs[HAZARDS - 1]) ->
				broken(2, "its old motion goes on with the new power")
			:: else
			fi;
			power = 1;
			drop() }
	/* power_on_connect waits for the path, for a guardian, and for the end of the stop. */
	:: d_step { bridge == RUNS && CAN_WRITE && powerOnConnect && halt == 0 && slot == EMPTY &&
				returnedEcho <= DELAY && !stopped && IS_GUARDED ->
			powerOnConnect = 0;
			if
			:: latch -> printf("bridge: leaves the power off, because of the latch\n")
			:: else ->
				printf("bridge: writes power on to the robot by itself\n");
				if
				:: emergency -> broken(2, "it has power after an emergency stop, by no person")
				:: !emergency && !power && (runs[0] || runs[HAZARDS - 1]) ->
					broken(2, "its old motion goes on with the new power")
				:: else
				fi;
				power = 1
			fi }
#ifdef FREEZE
	:: d_step { MAY_FAIL && bridge == RUNS ->
			failed();
			printf("bridge: freezes\n");
			bridge = FROZEN }
	/* It detects the stall before any other step. NO_STALL: it does not detect it. */
	:: d_step { bridge == FROZEN ->
			printf("bridge: wakes\n");
			bridge = RUNS;
			if
			:: !link -> linkIsLost()
			:: else
			fi;
#ifndef NO_STALL
			if
			:: late ->
				printf("bridge: was stalled, stops, and connects anew to the broker\n");
				stop(STILL_ALL);
				halt = (link -> halt : 0);
				reconnect()
			:: else
			fi;
#endif
			late = 0 }
#endif
#ifdef HOST
	/* Holds are lost with the bridge: P2 does not cover numbered presses that started before. NO_LATCH: the latch is
	 * lost too. */
	:: d_step { MAY_FAIL && (bridge == RUNS || bridge == FROZEN) ->
			failed();
			printf("bridge: is killed\n");
			mark();
			close();
			stopped = 1; still = STILL_MAX; proof = OLD; quiet = QUIET;
			each(SENDERS, banned[i] = 0; seen[i] = 0; again[i] = again[i] & !SENDS_HOLD(i));
			drop();
			halt = 0;
			late = 0;
			forgetAlarms();
			reconnect();
#ifdef NO_LATCH
			latch = 0;
#endif
#ifdef NO_LATCH_SYNC
			clearing = 0;
#endif
			bridge = KILLED }
	:: d_step { bridge == KILLED ->
			printf("bridge: a new one starts\n");
			bridge = WAITS;
			waited = 0 }
	/* A start is a stop: a stick may be held since the previous bridge. NO_START_STOP: it is not. The durations in
	 * use are unknown, so the silence must be as long as the longest permitted duration. NO_START_LONGEST: as the
	 * shortest. */
	:: d_step { bridge == WAITS && MAY_START && !(link && busy) ->
			printf("bridge: takes up the robot, with a guardian of its own\n");
#ifdef NO_LOCK
			former = !LOCK_IS_FREE;
#endif
			bridge = RUNS;
			waited = 0;
			still = 0;
#ifndef NO_START_LONGEST
			quiet = LONGEST;
#endif
#ifdef NO_START_STOP
			stopped = 0;
#endif
			/* It has moved nothing, and moves nothing without a guardian. */
			silence = UNGUARDED + 1;
			guarded = 0;
#ifndef NO_GUARDIAN
			guardian = (crowded -> KILLED : RUNS);
#endif
			if
			:: link -> handshake()
			:: else
			fi }
	:: d_step { bridge == RUNS && guardian == KILLED && !crowded ->
			printf("bridge: starts another guardian and tells it what holds\n");
			guardian = RUNS }
	:: d_step { bridge == RUNS && guardian == RUNS && link && !guarded && ANSWERS ->
			printf("guardian: answers the bridge; it has the robot's will\n");
			guarded = 1;
			silence = (deaf -> silence : 0) }
#ifndef NO_BUS
	:: d_step { bridge == RUNS && guardian == RUNS && deaf && guarded ->
			printf("guardian: tells the bridge that it has no bus\n");
			guarded = 0 }
#endif
	:: d_step { bridge == RUNS && !link && !busy ->
			printf("bridge: has a link to the robot again, and writes zeros\n");
			handshake() }
#endif
	od
}

#define IS_DEAD (bridge == KILLED || bridge == WAITS)
#define IS_OVERDUE (overdue[0] || overdue[HAZARDS - 1])
#ifdef HOST
#define IS_DEAF deaf
#else
#define IS_DEAF false
#endif
#ifdef FREEZE
/* The guardian. NO_GUARDIAN: there is none. NO_CONFIRM: it does not repeat a write that BlueZ rejects. */
inline endMotion(h) {
	if
	:: bridge == RUNS && runs[h] && left[h] > 0 -> broken(4, "the guardian ends a motion that is within its deadline")
	:: else
	fi;
	zero(h)
}
inline carryOutWill() {
	if
	:: bridge == RUNS && link && power -> broken(4, "the guardian of a dead bridge stops the robot of a living one")
	:: else
	fi;
	each(HAZARDS, if :: link -> zero(i) :: else fi);
	power = 0;
	owed = 0;
	link = 0
}

proctype Guardian() {
end:
	do
	:: d_step { guardian == RUNS && !IS_DEAD && CAN_WRITE && IS_OVERDUE && !IS_DEAF ->
			printf("guardian: ends a motion that is beyond its deadline\n");
			each(HAZARDS, if :: overdue[i] -> endMotion(i) :: else fi) }
#ifdef NO_CONFIRM
	:: d_step { guardian == RUNS && link && busy && (IS_DEAD || IS_OVERDUE) ->
			printf("guardian: BlueZ refuses its zeros, which it does not write again\n");
			each(HAZARDS, overdue[i] = 0);
			guardian = (IS_DEAD -> GONE : RUNS) }
#endif
#ifdef HOST
	:: d_step { guardian == RUNS && IS_DEAD && !(link && busy) && !deaf ->
			printf("guardian: the bridge is dead; writes zeros and power off, closes the link, and ends\n");
			carryOutWill();
			guardian = GONE }
	:: d_step { MAY_FAIL && guardian == RUNS ->
			failed();
			printf("guardian: is killed\n");
			guardian = KILLED;
			guarded = 0 }
	:: d_step { MAY_FAIL && guardian == RUNS ->
			failed();
			printf("guardian: freezes\n");
			guardian = FROZEN }
	/* It reads all received messages before it acts. NO_YIELD: it acts on its earlier data. */
	:: d_step { guardian == FROZEN ->
			printf("guardian: wakes\n");
			guardian = RUNS;
			silence = (guarded && !deaf -> 0 : silence);
#ifdef NO_YIELD
			each(HAZARDS,
				if
				:: asleep[i] && !IS_DEAD && CAN_WRITE && !deaf -> endMotion(i)
				:: else
				fi;
				asleep[i] = 0)
#endif
			}
#endif
#ifdef NO_LOCK
	:: d_step { former && !busy ->
			printf("former guardian: writes zeros and power off, closes the link, and ends\n");
			former = 0;
			carryOutWill();
			if
			:: bridge == RUNS -> linkIsLost()
			:: else
			fi }
#endif
	od
}
#endif

#ifdef HOST
/* BlueZ and the radio. */
proctype World() {
end:
	do
	:: d_step { MAY_FAIL && !busy ->
			failed();
			printf("BlueZ: refuses writes from now on\n");
			busy = 1 }
	:: d_step { busy ->
			printf("BlueZ: takes writes again\n");
			busy = 0 }
#ifdef LOSS
	:: d_step { MAY_FAIL && !crowded ->
			failed();
			printf("host: lets no process start from now on\n");
			crowded = 1 }
	:: d_step { crowded ->
			printf("host: lets processes start again\n");
			crowded = 0 }
	:: d_step { MAY_FAIL && !deaf ->
			failed();
			printf("bus: takes no guardian's connection from now on\n");
			deaf = 1 }
	:: d_step { deaf ->
			printf("bus: takes a guardian's connection again\n");
			deaf = 0 }
#endif
	:: d_step { MAY_FAIL && link ->
			failed();
			printf("robot: its link breaks; it cuts its power, and remembers its motion\n");
			link = 0;
			power = 0;
			owed = 0;
			each(HAZARDS, beyond[i] = 0);
			if
			:: bridge == RUNS -> linkIsLost()
			:: else
			fi }
#ifdef NO_LATCH_SYNC
	:: d_step { clearing ->
			printf("bridge: the file of the latch is cleared at last\n");
			latch = 0;
			clearing = 0 }
#endif
	od
}
#endif

/* ==== Time. */

#define older(age) age = (age < OLD -> age + 1 : OLD)
#define less(ticks) ticks = (ticks > 0 -> ticks - 1 : 0)
/* No tick passes before the running processes have executed their due steps. */
#ifdef HOST
#define MUST_START (bridge == RUNS && ((guardian == KILLED && !crowded) || \
	(guardian == RUNS && ((link && !guarded && ANSWERS) || MUST_TELL))))
#define IS_CROWDED crowded
#else
#define MUST_START false
#define IS_CROWDED false
#endif
#define PROMPT (!(bridge == RUNS && CAN_WRITE && (halt != 0 || slot != EMPTY)) && \
	!MUST_START && \
	!(guardian == RUNS && !IS_DEAF && (IS_DEAD -> !(link && busy) : CAN_WRITE && IS_OVERDUE)))
/* Without faults nothing is frozen and nothing is late; only a guardian may stay frozen. */
#define IS_HEALTHY (bridge != FROZEN && bridge != KILLED && !(bridge == WAITS && MAY_START) && !busy && !IS_CROWDED && !IS_DEAF && \
	(link || bridge != RUNS) && !(powerOnConnect && !stopped))
#ifdef NET
#define HAS_ARRIVED (queue[0].kind == NONE && phone[0].kind == NONE && phone[SENDERS - 1].kind == NONE && \
	publishedEcho == sentEcho && returnedEcho == publishedEcho)
#else
#define HAS_ARRIVED true
#endif
#ifdef HOST
#define CALM_COMMANDS CALM_PRESS
#else
#define CALM_COMMANDS (CALM_PRESS + 1)
#endif
/* Excuses for a motion beyond its deadline: BlueZ accepts no write, or bridge and guardian have both failed. The
 * guardian must have failed so recently that a healthy bridge would not have replaced it. If no guardian has
 * answered since, the failure must be so recent that the bridge could not end the motion that it started while there
 * was one. */
#ifdef HOST
#define SILENCE_MAX (guarded -> HEARTBEAT : UNGUARDED)
#else
#define SILENCE_MAX HEARTBEAT
#endif
#define IS_EXCUSED (!CAN_WRITE || (bridge != RUNS && (guardian == KILLED || guardian == FROZEN || IS_DEAF) && \
	silence <= SILENCE_MAX))

inline tick() {
	printf("--- tick\n");
	/* P1 and P3: there was one tick to write. */
	each(HAZARDS,
		if
		:: runs[i] && power && link && left[i] == 0 && !IS_EXCUSED ->
			beyond[i] = beyond[i] + 1;
			if
			:: beyond[i] > PATIENCE -> broken(1, "it moves beyond its deadline and the guardian's patience")
			:: else
			fi
		:: else
		fi);
	if
	:: owed && CAN_WRITE && (bridge == RUNS || (IS_DEAD && guardian != FROZEN && guardian != KILLED && !IS_DEAF)) ->
		broken(3, "a stop that reached the bridge is not written")
	:: else
	fi;
	/* Senders: a stick without a command for longer than its lease was released. */
	each(SENDERS,
		if
		:: phone[i].kind != NONE && SENDS_ECHO(i) -> older(phone[i].echo); older(phone[i].age)
		:: else
		fi;
		if
		:: !reached[i] && (!IS_SLOW(i) || missed[i]) && !SENDS_HOLD(i) -> obeyed[i] = 0; again[i] = 0
		:: else
		fi;
		missed[i] = !reached[i] && IS_SLOW(i);
		reached[i] = 0);
#ifdef NET
	each(ROOM,
		if
		:: queue[i].kind != NONE ->
			older(queue[i].before);
			older(queue[i].age);
			if
			:: SENDS_ECHO(queue[i].from) -> older(queue[i].echo)
			:: else
			fi
		:: else
		fi);
	/* Echoes. NO_ECHO, NO_PATH_LOST: a lost path is not a stop. */
	older(sentEcho);
	older(publishedEcho);
#if !defined(NO_ECHO) && !defined(NO_PATH_LOST)
	if
	:: bridge == RUNS && returnedEcho == DELAY ->
		printf("bridge: the path is lost; stops\n");
		stop(STILL_ALL)
	:: else
	fi;
#endif
	older(returnedEcho);
	if
	:: bridge == RUNS -> sentEcho = 0
	:: else
	fi;
#endif
	/* The gate. */
	if
	:: stopped -> still = (still < STILL_MAX -> still + 1 : STILL_MAX)
	:: else -> older(proof)
	fi;
	lookForQuiet();
	/* Deadlines of the bridge and of the guardian. */
	less(slotLeft);
	each(HAZARDS,
		less(left[i]);
		if
		:: bridge == RUNS && runs[i] && left[i] == 0 && HAS_LEASE(i) ->
			printf("bridge: the lease of hazard %d ends\n", i);
			halt = halt | STILL_BIT(i)
		:: else
		fi;
		overdue[i] = overdue[i] | (alarm[i] == 1);
		less(alarm[i]));
	if
	:: bridge == RUNS && slot != EMPTY && slot != ON && slotLeft == 0 -> drop()
	:: else
	fi;
	late = late | (bridge == FROZEN);
#ifdef HOST
	waited = (bridge == WAITS && waited < LOCK_WAIT -> waited + 1 : waited);
	/* The bridge replaces a guardian that does not answer. NO_HEARTBEAT: it does not. */
	if
	/* Nothing moves or starts to move: no excuse is needed. */
	:: bridge == RUNS && !guarded && slot == EMPTY && !runs[0] && !runs[HAZARDS - 1] -> silence = UNGUARDED + 1
	:: else ->
		if
		:: bridge == RUNS && (guardian != RUNS || !guarded || deaf) && (guarded || CAN_WRITE) && silence <= UNGUARDED ->
			silence++
		:: else
		fi
	fi;
#ifndef NO_HEARTBEAT
	if
	:: bridge == RUNS && guardian == FROZEN && silence > HEARTBEAT ->
		printf("bridge: kills the guardian that does not answer\n");
		guardian = KILLED;
		guarded = 0
	:: else
	fi;
#endif
#ifdef REPEATS
	/* In the calm the repetition continues while it is permitted: with the power on. */
	if
	:: repeats && bridge == RUNS && (calm == 0 || HAS_POWER) ->
		printf("bridge: power on arrives, repeated without a person\n");
		it.kind = POWER;
		it.old = stale && !HAS_POWER;
		arrive()
	:: else
	fi;
#endif
#ifdef NO_YIELD
	each(HAZARDS, asleep[i] = (guardian == FROZEN && (asleep[i] || overdue[i])));
#endif
#endif
	skip
}

proctype Clock() {
	do
	:: d_step { calm == 0 && PROMPT -> tick() }
#ifdef CALM
	:: d_step { calm == 0 && PROMPT ->
			tick();
			printf("from here on nothing fails, and people have let go\n");
			calm = 1 }
	/* P4. The search also checks that this step is never blocked permanently: this process has no end label. */
	:: d_step { calm > 0 && calm < CALM_END && PROMPT && IS_HEALTHY && HAS_ARRIVED &&
				(calm < CALM_COMMANDS || reached[0]) ->
			tick();
			calm++;
			if
			:: calm == CALM_END && !(runs[0] && power && link) -> broken(4, "nothing is wrong, and it does not move")
			:: else
			fi }
	:: calm == CALM_END -> break
#endif
	od
}

init {
	d_step {
#ifndef HOST
		power = 1;
#endif
#ifdef NO_GUARDIAN
		guardian = GONE;
#endif
		skip
	};
	atomic {
		run Sender(0);
#if SENDERS == 2
		run Sender(1);
#endif
		run Stopper();
		run Bridge();
#ifdef NET
		run Network();
#endif
#ifdef FREEZE
		run Guardian();
#endif
#ifdef HOST
		run World();
#endif
		run Clock()
	}
}
