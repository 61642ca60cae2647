/// Times and bounds of conversations.
public struct SessionPolicy: Sendable, Hashable {
    /// How long a person has to answer a prompt.
    public var answerTimeout: Duration = .seconds(120)
    /// The longest time for an answer that an intent may declare.
    public var maximumAnswerTimeout: Duration = .seconds(30 * 24 * 3_600)
    /// How long an open choice of an item still waits for its answer once another request has come. Answers and requests come on different topics, so a choice that was
    /// made before may arrive after it.
    public var choiceGrace: Duration = .milliseconds(500)
    /// How long they have to sign in, if the prompt's ``SignIn/validFor`` does not say.
    public var signInTimeout: Duration = .seconds(600)
    /// How long a phase may take at a worker, redeliveries after a crash included.
    public var phaseTimeout: Duration = .seconds(60)
    /// After how long in a phase the coordinator itself tells the person that it is `inProgress`; `nil` is never. SiriKit wants an answer within
    /// a few seconds and stops waiting after about ten, so people are told before that.
    public var announceAfter: Duration? = .seconds(8)
    /// How long an intent may stay `inProgress`, counted from its last progress.
    public var inProgressTimeout: Duration = .seconds(900)
    /// How long an app has to claim and complete a handoff.
    public var handoffTimeout: Duration = .seconds(600)
    /// How long a running handler has to clean up after a cancel.
    public var cancelTimeout: Duration = .seconds(10)
    /// How long a session without a request is remembered.
    public var idleTimeout: Duration = .seconds(1_800)
    /// How long the ids of a session's last ``rememberedRequests`` are known after the session was forgotten; 0 is not at all.
    public var repeatTimeout: Duration = .seconds(3_600)
    /// How long the id of a request is known after its once-only handler was permitted, and after its end, whether the session is open or not.
    public var onceRepeatTimeout: Duration = .seconds(24 * 3_600)
    /// How long a handler may send live updates.
    public var updatesTimeout: Duration = .seconds(4 * 3_600)
    /// How long it may be silent: 20 s, as SiriKit has it, and some time on the way. Then the work is dispatched again.
    public var updatesSilence: Duration = .seconds(30)
    /// Updates of one phase that come faster are left out.
    public var updatesInterval: Duration = .seconds(1)
    /// The phrases that answers in words may use.
    public var phrases = PhraseBook.builtIn
    /// The bounds of what a conversation holds.
    public var limits = SessionLimits()
    /// After which time a value that a person goes on using is written again to what is remembered about them.
    package static let memoryRenewal: Duration = .seconds(86_400)

    public init() {}
}

/// Bounds of one conversation.
public struct SessionLimits: Sendable, Hashable {
    /// How often one parameter is asked for in one request.
    public var maximumAsks = 5
    /// How often one phase is tried when workers ask for another try.
    public var maximumAttempts = 5
    /// Requests that may wait for the active one.
    public var maximumQueued = 16
    /// Bytes of all the values of the requests that wait: a session has to fit into one record of the journal.
    public var maximumQueuedBytes = 256 * 1024
    /// Bytes of all that the person may have said of one request's parameters.
    public var maximumParameterBytes = 128 * 1024
    /// Requests that are interrupted at the same time.
    public var maximumSuspended = 4
    /// Handoffs that may be open at the same time.
    public var maximumHandoffs = 8
    /// Requests that ended while a handler was still running, and whose late outcome is reported.
    public var maximumAbandoned = 8
    /// Requests that have succeeded and whose updates can be asked for.
    public var maximumUpdates = 4
    /// Request ids that a session remembers to recognise a repeat; past it the oldest goes.
    public var rememberedRequests = 64
    /// Requests of a session whose once-only handlers may have been called, and that are known for ``SessionPolicy/onceRepeatTimeout``. Past it no such handler is
    /// called: its request fails as busy.
    public var maximumOnceRequests = 256
    /// Requests that can be taken back.
    public var maximumUndoable = 8
    /// Questions that the phases of one request may ask.
    public var maximumQuestions = 64
    /// Bytes of a phase's answers and of what it has recorded.
    public var maximumNoteBytes = 64 * 1024
    /// Keys that a session remembers values under; past it the oldest goes.
    public var maximumMemoryKeys = 64
    /// Bytes of keys and values that a session remembers; past it the oldest goes.
    public var maximumMemoryBytes = 32 * 1024
    /// How many intents may open one another in a row.
    public var maximumOpened = 8

    public init() {}
}
