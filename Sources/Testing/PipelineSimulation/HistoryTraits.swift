import Pipeline

/// The properties in which one history differs from others, by its seed.
struct HistoryTraits: Sendable {
    /// `true` if the coordinators and workers pause their input early.
    let isNarrow: Bool
    /// The tokens of handoffs; `nil` if handoffs need no tokens.
    let tokens: HandoffTokens?
    /// `true` if the persons are authenticated and own their sessions.
    let hasPrincipals: Bool
    /// The limits of a sender's events; `nil` for the default.
    let senderLimits: (rate: Double, burst: Int)?
    /// The trust in the input topics, which decides who may speak for the persons. Version 0.1.0 does not know
    /// `intents.answers`: it reads no input there, and forgets the positions of other owners.
    let trust: InputTrust
    /// The number of partitions that each coordinator follows beside its own.
    let standby: Int
    /// `true` if all sessions belong to one person, provided that the persons are authenticated.
    let isOnePerson: Bool
    /// `true` if one coordinator is restarted again and again, so that its partitions are reassigned and return.
    let isRolling: Bool
    /// The maximum size of a session; `nil` for the default.
    let maximumSessionBytes: Int?

    init(_ script: SimulationScript, _ random: inout SimulationRandom) {
        isNarrow = random.once(in: 4)
        tokens = random.once(in: 2) ? HandoffTokens(secrets: [Array("a secret of the simulation".utf8)]) : nil
        hasPrincipals = random.once(in: 2)
        senderLimits = random.once(in: 8) ? random.pick([(5, 8), (0.5, 2)]) : nil
        trust = script.older == nil && random.once(in: 2) ? .separate : .open
        var standbys = SimulationRandom(seed: script.seed, "standby")
        standby = standbys.once(in: 2) ? standbys.within(1...2) : 0
        isOnePerson = standbys.once(in: 2)
        isRolling = script.seed % 10 == 7
        maximumSessionBytes = random.once(in: 12) ? random.pick([1_200, 2_500]) : nil
    }
}
