import Conversation
import IntentEvents
import IntentModel
import RecordLog

/// Decodes dead letters as an operator reads and replays them, and the marks on dead letters.
func decodeDeadLetter(_ input: [UInt8]) {
    for record in FuzzedRecords(input, topic: topics.deadLetters) {
        if let letter = ReadDeadLetter(record) {
            _ = (letter.session, letter.eventID, letter.place)
            for force in [false, true] {
                do {
                    let replayed = try letter.replay(topics: topics, force: force)
                    require([topics.requests, topics.outcomes].contains(replayed.topic), "only input is replayed")
                    require(
                        replayed.value == letter.original.value && replayed.key == letter.original.key,
                        "a replay is the original")
                } catch {
                    require(!error.rejection.message.isEmpty, "a refusal says what is wrong")
                }
            }
        }
        if let mark = DeadLetterMark(record) {
            require(
                mark.partition == record.partition && mark.offset < record.offset,
                "a mark is on an earlier letter of its partition")
            var written = ConsumedRecord(mark.record(key: record.key, topics: topics), offset: record.offset)
            written.timestamp = record.timestamp
            require(DeadLetterMark(written) == mark, "a mark is read as it was written")
        }
        if let key = record.key.flatMap({ String(validating: $0, as: UTF8.self) }), let place = DeadLetterPlace(key) {
            require(DeadLetterPlace(place.description) == place, "a place is read as it was written")
        }
    }
}
