// The pipeline's flow of records on librdkafka alone, as a measure for the pipeline: the same topics, hops, processes, headers and sizes, and no decisions.
//
//     requests -> coordinator -> resolve -> worker -> outcomes -> coordinator -> confirm -> … -> handle -> … -> results
//
// For each record, the coordinator writes one record to the journal (the topic of sessions), and sends the effect once that one is acknowledged. The workers
// answer each work record with an outcome. All are at least once: an offset is committed when everything that its record led to is acknowledged.
//
// Each event has the headers of a CloudEvent, and each record of the journal has a stamp with the positions at that time. Both are made anew for each record.
// What reads an event checks its type. Nothing reads a stamp, as in the pipeline, where only a successor does.
//
// This program is the load, and runs the four roles as processes: its own, or those of another program that is named after the options.
//
//     cc -O2 -o flow flow.c -lrdkafka
//     flow --bootstrap-servers HOST:PORT --prefix NAME [OPTION…] [PROGRAM [ARGUMENT…]]
//
// PROGRAM is run with these further arguments: ROLE --bootstrap-servers … --prefix … --sizes … and each -X. A record's value is a JSON object that begins with
// "step" (0 in a request, 1 to 3 in the work and the outcome of a phase, 4 in a result) and "id". A request is valid by the contract's schema.
// Prints JSON in the form of `intents-bench --json`.
#define _GNU_SOURCE
#include <errno.h>
#include <getopt.h>
#include <librdkafka/rdkafka.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum topic { REQUESTS, RESOLVE, CONFIRM, HANDLE, OUTCOMES, RESULTS, SESSIONS, TOPICS };
static const char *const topic_names[TOPICS] = {"requests", "resolve", "confirm", "handle", "outcomes", "results", "sessions"};

enum role { COORDINATOR, RESOLVER, CONFIRMER, HANDLER, ROLES };
static const char *const role_names[ROLES] = {"coordinator", "resolver", "confirmer", "handler"};

enum { MOST_RATES = 32, MOST_PROPERTIES = 32, LARGEST_RECORD = 1000000, TOPIC_NAME = 250, LARGEST_HEADER = 1000 };
// Where the digit of the step is in a value.
enum { STEP = sizeof "{\"step\":" - 1 };

static struct {
    const char *servers, *prefix, *sizes_text;
    long sizes[TOPICS]; // of key, value and headers, in bytes
    long intents, window, sessions, seconds, warm_up;
    long rates[MOST_RATES];
    int rate_count;
    const char *properties[MOST_PROPERTIES]; // name=value
    int property_count;
    char **program; // of the roles, with its arguments; ends with NULL. NULL for this program
} options = {.prefix = "intents", .sizes_text = "300,300,300,300,300,300,300", .intents = 20000, .window = 1000, .sessions = 1000, .seconds = 10};

static void fail(const char *what, const char *why) {
    fprintf(stderr, "flow: %s: %s\n", what, why);
    exit(4);
}

static int64_t nanoseconds(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec * 1000000000LL + time.tv_nsec;
}

static const char *full_name(enum topic topic) {
    static char names[TOPICS][TOPIC_NAME];
    snprintf(names[topic], TOPIC_NAME, "%s.%s", options.prefix, topic_names[topic]);
    return names[topic];
}

// MARK: Clients

static void set(rd_kafka_conf_t *configuration, const char *name, const char *value) {
    char error[256];
    if (rd_kafka_conf_set(configuration, name, value, error, sizeof error) != RD_KAFKA_CONF_OK) fail(name, error);
}

static rd_kafka_conf_t *configuration(void) {
    rd_kafka_conf_t *configuration = rd_kafka_conf_new();
    set(configuration, "bootstrap.servers", options.servers);
    // Errors alone: each property is for consumers or for producers, and librdkafka warns the others.
    set(configuration, "log_level", "3");
    for (int i = 0; i < options.property_count; i++) {
        char name[256];
        const char *equals = strchr(options.properties[i], '=');
        snprintf(name, sizeof name, "%.*s", (int)(equals - options.properties[i]), options.properties[i]);
        set(configuration, name, equals + 1);
    }
    return configuration;
}

typedef void (*delivery_callback)(rd_kafka_t *, const rd_kafka_message_t *, void *);

