package import RDKafkaLog
import RecordLog

/// A known fault of some versions of librdkafka that can affect this pipeline, according to librdkafka's change log.
///
/// Faults of `cooperative-sticky` (fixed in 2.3.0, 2.4.0, 2.6.1 and 2.10.0) are omitted: the pipeline sets `range`, and
/// rejects another assignor.
package struct LibraryFault: Sendable {
    /// The first version with the fault, and the first version without it, as `rd_kafka_version()` without the
    /// pre-release part.
    let versions: Range<Int32>
    /// The property that causes the fault, and a text in its value; `nil` if the fault does not depend on settings.
    var setting: (name: String, value: String)?
    /// `true` if the pipeline can't work with the fault.
    var isFatal = false
    let what: String
    /// The number of the issue or pull request at librdkafka.
    let source: Int

    private static func version(_ major: Int32, _ minor: Int32, _ revision: Int32) -> Int32 {
        major << 16 | minor << 8 | revision
    }

    package static let all: [LibraryFault] = [
        LibraryFault(
            versions: 0..<version(2, 3, 0),
            what:
                "after a disconnect, a writer can fail for good although its records could be written: its process ends, and has to be started again",
            source: 4438),
        LibraryFault(
            versions: version(2, 2, 0)..<version(2, 5, 0),
            what:
                "a writer of large batches can fail for good when it sends one again ('Unable to reconstruct MessageSet')",
            source: 4750),
        LibraryFault(
            versions: version(2, 1, 0)..<version(2, 3, 0),
            what: "a reader can stop for good when the leader of a partition changes several times in a row",
            source: 4433),
        LibraryFault(
            versions: version(2, 1, 0)..<version(2, 4, 0),
            what: "a reader can go back to a broker that does not lead the partition any more", source: 4680),
        LibraryFault(
            versions: version(2, 4, 0)..<version(2, 10, 0),
            what: "a process can crash when a topic is deleted and created again under its name", source: 4970),
        LibraryFault(
            versions: 0..<version(2, 11, 0), setting: ("sasl.mechanism", "GSSAPI"),
            what: "GSSAPI does not work with brokers of version 4.0 or newer", source: 5131),
        LibraryFault(
            versions: 0..<version(2, 6, 1), setting: ("sasl.mechanism", "SCRAM"),
            what: "SCRAM does not work with brokers of version 4.0 or newer, which refuse its nonce", source: 4895),
        LibraryFault(
            versions: 0..<version(2, 12, 0), setting: ("group.protocol", "consumer"), isFatal: true,
            what: "the group protocol 'consumer' (KIP-848) is not ready for production before 2.12.0", source: 4610),
    ]

    /// Returns the faults of a version with these settings.
    package static func of(_ version: RDKafkaVersion, _ properties: [String: String]) -> [LibraryFault] {
        all.filter { fault in
            guard fault.versions.contains(version.number >> 8) else { return false }
            guard let setting = fault.setting else { return true }
            // sasl.mechanism and sasl.mechanisms are aliases.
            return properties.contains {
                $0.key.hasPrefix(setting.name) && $0.value.lowercased().contains(setting.value.lowercased())
            }
        }
    }

    /// The first version without the fault.
    var fixedIn: String {
        "\(versions.upperBound >> 16).\(versions.upperBound >> 8 & 0xff).\(versions.upperBound & 0xff)"
    }

    /// The fault in a sentence, with its source.
    package var description: String { "\(what) (librdkafka #\(source), fixed in \(fixedIn))" }
}

extension LibraryFault {
    /// Reports the faults of a version.
    package static func diagnosis(_ version: RDKafkaVersion, _ properties: [String: String]) -> Diagnosis {
        do { try version.check() } catch {
            return Diagnosis("librdkafka", .failed, error.message, advice: "install another version")
        }
        let faults = of(version, properties)
        if faults.isEmpty { return Diagnosis("librdkafka", .ok, "\(version), without a known fault that matters here") }
        return Diagnosis(
            "librdkafka", faults.contains(where: \.isFatal) ? .failed : .warning,
            "\(version): \(faults.map(\.description).joined(separator: "; "))",
            advice:
                "install \(faults.max { $0.versions.upperBound < $1.versions.upperBound }?.fixedIn ?? "a newer version") or newer, and restart all processes"
        )
    }
}
