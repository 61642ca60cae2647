#include <librdkafka/rdkafka.h>

#ifdef __linux__
#include <sys/prctl.h>

// Swift can't call prctl, which takes any number of arguments.
static inline void crdkafka_set_timer_slack(unsigned long nanoseconds) {
    prctl(PR_SET_TIMERSLACK, nanoseconds, 0UL, 0UL, 0UL);
}
#endif