static rd_kafka_t *new_producer(const char *linger, delivery_callback delivered) {
    char error[256];
    rd_kafka_conf_t *settings = configuration();
    set(settings, "enable.idempotence", "true");
    set(settings, "partitioner", "murmur2_random");
    set(settings, "linger.ms", linger);
    set(settings, "socket.nagle.disable", "true");
    rd_kafka_conf_set_dr_msg_cb(settings, delivered);
    rd_kafka_t *producer = rd_kafka_new(RD_KAFKA_PRODUCER, settings, error, sizeof error);
    if (!producer) fail("producer", error);
    return producer;
}

static rd_kafka_t *new_consumer(const char *group) {
    char error[256], name[TOPIC_NAME];
    rd_kafka_conf_t *settings = configuration();
    snprintf(name, sizeof name, "%s.%s", options.prefix, group);
    set(settings, "group.id", name);
    set(settings, "auto.offset.reset", "earliest");
    set(settings, "enable.auto.commit", "false");
    set(settings, "partition.assignment.strategy", "range");
    set(settings, "socket.nagle.disable", "true");
    rd_kafka_t *consumer = rd_kafka_new(RD_KAFKA_CONSUMER, settings, error, sizeof error);
    if (!consumer) fail("consumer", error);
    rd_kafka_poll_set_consumer(consumer);
    return consumer;
}

enum { BATCH = 1000 };

// Waits for a record, and takes what else there is: a read of a whole batch would wait until it is full.
static ssize_t read_batch(rd_kafka_t *consumer, rd_kafka_queue_t *queue, int milliseconds, rd_kafka_message_t **messages) {
    messages[0] = rd_kafka_consumer_poll(consumer, milliseconds);
    if (!messages[0]) return 0;
    ssize_t more = rd_kafka_consume_batch_queue(queue, 0, messages + 1, BATCH - 1);
    return more > 0 ? more + 1 : 1;
}

// Takes the headers over.
static void produce(
    rd_kafka_t *producer, rd_kafka_topic_t *topic, int32_t partition, rd_kafka_headers_t *headers, const void *key, size_t key_length,
    const void *value, size_t length, void *opaque) {
    rd_kafka_resp_err_t error;
    while ((error = rd_kafka_producev(
                producer, RD_KAFKA_V_RKT(topic), RD_KAFKA_V_PARTITION(partition), RD_KAFKA_V_MSGFLAGS(RD_KAFKA_MSG_F_COPY),
                RD_KAFKA_V_HEADERS(headers), RD_KAFKA_V_KEY(key, key_length), RD_KAFKA_V_VALUE((void *)value, length),
                RD_KAFKA_V_OPAQUE(opaque), RD_KAFKA_V_END))) {
        if (error != RD_KAFKA_RESP_ERR__QUEUE_FULL) fail("produce", rd_kafka_err2str(error));
        rd_kafka_poll(producer, 1);
    }
}

// MARK: Headers

static size_t append(char *buffer, size_t length, const char *text, size_t count) {
    if (length + count > LARGEST_HEADER) fail("header", "it is too long");
    memcpy(buffer + length, text, count);
    return length + count;
}

static size_t append_text(char *buffer, size_t length, const char *text) { return append(buffer, length, text, strlen(text)); }

static size_t append_number(char *buffer, size_t length, int64_t number) {
    char digits[20], *first = digits + sizeof digits;
    do *--first = '0' + number % 10;
    while (number /= 10);
    return append(buffer, length, first, digits + sizeof digits - first);
}

// Adds a header, and its length to `bytes`.
static void add_header(rd_kafka_headers_t *headers, const char *name, const char *value, size_t length, size_t *bytes) {
    size_t name_length = strlen(name);
    rd_kafka_header_add(headers, name, name_length, value, length);
    *bytes += name_length + length;
}

// The time of now in RFC 3339, which is written once a millisecond.
static const char *now_text(void) {
    static char text[32];
    static int64_t written;
    struct timespec time;
    struct tm parts;
    clock_gettime(CLOCK_REALTIME, &time);
    int64_t milliseconds = time.tv_sec * 1000LL + time.tv_nsec / 1000000;
    if (milliseconds != written) {
        written = milliseconds;
        gmtime_r(&time.tv_sec, &parts);
        size_t length = strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%S", &parts);
        snprintf(text + length, sizeof text - length, ".%03dZ", (int)(milliseconds % 1000));
    }
    return text;
}

