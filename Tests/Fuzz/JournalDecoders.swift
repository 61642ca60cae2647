import Conversation
import IntentEvents
import IntentModel
import RecordLog

/// Decodes records of the journal. A session that was read is written and read unchanged, and continues without a trap,
/// whatever its content.
func decodeJournal(_ input: [UInt8]) {
    for record in FuzzedRecords(input, topic: topics.sessions) {
        _ = FenceTerms(record.value).partitions.map {
            require(FenceTerms(FenceTerms(partitions: $0).bytes).partitions == $0, "terms stay")
        }
        if let text = record.header("intents-journal"), let stamp = JournalStamp(String(decoding: text, as: UTF8.self))
        {
            require(JournalStamp(stamp.description) == stamp, "a stamp is read as it was written: \(stamp)")
        }
        do {
            let read = try JournalRecord(record)
            checkRewritten(read)
            if case .session(_, let session?) = read.content { goOn(session) }
        } catch {
            checkRefusal(error, of: record)
        }
    }
}

private func checkRewritten(_ read: JournalRecord) {
    let written = ConsumedRecord(read.record(topic: topics.sessions, partition: 0, at: start))
    do {
        let again = try JournalRecord(written)
        // The key of a fence is derived from its stamp.
        if case .fence = read.content { return }
        var expected = read
        expected.stamp.format = again.stamp.format
        require(again == expected, "a journal record is read as it was written: \(read) became \(again)")
    } catch {
        require(false, "a journal record can be written and read again: \(error.rejection.message)")
    }
}

private func goOn(_ journaled: JournaledSession) {
    _ = journaled.remains
    var randomness = Randomness(seed: 1)
    var policy = SessionPolicy()
    policy.idleTimeout = .seconds(60)
    let events: [SessionEvent] = [
        .timer, .cancelled(request: nil), .requested(IntentRequest(id: "next", intent: "Next")), .ended(reason: nil),
    ]
    for event in events {
        var session = journaled.session
        for time in [start, start.advanced(by: .seconds(86_400 * 365))] {
            _ = session.nextTimer(policy)
            _ = session.receive(event, at: time, policy: policy, randomness: &randomness)
        }
    }
}
