/// The present load of a gateway.
package struct GatewayLoad: Sendable, Hashable {
    /// The number of readers.
    package var readers: Int
    /// The number of readers that were disconnected because they were too slow, since the start.
    package var readersCut: Int
    /// The number of records that Kafka has not acknowledged.
    package var waiting: Int
    /// The number of sessions in memory.
    package var sessions: Int
    /// The number of times that results of a session were missing, since the start.
    package var gaps: Int

    /// The number of descriptions of intents that were not stored, since the start.
    package var descriptionsLeftOut: Int

    package init(readers: Int, readersCut: Int, waiting: Int, sessions: Int, gaps: Int, descriptionsLeftOut: Int = 0) {
        (self.readers, self.readersCut, self.waiting, self.sessions, self.gaps) = (
            readers, readersCut, waiting, sessions, gaps
        )
        self.descriptionsLeftOut = descriptionsLeftOut
    }
}