static const char *event_type(enum topic topic, int step) {
    static const char *const outcomes[] = {"intent.resolved.v1", "intent.confirmed.v1", "intent.handled.v1"};
    static const char *const others[TOPICS] = {
        [REQUESTS] = "intent.requested.v1", [RESOLVE] = "intent.resolve.v1", [CONFIRM] = "intent.confirm.v1", [HANDLE] = "intent.handle.v1",
        [RESULTS] = "intent.completed.v1",
    };
    return topic == OUTCOMES ? outcomes[step - 1] : others[topic];
}

// The role of this process as a sender.
static const char *source = "/intents/bench";

// The headers of an event: those of a CloudEvent. The id of all but a request is made of the session, the request and what the event is.
static rd_kafka_headers_t *event_headers(
    enum topic topic, int step, const char *id, size_t id_length, const char *key, size_t key_length, size_t *bytes) {
    char event[LARGEST_HEADER];
    size_t length = 0;
    if (topic != REQUESTS) {
        length = append(event, length, key, key_length);
        length = append_text(event, length, "/");
    }
    length = append(event, length, id, id_length);
    if (topic != REQUESTS) {
        length = append_text(event, length, ".");
        length = append_number(event, length, step);
        if (topic != RESULTS) {
            length = append_text(event, length, ".");
            length = append_text(event, length, topic == OUTCOMES ? "outcome" : topic_names[topic]);
        }
    }
    rd_kafka_headers_t *headers = rd_kafka_headers_new(7);
    *bytes = 0;
    add_header(headers, "ce_specversion", "1.0", 3, bytes);
    add_header(headers, "ce_id", event, length, bytes);
    add_header(headers, "ce_source", source, strlen(source), bytes);
    const char *type = event_type(topic, step), *time = now_text();
    add_header(headers, "ce_type", type, strlen(type), bytes);
    add_header(headers, "ce_time", time, strlen(time), bytes);
    if (topic != REQUESTS) add_header(headers, "ce_subject", id, id_length, bytes);
    add_header(headers, "content-type", "application/json", 16, bytes);
    return headers;
}

static void check_type(const rd_kafka_message_t *message, const char *expected) {
    rd_kafka_headers_t *headers;
    const void *type;
    size_t length;
    if (rd_kafka_message_headers(message, &headers) || rd_kafka_header_get_last(headers, "ce_type", &type, &length)) fail("event", "it has no type");
    if (length != strlen(expected) || memcmp(type, expected, length)) fail("event: it is not what was expected", expected);
}

// What the stamps of a partition's journal say. `settled` counts the effects that are acknowledged: each record has one, and they are acknowledged in order.
struct positions {
    int64_t number, requests, outcomes, settled, results, last_request, last_outcome;
};

static struct positions *positions_of(int32_t partition) {
    static struct positions *all;
    static int32_t count;
    if (partition >= count) {
        all = realloc(all, (partition + 1) * sizeof *all);
        memset(all + count, 0, (partition + 1 - count) * sizeof *all);
        count = partition + 1;
    }
    return &all[partition];
}

// The header of a record of the journal, in which the input that led to it is named.
static rd_kafka_headers_t *journal_headers(const rd_kafka_message_t *input, bool is_request, size_t *bytes) {
    struct positions *positions = positions_of(input->partition);
    *(is_request ? &positions->requests : &positions->outcomes) = input->offset + 1;
    *(is_request ? &positions->last_request : &positions->last_outcome) = rd_kafka_message_timestamp(input, NULL);
    const struct { const char *name; int64_t value; } parts[] = {
        {" number=", ++positions->number}, {" requests=", positions->requests}, {" outcomes=", positions->outcomes},
        {" settled=", positions->settled}, {" results=", positions->results}, {" lastRequest=", positions->last_request},
        {" lastOutcome=", positions->last_outcome}, {" format=", 1},
    };
    char stamp[LARGEST_HEADER];
    size_t length = append_text(stamp, 0, "epoch=1 owner=coordinator");
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) length = append_number(stamp, append_text(stamp, length, parts[i].name), parts[i].value);
    rd_kafka_headers_t *headers = rd_kafka_headers_new(1);
    *bytes = 0;
    add_header(headers, "intents-journal", stamp, length, bytes);
    return headers;
}

