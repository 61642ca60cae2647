import CRDKafka
public import RecordLog

/// A version of librdkafka in the form of `rd_kafka_version()`: `0xMMmmrrpp`, major, minor, revision, and `ff` for a
/// release.
public struct RDKafkaVersion: Sendable, Hashable, CustomStringConvertible {
    public let number: Int32

    public init(number: Int32) {
        self.number = number
    }

    /// The version that this process runs with, which may differ from the version that it was built with.
    public static var current: RDKafkaVersion { RDKafkaVersion(number: rd_kafka_version()) }

    /// Major, minor and revision as one number for comparison, without the pre-release part.
    private var release: Int32 { number >> 8 }

    public var description: String { "\(number >> 24 & 0xff).\(number >> 16 & 0xff).\(number >> 8 & 0xff)" }

    /// Rejects versions that are known not to work with this module.
    ///
    /// - 2.1.0 does not count a poll of the consumer's queue as a poll: every member is removed from its group after
    ///   `max.poll.interval.ms`
    ///   (librdkafka #4256, fixed in 2.1.1).
    /// - Versions before 2.0.2 were never tested, and have several known faults in events and assignments.
    ///
    /// - Throws: ``LogError/Code/unsupported``, fatal, with the versions to install.
    public func check() throws(LogError) {
        if release < 0x02_00_02 {
            throw refusal("it is older than 2.0.2, the oldest version that is known to work")
        }
        if release == 0x02_01_00 {
            throw refusal(
                "2.1.0 does not count polling as a sign of life, so members are removed from their group (librdkafka issue #4256)"
            )
        }
    }

    private func refusal(_ reason: String) -> LogError {
        LogError(
            .unsupported,
            "librdkafka \(self) is installed, and \(reason): install 2.0.2, or 2.1.1 or newer (Debian 12: apt-get install librdkafka1)",
            disposition: .fatal)
    }
}
