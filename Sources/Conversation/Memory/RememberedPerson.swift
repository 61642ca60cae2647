public import IntentModel

/// All that is remembered about a person: one record of `intents.memory`. The record results from the person's changes in the order of `intents.memory-changes`,
/// so everyone who applies the changes gets the same record.
public struct RememberedPerson: Sendable, Hashable {
    /// No key twice; what was changed last is last.
    public var values: [RememberedValue]
    /// The last ones, oldest first.
    public var forgettings: [DoneForgetting]
    /// The number of the last change of each stream that was taken, the last stream last.
    public var streams: [MemoryStream]
    /// The place of the last change that was taken. Of two records about a person the later one counts, wherever they are in the log.
    public var position: MemoryPosition

    public init(
        values: [RememberedValue] = [], forgettings: [DoneForgetting] = [], streams: [MemoryStream] = [],
        position: MemoryPosition = MemoryPosition(offset: -1)
    ) {
        self.values = values
        self.forgettings = forgettings
        self.streams = streams
        self.position = position
    }

    /// How many values are remembered, and how many bytes of them. Past either, what was changed the longest ago is dropped.
    public static let maximumValues = 256, maximumBytes = 64 << 10
    /// How many forgettings are kept. The oldest one stands for all before it, so it covers all keys.
    public static let maximumForgettings = 16
    /// How many bytes the keys of a kept forgetting have, at most.
    public static let maximumForgettingBytes = 2_048
    /// How many of the person's sessions are known by their streams.
    public static let maximumStreams = 64

    /// The number of the last change of a stream that was taken; 0 if none is known.
    public func done(_ stream: Identifier) -> Int { streams.first { $0.name == stream }?.number ?? 0 }

    /// Takes a change. One that was taken before changes nothing. A value that has been forgotten since its request came is not remembered.
    ///
    /// - Returns: whether it was not taken before.
    @discardableResult
    public mutating func take(_ change: MemoryChange, at position: MemoryPosition) -> Bool {
        // rule: memoryChangesAreAppliedOnce
        guard position > self.position, done(change.stream) < change.number else { return false }
        self.position = position
        streams.removeAll { $0.name == change.stream }
        streams.append(MemoryStream(name: change.stream, number: change.number))
        if streams.count > Self.maximumStreams { streams.removeFirst() }
        switch change.kind {
        case .remember:
            if isForgotten(by: change) { return true }  // rule: forgettingOutlivesLaterWrites
            change.apply(to: &values)
            var bytes = values.reduce(0) { $0 + $1.size }
            while values.count > Self.maximumValues || bytes > Self.maximumBytes, !values.isEmpty {
                bytes -= values.removeFirst().size
            }
        case .forget(let keys):
            let count = values.forget(keys)
            // Of many keys, it stands for all keys.
            let kept = change.size <= Self.maximumForgettingBytes ? keys : nil
            forgettings.append(
                DoneForgetting(
                    keys: kept, count: count, stream: change.stream, number: change.number, position: position))
            if forgettings.count > Self.maximumForgettings {
                forgettings.removeFirst()
                (forgettings[0].keys, forgettings[0].stream) = (nil, "")
            }
        }
        return true
    }

    /// `true` if a forgetting that came after the request of the change covers the value of the change.
    package func isForgotten(by change: MemoryChange) -> Bool {
        guard case .remember(let value) = change.kind else { return false }
        return forgettings.contains { forgetting in
            // A session follows its own forgettings at once.
            forgetting.stream != change.stream && forgetting.covers(value.key)
                && change.since.map { $0 < forgetting.position } ?? true
        }
    }

    /// `true` if so many sessions have made changes that the oldest sessions may not be known any more.
    package var hasForgottenStreams: Bool { streams.count >= Self.maximumStreams }

    /// The part that has to stay known of a person whose values have no room: nothing that was forgotten comes back.
    package var withoutValues: RememberedPerson {
        var shell = RememberedPerson(position: position)
        if var last = forgettings.last {
            (last.keys, last.stream) = (nil, "")
            shell.forgettings = [last]
        }
        return shell
    }
}

/// The changes of one session, as far as they were taken.
public struct MemoryStream: Sendable, Hashable {
    public var name: Identifier
    public var number: Int

    public init(name: Identifier, number: Int) {
        self.name = name
        self.number = number
    }
}