// MARK: Records

// Writes {"step":…,"id":"…","padding":"xxx…"} with as much padding as the topic's records need beside their key and headers, and a request with what it asks for.
// Returns the length.
static size_t write_value(char *value, enum topic topic, int step, const char *id, int id_length, size_t others) {
    static const char request[] = ",\"intent\":\"GetRideStatus\",\"parameters\":{\"rideIdentifier\":\"DUB-BFQB23-3\"}";
    const char *members = topic == REQUESTS ? request : "";
    size_t length = sprintf(value, "{\"step\":%d,\"id\":\"%.*s\"%s,\"padding\":\"", step, id_length, id, members);
    long padding = options.sizes[topic] - (long)(length + others + 2);
    if (padding > 0) {
        memset(value + length, 'x', padding);
        length += padding;
    }
    memcpy(value + length, "\"}", 2);
    return length + 2;
}

static int step_of(const rd_kafka_message_t *message, int least, int most) {
    int step = message->len > STEP ? ((const char *)message->payload)[STEP] - '0' : -1;
    if (step < least || step > most) fail("record", "it does not begin with a step");
    return step;
}

// The id in a value, wherever it is: other programs may write their members in another way.
static const char *find_id(const char *value, size_t length, int *id_length) {
    static const char name[] = "\"id\":";
    const char *end = value + length, *id = memmem(value, length, name, sizeof name - 1);
    if (!id || !(id = memchr(id + sizeof name - 1, '"', end - id - (sizeof name - 1)))) fail("record", "it has no id");
    id++;
    const char *quote = memchr(id, '"', end - id);
    if (!quote) fail("record", "its id does not end");
    *id_length = quote - id;
    return id;
}

// MARK: Roles

static volatile sig_atomic_t is_stopping;
static void stop(int number) {
    (void)number;
    is_stopping = 1;
}

// The records that were read in one interval. Their offsets are committed when all that they led to is acknowledged, and those before them are.
struct batch {
    long unacknowledged;
    rd_kafka_topic_partition_list_t *offsets;
    struct batch *next;
};

// What the coordinator sends once its record of the journal is acknowledged.
struct decision {
    struct batch *batch;
    rd_kafka_topic_t *topic;
    rd_kafka_headers_t *headers;
    int32_t partition;
    size_t key_length, length;
    char bytes[]; // the key, then the value
};

static rd_kafka_topic_t *journal, *results; // NULL in workers
static const int64_t commit_interval = 50000000;

static struct batch *new_batch(void) {
    struct batch *batch = calloc(1, sizeof *batch);
    batch->offsets = rd_kafka_topic_partition_list_new(16);
    return batch;
}

static void delivered(rd_kafka_t *producer, const rd_kafka_message_t *message, void *opaque) {
    (void)opaque;
    if (message->err) fail("delivery", rd_kafka_err2str(message->err));
    if (!journal || message->rkt != journal) {
        ((struct batch *)message->_private)->unacknowledged--;
        if (journal) positions_of(message->partition)->settled++;
        if (message->rkt == results) positions_of(message->partition)->results = message->offset + 1;
        return;
    }
    struct decision *decision = message->_private;
    produce(
        producer, decision->topic, decision->partition, decision->headers, decision->bytes, decision->key_length,
        decision->bytes + decision->key_length, decision->length, decision->batch);
    free(decision);
}

