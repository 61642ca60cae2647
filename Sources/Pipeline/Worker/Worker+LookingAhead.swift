import Conversation
import IntentEvents
import RecordLog

// Cancels reach a full worker.
//
// A full worker pauses its partitions, and cancels come on the same partitions. So after a second of that it opens them a second time, as a reader
// outside of the group, and acts on cancels alone. Positions and offsets are not touched: when the worker has room, the group's reading continues where it
// was paused, and a cancel that comes again changes nothing.
extension Worker {
    func pause() throws(LogError) {
        guard !ahead.isPaused else { return }
        ahead.isPaused = true
        ahead.begins = clock().advanced(by: configuration.lookAheadDelay)
        try client.pause(partitions.trackers.keys.map { TopicPartition(configuration.topic, $0) })
    }

    /// - Returns: whether reading ahead has begun.
    func lookAheadIfDue() throws(LogError) -> Bool {
        guard let begins = ahead.begins, !ahead.isReading, begins <= clock() else {  // rule: cancelsReachAFullWorker
            return false
        }
        ahead.begin()
        for (number, tracker) in partitions.trackers {
            try client.read(
                TopicPartition(configuration.topic, number), from: .offset(ahead.start(number, next: tracker.next)))
        }
        return true
    }

    func stopLookingAhead() throws(LogError) {
        if ahead.isReading {
            for number in partitions.trackers.keys {
                try client.stopReading(TopicPartition(configuration.topic, number))
            }
        }
        ahead.end()
    }

    func readAhead(_ record: ConsumedRecord) {
        guard ahead.isReading else { return }
        ahead.passed(record.partition, record.offset)
        guard record.isCancel, let event = try? WorkEvent(record), let cancel = event.cancel(readAt: readAt) else {
            return
        }
        ahead.remember(cancel, session: event.session, partition: record.partition, offset: record.offset)
        counters.cancels += 1
        self.cancel(cancel, session: event.session)
    }
}

extension WorkEvent {
    /// The cancel, with the end of the time to clean up by the worker's clock; `nil` if the event is none.
    ///
    /// - Parameter now: the worker's time when it read the record.
    func cancel(readAt now: Instant) -> WorkCancel? {
        guard var cancel = work.cancel else { return nil }
        cancel.deadline = WorkTimes(self, readAt: now).deadline
        return cancel
    }
}

extension ConsumedRecord {
    /// Told by the header, so that the work between cancels is not parsed.
    fileprivate var isCancel: Bool {
        header("ce_type").map { $0.elementsEqual(EventType.cancel.rawValue.utf8) } == true
    }
}
