import CRDKafka

/// Lets the main thread of each handle sleep up to a millisecond longer than requested, by setting its timer slack on
/// Linux.
///
/// Before version 2.4, librdkafka rounds the time until its next timer down to whole milliseconds, and then spins for
/// the last one. Each handle spends about 1 ms of CPU time a second, which was half of an idle process's CPU time. The
/// timers of the main thread (heartbeats, timeouts) don't need millisecond precision. The other threads keep the usual
/// precision, because they wait for `linger.ms`.
enum MainThreadSlack {
    private static let usual: UInt = 50_000
    private static let large: UInt = 1_100_000

    /// Adds the slack. Must be called before the handle is created.
    static func add(to configuration: OpaquePointer?) {
        #if os(Linux)
            _ = rd_kafka_conf_interceptor_add_on_new(
                configuration, "slack",
                { handle, _, _, _, _ in
                    rd_kafka_interceptor_add_on_thread_start(
                        handle, "slack",
                        { _, type, _, _ in
                            // A thread inherits its slack from the thread that starts it.
                            crdkafka_set_timer_slack(
                                type == RD_KAFKA_THREAD_MAIN ? MainThreadSlack.large : MainThreadSlack.usual)
                            return RD_KAFKA_RESP_ERR_NO_ERROR
                        }, nil)
                }, nil)
        #endif
    }
}