// Journals what a record leads to; the effect follows in `delivered`.
static void decide(rd_kafka_t *producer, rd_kafka_topic_t *const *topics, const rd_kafka_message_t *message, struct batch *batch) {
    static char value[LARGEST_RECORD];
    int id_length, step = step_of(message, 0, 3) + 1;
    check_type(message, event_type(step == 1 ? REQUESTS : OUTCOMES, step - 1));
    const char *id = find_id(message->payload, message->len, &id_length);
    enum topic target = step > 3 ? RESULTS : RESOLVE + step - 1;
    size_t bytes;
    rd_kafka_headers_t *headers = event_headers(target, step, id, id_length, message->key, message->key_len, &bytes);
    size_t length = write_value(value, target, step, id, id_length, message->key_len + bytes);
    struct decision *decision = malloc(sizeof *decision + message->key_len + length);
    *decision = (struct decision){batch, topics[target], headers, message->partition, message->key_len, length};
    memcpy(decision->bytes, message->key, message->key_len);
    memcpy(decision->bytes + message->key_len, value, length);
    headers = journal_headers(message, step == 1, &bytes);
    length = write_value(value, SESSIONS, step, id, id_length, message->key_len + bytes);
    batch->unacknowledged++;
    produce(producer, journal, message->partition, headers, message->key, message->key_len, value, length, decision);
}

// Answers a work record with its outcome.
static void work(rd_kafka_t *producer, rd_kafka_topic_t *const *topics, const rd_kafka_message_t *message, struct batch *batch) {
    static char value[LARGEST_RECORD];
    int id_length, step = step_of(message, 1, 3);
    check_type(message, event_type(RESOLVE + step - 1, step));
    const char *id = find_id(message->payload, message->len, &id_length);
    size_t bytes;
    rd_kafka_headers_t *headers = event_headers(OUTCOMES, step, id, id_length, message->key, message->key_len, &bytes);
    size_t length = write_value(value, OUTCOMES, step, id, id_length, message->key_len + bytes);
    batch->unacknowledged++;
    produce(producer, topics[OUTCOMES], message->partition, headers, message->key, message->key_len, value, length, batch);
}

static void note_offset(struct batch *batch, const rd_kafka_message_t *message) {
    const char *topic = rd_kafka_topic_name(message->rkt);
    rd_kafka_topic_partition_t *place = rd_kafka_topic_partition_list_find(batch->offsets, topic, message->partition);
    if (!place) place = rd_kafka_topic_partition_list_add(batch->offsets, topic, message->partition);
    place->offset = message->offset + 1;
}

// Removes the batches that are finished, and commits the offsets of the last one of them. Returns the oldest that is not.
static struct batch *commit_finished(rd_kafka_t *consumer, struct batch *oldest) {
    while (oldest->next && !oldest->unacknowledged) {
        struct batch *finished = oldest;
        oldest = oldest->next;
        if (finished->offsets->cnt) rd_kafka_commit(consumer, finished->offsets, 1);
        rd_kafka_topic_partition_list_destroy(finished->offsets);
        free(finished);
    }
    return oldest;
}

static void run_role(enum role role) {
    signal(SIGTERM, stop);
    // Without the load, a role ends too.
    prctl(PR_SET_PDEATHSIG, SIGTERM);
    // As in the pipeline, where the coordinator writes twice for each record that it reads, and must not wait.
    rd_kafka_t *producer = new_producer(role == COORDINATOR ? "0" : "0.5", delivered), *consumer = new_consumer(role_names[role]);
    rd_kafka_topic_t *topics[TOPICS];
    for (int i = 0; i < TOPICS; i++) topics[i] = rd_kafka_topic_new(producer, full_name(i), NULL);
    if (role == COORDINATOR) journal = topics[SESSIONS], results = topics[RESULTS];
    char name[LARGEST_HEADER];
    snprintf(name, sizeof name, "/intents/%s", role_names[role]);
    source = name;
    rd_kafka_topic_partition_list_t *inputs = rd_kafka_topic_partition_list_new(2);
    rd_kafka_topic_partition_list_add(inputs, full_name(role == COORDINATOR ? REQUESTS : RESOLVE + role - RESOLVER), RD_KAFKA_PARTITION_UA);
    if (role == COORDINATOR) rd_kafka_topic_partition_list_add(inputs, full_name(OUTCOMES), RD_KAFKA_PARTITION_UA);
    rd_kafka_subscribe(consumer, inputs);
    rd_kafka_queue_t *queue = rd_kafka_queue_get_consumer(consumer);
    struct batch *newest = new_batch(), *oldest = newest;
    int64_t next_commit = nanoseconds() + commit_interval;
    rd_kafka_message_t *messages[BATCH];
    while (!is_stopping) {
        bool is_waiting = newest->unacknowledged || oldest != newest;
        ssize_t count = read_batch(consumer, queue, is_waiting ? 1 : 10, messages);
        for (ssize_t i = 0; i < count; i++) {
            if (!messages[i]->err) {
                if (role == COORDINATOR) decide(producer, topics, messages[i], newest);
                else work(producer, topics, messages[i], newest);
                note_offset(newest, messages[i]);
            }
            rd_kafka_message_destroy(messages[i]);
        }
        rd_kafka_poll(producer, 0);
        if (nanoseconds() < next_commit) continue;
        next_commit = nanoseconds() + commit_interval;
        newest = newest->next = new_batch();
        oldest = commit_finished(consumer, oldest);
    }
    _exit(0);
}

