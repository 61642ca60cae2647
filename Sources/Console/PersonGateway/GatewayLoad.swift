/// How much a gateway has to do at present.
package struct GatewayLoad: Sendable, Hashable {
    /// How many read events.
    package var readers: Int
    /// How many were cut off because they were too slow, since the beginning.
    package var readersCut: Int
    /// What was said and is not acknowledged by Kafka.
    package var waiting: Int
    /// How many sessions are kept.
    package var sessions: Int
    /// How often results of a session were missing, since the beginning.
    package var gaps: Int

    /// How many descriptions of intents were not kept, since the beginning.
    package var descriptionsLeftOut: Int

    package init(readers: Int, readersCut: Int, waiting: Int, sessions: Int, gaps: Int, descriptionsLeftOut: Int = 0) {
        (self.readers, self.readersCut, self.waiting, self.sessions, self.gaps) = (readers, readersCut, waiting, sessions, gaps)
        self.descriptionsLeftOut = descriptionsLeftOut
    }
}
