/// A rule that the pipeline's guarantees rest on. The code that applies a rule refers to it by name.
///
/// `intents-simulator --mutants` breaks one rule after the other, and the simulator has to detect each broken rule: a
/// rule that can be broken without detection is not tested, or is not needed. Breaking a rule requires a build with the
/// condition `BREAKABLE_RULES`, which debug builds have. In other builds each rule holds, and asking costs a call.
package enum Rule: CaseIterable, Sendable {
    // MARK: The conversation

    /// A request with a repeated id is not a new request.
    case requestsAreAcceptedOnce
    /// A request with a repeated id is recognized for a time after its session was forgotten.
    case forgottenRequestsAreKnown
    /// An outcome counts only for the step that waits for it.
    case outcomesBelongToTheirStep
    /// An outcome counts only from the worker that got the work of its step.
    case outcomesNeedTheirTicket
    /// A session accepts events only from the principal that opened it.
    case sessionsHaveAnOwner
    /// A rejection that depends on the load is sent only after the journal has the position of its event.
    case rejectionsAreFinal
    /// With separate trust, only the person's channel speaks for the person.
    case onlyAnswersSpeakForThePerson
    /// An answer counts only for the open prompt.
    case promptsAreAnsweredOnce
    /// A parameter that the resolver could not resolve is asked for.
    case openParametersAreAsked
    /// An intent that needs the person's confirmation is not handled without it.
    case confirmationsAreAsked
    /// An intent also needs the person's confirmation if only the resolver has asked for it.
    case resolversMayAskToConfirm
    /// An answer to a confirmation is a yes only if it says nothing else.
    case onlyYesIsYes
    /// A confirmation with a time limit is asked for again after the limit.
    case confirmationsExpire
    /// A request whose handler has succeeded stays successful, whatever follows.
    case handledRequestsHaveSucceeded
    /// Each stage of a request has a time limit.
    case stagesTimeOut
    /// A phase is attempted a limited number of times.
    case triesAreBounded
    /// The next queued request of the session begins when a request has ended.
    case queuedRequestsFollow
    /// The request that a response opens has an id of its own.
    case openedRequestsAreNew
    /// A cancelled request is not handed to an app.
    case cancelledWorkIsNotHandedOver
    /// A success that arrives after the end of its request is reported.
    case lateSuccessesAreReported
    /// An offer to an app is claimed once.
    case handoffsHaveOneClaimant
    /// A claim carries the token of its offer.
    case claimsNeedTheirToken
    /// Only a client with the secret of the claim completes or returns a handoff.
    case claimsHaveASecret
    /// Live updates that fall silent are restarted.
    case silentUpdatesAreRestarted
    /// Live updates have a time limit.
    case updatesTimeOut
    /// No result contains the values of secret parameters.
    case secretsAreNotDisclosed

    // MARK: Once-only handlers

    /// A once-only handler is not called without a permit.
    case onceOnlyWorkIsPermitted
    /// Only the first claim of a step is permitted.
    case oneClaimIsPermitted
    /// Only the worker that was permitted to do work may return it.
    case permittedWorkHasOneWorker
    /// No two claims are the same.
    case claimsAreUnique
    /// A worker claims work once, however often the worker reads it.
    case repeatedWorkIsClaimedOnce
    /// Copies of work that waits for its permit take no slot: permits arrive on the topic of the work, and a full
    /// worker pauses this topic.
    case copiesUseNoSlot
    /// The work is committed as done before its handler is called.
    case onceOnlyWorkIsCommittedFirst
    /// A handler is not called if the commit of its work fails.
    case failedCommitsPermitNothing
    /// A request whose handler was permitted ends as unknown if no outcome arrives.
    case permittedWorkIsUnknown

    // MARK: The journal

    /// If two owners have the same epoch, the owner whose fence is first in the log owns the partition.
    case firstFenceOwns
    /// Only records of the epoch's owner count.
    case onlyTheOwnerCounts
    /// After a missing record, no record of the same owner counts.
    case nothingCountsAfterAGap
    /// An input record is decided on only once.
    case inputIsDecidedOnce
    /// Effects are sent only when the record of their decision is in the log.
    case effectsFollowTheirRecord
    /// An owner reads its journal where an acknowledgement shows that others have written to it.
    case gapsAreRead
    /// An owner reads its journal from time to time when it writes nothing.
    case quietJournalsAreRead
    /// An owner that reads a newer fence has lost the partition.
    case newerOwnersWin
    /// A partition that is assigned again after an eviction is taken over from the beginning of its journal if others
    /// have written to it in the meantime.
    case recordsOfOthersAreRead
    /// Records that others wrote to a cached partition replace the cached state.
    case recordsOfOthersReplaceCachedState
    /// A standby folds the fences of others into its state.
    case followedFencesCount
    /// A new owner overwrites records that do not count, so that compaction does not keep them.
    case voidRecordsAreOverwritten
    /// An owner overwrites records that do not count among its own records too.
    case strayRecordsAreOverwritten
    /// A new owner sends work without an outcome again.
    case openWorkIsSentAgain
    /// Results stay with their session until they are acknowledged.
    case resultsStayUntilAcknowledged
    /// A new owner writes the memory across sessions that its predecessor may not have written.
    case memoryIsWrittenAgain
    /// A forgotten value stays forgotten when an earlier request remembers it afterwards.
    case forgettingOutlivesLaterWrites
    /// If there are two records about a person, the record with the later position counts, wherever each is in the log.
    case laterPositionsCount
    /// A person's record that a newer record has replaced gets a tombstone.
    case replacedMemoryIsDeleted
    /// Forgetting is reported only after the log has it.
    case forgettingIsReportedWhenDone
    /// Sessions are informed of each forgetting of their owner.
    case sessionsAreInformedOfForgetting
    /// A change that the log rejects is dropped.
    case refusedChangesAreDropped
    /// A change of a person's memory is applied once, however often it is written.
    case memoryChangesAreAppliedOnce
    /// Forgotten values are asked for again in open requests.
    case forgettingCoversOpenRequests
    /// A new owner sends the results that its predecessor may not have sent.
    case unsentResultsAreSentAgain
    /// A new owner first looks in the log for results that were sent.
    case sentResultsAreSearchedFor
    /// A new owner also distinguishes results by their time, because a reopened session numbers its results from 1
    /// again.
    case resultsAreKnownByTime
    /// A new owner treats results before the stamp's offset as sent.
    case settledResultsAreNotSentAgain
    /// A record says where to look for the unacknowledged results of all records before it.
    case recordsInFlightNameResults
    /// The newest fences of earlier owners are forgotten first: if two have the same epoch, the second never becomes
    /// the first.
    case newestFenceIsForgottenFirst
    /// A session that was taken over is read before any decision for it.
    case sessionsAreReadFirst
    /// A session that can't be read stops the partition.
    case unreadableSessionsStopThePartition
    /// A stamp names the records whose dead letters, or rejections outside of a session, may not have been written.
    case openInputIsNamed
    /// An input topic that was recreated, or has lost its end, stops the partition.
    case otherLogsAreNoticed
    /// A partition whose journal has lost acknowledged records is not served.
    case lostJournalsAreNoticed
    /// A journal that seems to have lost records is read again, because another coordinator may have fenced and written
    /// in the meantime.
    case lossesAreConfirmed
    /// The number of partitions does not change.
    case partitionCountIsFixed

    // MARK: The coordinator

    /// A request in another partition than the partition of its key is rejected.
    case misplacedRequestsAreRejected
    /// A batch that can't be read is skipped with a dead letter.
    case unreadableBatchesAreNamed
    /// A dead letter names the offsets of unreadable records that are only counted.
    case countedRecordsAreNamed
    /// A new session waits for the key that encrypts it.
    case newSessionsWaitForAKey
    /// A session's key is in the log before anything is encrypted with it.
    case keysComeFirst
    /// A record whose key is not known yet waits for the key.
    case unknownKeysAreAwaited
    /// A key that was wrapped by an older key of the file can be unwrapped.
    case olderKeysUnwrap
    /// Records for one partition don't wait for another partition.
    case partitionsAreSentApart
    /// Work for a partition that accepts no records is rejected and its dead letters are dropped, so that nothing else
    /// waits for the partition.
    case stuckPartitionsAreSkipped
    /// A session has a maximum size.
    case sessionsHaveAMaximumSize
    /// A session is forgotten only after its results are acknowledged.
    case unacknowledgedSessionsStay
    /// A timer that is due earlier replaces a later timer.
    case earlierTimersReplaceLater
    /// A process ends if a record of its journal or of its results is rejected, and the next owner repeats its
    /// decisions.
    case refusedRecordsEndTheProcess
    /// A request whose work is rejected fails and reports the failure.
    case refusedWorkFailsItsRequest

    // MARK: The worker

    /// Work is done when its outcome is acknowledged.
    case workIsDoneWhenAcknowledged
    /// A worker commits no offset past work that is not done.
    case unfinishedWorkIsNotCommitted
    /// A session has one running handler.
    case sessionsHaveOneHandler
    /// A handler that does not return in time loses its slot and its record.
    case handlersHaveALimit
    /// Work is not started after its deadline.
    case lateWorkIsLeftAlone
    /// Work with a known cancel is not started.
    case cancelledWorkIsNotBegun
    /// A cancel stops running handlers.
    case cancelsStopWork
    /// Cancels are read ahead of the work that a full worker has no room for.
    case cancelsReachAFullWorker
}

extension Rule {
    #if BREAKABLE_RULES
        package static let areBreakable = true

        // Set before histories begin, and read by their threads.
        nonisolated(unsafe) private static var broken: Rule?

        package var holds: Bool { self != Rule.broken }

        /// Calls `body` while the rule is broken, in the whole process.
        package func breaking<Result>(_ body: () async -> Result) async -> Result {
            Rule.broken = self
            defer { Rule.broken = nil }
            return await body()
        }
    #else
        package static let areBreakable = false

        package var holds: Bool { true }

        package func breaking<Result>(_ body: () async -> Result) async -> Result { await body() }
    #endif
}