// Starts a role of this program, or of the one that the command line names.
static pid_t start_role(enum role role) {
    pid_t child = fork();
    if (child == -1) fail("fork", strerror(errno));
    if (child) return child;
    if (!options.program) run_role(role);
    char *arguments[256] = {0};
    int count = 0;
    for (char **argument = options.program; *argument && count < 128; argument++) arguments[count++] = *argument;
    const char *own[] = {role_names[role], "--bootstrap-servers", options.servers, "--prefix", options.prefix, "--sizes", options.sizes_text};
    for (size_t i = 0; i < sizeof own / sizeof *own; i++) arguments[count++] = (char *)own[i];
    for (int i = 0; i < options.property_count; i++) {
        arguments[count++] = "-X";
        arguments[count++] = (char *)options.properties[i];
    }
    prctl(PR_SET_PDEATHSIG, SIGTERM);
    execvp(arguments[0], arguments);
    fprintf(stderr, "flow: %s: %s\n", arguments[0], strerror(errno));
    _exit(127);
}

// MARK: The load

struct load {
    rd_kafka_t *producer, *consumer;
    rd_kafka_queue_t *results;
    rd_kafka_topic_t *requests;
    pid_t roles[ROLES];
    long next_id; // ids are not used again in a later loop
};

struct figures {
    long rate, intents, repeated;
    double seconds, lag_ms, cpu[ROLES]; // CPU in seconds
    double *latencies; // in milliseconds, sorted; NULL in a closed loop
    long latency_count;
};

static void request_delivered(rd_kafka_t *producer, const rd_kafka_message_t *message, void *opaque) {
    (void)producer, (void)opaque;
    if (message->err) fail("request", rd_kafka_err2str(message->err));
}

// Reads all results from the beginning: the topics are new.
static void read_results(struct load *load) {
    const struct rd_kafka_metadata *metadata;
    rd_kafka_topic_t *topic = rd_kafka_topic_new(load->producer, full_name(RESULTS), NULL);
    rd_kafka_resp_err_t error = rd_kafka_metadata(load->producer, 0, topic, &metadata, 10000);
    if (error) fail(full_name(RESULTS), rd_kafka_err2str(error));
    int partitions = metadata->topics[0].partition_cnt;
    if (!partitions) fail(full_name(RESULTS), "the topic does not exist");
    rd_kafka_topic_partition_list_t *list = rd_kafka_topic_partition_list_new(partitions);
    for (int i = 0; i < partitions; i++) rd_kafka_topic_partition_list_add(list, full_name(RESULTS), i)->offset = 0;
    rd_kafka_assign(load->consumer, list);
    rd_kafka_topic_partition_list_destroy(list);
    rd_kafka_metadata_destroy(metadata);
    load->results = rd_kafka_queue_get_consumer(load->consumer);
}

// The CPU time that a process has used, in seconds.
static double cpu_seconds(pid_t process) {
    clockid_t clock;
    struct timespec time;
    if (clock_getcpuclockid(process, &clock) || clock_gettime(clock, &time)) return 0;
    return time.tv_sec + time.tv_nsec / 1e9;
}

static void send_request(struct load *load, long id) {
    static char value[LARGEST_RECORD];
    char key[32], digits[32];
    int key_length = snprintf(key, sizeof key, "bench-session-%ld", id % options.sessions);
    int digit_count = snprintf(digits, sizeof digits, "%ld", id);
    size_t bytes;
    rd_kafka_headers_t *headers = event_headers(REQUESTS, 0, digits, digit_count, key, key_length, &bytes);
    size_t length = write_value(value, REQUESTS, 0, digits, digit_count, key_length + bytes);
    produce(load->producer, load->requests, RD_KAFKA_PARTITION_UA, headers, key, key_length, value, length, NULL);
}

static int compare(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static void check_roles(struct load *load, long done, long count, int64_t last) {
    for (int i = 0; i < ROLES; i++)
        if (waitpid(load->roles[i], NULL, WNOHANG)) fail(role_names[i], "it has ended");
    if (nanoseconds() - last < 60000000000LL) return;
    fprintf(stderr, "flow: %ld of %ld intents did not end within 60 s\n", count - done, count);
    exit(4);
}

// Sends `count` requests: at `rate` a second, or, if that is 0, whenever fewer than `window` are open. At a rate, a latency begins when the request was due, not
// when it was sent, and those of the first tenth are not counted.
static struct figures measure(struct load *load, long count, long window, long rate) {
    struct figures figures = {.rate = rate, .intents = count};
    long first = load->next_id, sent = 0, done = 0, skipped = count / 10;
    bool *is_done = calloc(count, sizeof *is_done);
    double *latencies = rate ? calloc(count, sizeof *latencies) : NULL;
    double before[ROLES];
    for (int i = 0; i < ROLES; i++) before[i] = cpu_seconds(load->roles[i]);
    int64_t start = nanoseconds(), last = start, next_check = start;
    rd_kafka_message_t *messages[BATCH];
    while (done < count) {
        while (sent < count) {
            double late = rate ? (nanoseconds() - start) / 1e6 - sent * 1e3 / rate : 0;
            if (rate ? late < 0 : sent - done >= window) break;
            if (late > figures.lag_ms) figures.lag_ms = late;
            send_request(load, first + sent++);
            if (sent % 100 == 0) rd_kafka_poll(load->producer, 0);
        }
        rd_kafka_poll(load->producer, 0);
        ssize_t received = read_batch(load->consumer, load->results, rate && sent < count ? 1 : 10, messages);
        int64_t now = nanoseconds();
        for (ssize_t i = 0; i < received; i++) {
            if (!messages[i]->err) {
                int length;
                check_type(messages[i], event_type(RESULTS, 4));
                long number = atol(find_id(messages[i]->payload, messages[i]->len, &length)) - first;
                if (number < 0 || number >= count || is_done[number]) {
                    figures.repeated++;
                } else {
                    is_done[number] = true;
                    done++;
                    last = now;
                    if (rate && number >= skipped) latencies[figures.latency_count++] = (now - start) / 1e6 - number * 1e3 / rate;
                }
            }
            rd_kafka_message_destroy(messages[i]);
        }
        if (now < next_check) continue;
        next_check = now + 1000000000LL;
        check_roles(load, done, count, last);
    }
    load->next_id += count;
    figures.seconds = (last - start) / 1e9;
    for (int i = 0; i < ROLES; i++) figures.cpu[i] = cpu_seconds(load->roles[i]) - before[i];
    if (latencies) qsort(latencies, figures.latency_count, sizeof *latencies, compare);
    figures.latencies = latencies;
    free(is_done);
    return figures;
}

// MARK: Output

static double percentile(const struct figures *figures, double percent) {
    long index = figures->latency_count * percent / 100;
    return figures->latencies[index < figures->latency_count ? index : figures->latency_count - 1];
}

static void print_figures(const struct figures *figures) {
    double total = 0;
    for (int i = 0; i < ROLES; i++) total += figures->cpu[i];
    printf("{\"rate\":%ld,\"intents\":%ld,\"repeated\":%ld,\"perSecond\":%.1f,", figures->rate, figures->intents, figures->repeated,
           figures->intents / figures->seconds);
    if (figures->latencies)
        printf("\"latency_ms\":{\"p50\":%.3f,\"p90\":%.3f,\"p99\":%.3f,\"p99.9\":%.3f,\"max\":%.3f},\"lag_ms\":%.3f,", percentile(figures, 50),
               percentile(figures, 90), percentile(figures, 99), percentile(figures, 99.9), percentile(figures, 100), figures->lag_ms);
    printf("\"cpu_us\":%.2f,\"cpu\":{", total * 1e6 / figures->intents);
    for (int i = 0; i < ROLES; i++) printf("%s\"%s\":%.2f", i ? "," : "", role_names[i], figures->cpu[i] * 1e6 / figures->intents);
    printf("}}");
}

// MARK: The command line

static void usage(void) {
    fputs(
        "Usage: flow --bootstrap-servers HOST:PORT,… [--prefix NAME] [--intents COUNT] [--window COUNT] [--rates COUNT,…] [--seconds SECONDS]\n"
        "            [--sessions COUNT] [--sizes BYTES,…] [-X NAME=VALUE]… [PROGRAM [ARGUMENT…]]\n"
        "--sizes has those of requests, resolve, confirm, handle, outcomes, results and sessions, with key and headers.\n",
        stderr);
    exit(2);
}

static long number(const char *text, long least) {
    char *end;
    long number = strtol(text, &end, 10);
    if (end == text || (*end && *end != ',') || number < least) usage();
    return number;
}

// Reads numbers that are separated by commas. Returns how many there are.
static int numbers(const char *text, long *values, int most, long least) {
    int count = 0;
    for (const char *part = text; part; part = strchr(part, ',')) {
        if (*part == ',') part++;
        if (count == most) usage();
        values[count++] = number(part, least);
    }
    return count;
}

static void parse(int count, char **arguments) {
    static const struct option names[] = {
        {"bootstrap-servers", 1, 0, 'b'}, {"prefix", 1, 0, 'p'}, {"intents", 1, 0, 'n'}, {"window", 1, 0, 'w'}, {"rates", 1, 0, 'r'},
        {"seconds", 1, 0, 's'}, {"sessions", 1, 0, 'k'}, {"sizes", 1, 0, 'z'}, {0},
    };
    int option;
    // With +, what follows the first word is left to the other program.
    while ((option = getopt_long(count, arguments, "+b:X:", names, NULL)) != -1) {
        switch (option) {
        case 'b': options.servers = optarg; break;
        case 'p': options.prefix = optarg; break;
        case 'n': options.intents = number(optarg, 0); break;
        case 'w': options.window = number(optarg, 1); break;
        case 'r': options.rate_count = numbers(optarg, options.rates, MOST_RATES, 1); break;
        case 's': options.seconds = number(optarg, 1); break;
        case 'k': options.sessions = number(optarg, 1); break;
        case 'z': options.sizes_text = optarg; break;
        case 'X':
            if (!strchr(optarg, '=') || options.property_count == MOST_PROPERTIES) usage();
            options.properties[options.property_count++] = optarg;
            break;
        default: usage();
        }
    }
    if (!options.servers) usage();
    if (numbers(options.sizes_text, options.sizes, TOPICS, 1) != TOPICS) usage();
    for (int i = 0; i < TOPICS; i++)
        if (options.sizes[i] > LARGEST_RECORD / 2) usage();
    if (optind < count) options.program = arguments + optind;
}

int main(int count, char **arguments) {
    parse(count, arguments);
    struct load load = {0};
    for (int i = 0; i < ROLES; i++) load.roles[i] = start_role(i);
    // Each process has clients of its own: a client of librdkafka does not survive a fork.
    load.producer = new_producer("0", request_delivered);
    load.consumer = new_consumer("load");
    load.requests = rd_kafka_topic_new(load.producer, full_name(REQUESTS), NULL);
    read_results(&load);
    struct figures warm = measure(&load, options.intents < 500 ? 500 : options.intents > 2000 ? 2000 : options.intents, options.window, 0);
    (void)warm;
    printf("{\"librdkafka\":\"%s\",\"closed\":", rd_kafka_version_str());
    if (options.intents) {
        struct figures closed = measure(&load, options.intents, options.window, 0);
        print_figures(&closed);
    } else {
        printf("null");
    }
    printf(",\"paced\":[");
    for (int i = 0; i < options.rate_count; i++) {
        struct figures paced = measure(&load, options.rates[i] * options.seconds, 0, options.rates[i]);
        if (i) printf(",");
        print_figures(&paced);
        free(paced.latencies);
    }
    printf("]}\n");
    fflush(stdout);
    for (int i = 0; i < ROLES; i++) kill(load.roles[i], SIGTERM);
    for (int i = 0; i < ROLES; i++) waitpid(load.roles[i], NULL, 0);
    _exit(0);
}
