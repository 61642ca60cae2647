/// A rule that the pipeline's promises rest on, under its name where it is applied.
///
/// `intents-simulator --mutants` breaks one rule after the other, and the simulator has to notice each time: a rule that can be broken unnoticed is not
/// tested, or is not needed. That takes a build with the condition `BREAKABLE_RULES`, as debug builds are. In other builds each rule holds, and to ask costs a call.
package enum Rule: CaseIterable, Sendable {
    // MARK: The conversation

    /// A repeat of a request's id is no new request.
    case requestsAreTakenOnce
    /// So it is after the session was forgotten, for a time.
    case forgottenRequestsAreKnown
    /// An outcome counts only for the step that waits for it.
    case outcomesBelongToTheirStep
    /// An outcome counts only from who got the work of its step.
    case outcomesNeedTheirTicket
    /// A session takes events only from the principal who has opened it.
    case sessionsHaveAnOwner
    /// A rejection that depends on the load is not told before the journal has the position of its event.
    case rejectionsAreFinal
    /// With separate trust, only the person's channel speaks for the person.
    case onlyAnswersSpeakForThePerson
    /// An answer counts only for the prompt that is open.
    case promptsAreAnsweredOnce
    /// A parameter that the resolver could not resolve is asked for.
    case openParametersAreAsked
    /// What needs the person's confirmation is not handled without it.
    case confirmationsAreAsked
    /// So it is if only the resolver has said that it needs one.
    case resolversMayAskToConfirm
    /// An answer to a confirmation is a yes only if it says nothing else.
    case onlyYesIsYes
    /// A confirmation with a time limit is asked for again after it.
    case confirmationsExpire
    /// A request whose handler has succeeded has succeeded, whatever comes after it.
    case handledRequestsHaveSucceeded
    /// Each stage of a request has a time limit.
    case stagesTimeOut
    /// A phase is tried a limited number of times.
    case triesAreBounded
    /// The next request of the session begins when one has ended.
    case queuedRequestsFollow
    /// The request that a response opens has an id of its own.
    case openedRequestsAreNew
    /// A cancelled request is not handed to an app.
    case cancelledWorkIsNotHandedOver
    /// A success that comes after the end of its request is told.
    case lateSuccessesAreTold
    /// An offer to an app is claimed once.
    case handoffsHaveOneClaimant
    /// A claim has the token of its offer.
    case claimsNeedTheirToken
    /// Only who has the secret of the claim completes or returns a handoff.
    case claimsHaveASecret
    /// Live updates that fall silent are started again.
    case silentUpdatesAreRestarted
    /// Live updates have a time limit.
    case updatesTimeOut
    /// The values of secret parameters are in no result.
    case secretsAreNotTold

    // MARK: Once-only handlers

    /// They are not called without a permit.
    case onceOnlyWorkIsPermitted
    /// Only the first claim of a step is permitted.
    case oneClaimIsPermitted
    /// Work that a worker was permitted to do is given back by that worker alone.
    case permittedWorkHasOneWorker
    /// No two claims are the same.
    case claimsAreUnique
    /// A worker claims work once, however often it reads it.
    case repeatedWorkIsClaimedOnce
    /// Copies of work that waits for its permit take no slot: permits come on the topic of the work, and a full worker pauses that.
    case copiesTakeNoSlot
    /// The work is committed as done before its handler is called.
    case onceOnlyWorkIsCommittedFirst
    /// If that fails, the handler is not called.
    case failedCommitsPermitNothing
    /// A request whose handler was permitted ends as unknown if nothing more is heard.
    case permittedWorkIsUnknown

    // MARK: The journal

    /// Of two owners with one epoch, the one whose fence is first in the log owns the partition.
    case firstFenceOwns
    /// Only records of the epoch's owner count.
    case onlyTheOwnerCounts
    /// After a record that is missing, no record of the same owner counts.
    case nothingCountsAfterAGap
    /// Input that was decided on is not decided on again.
    case inputIsDecidedOnce
    /// Effects are sent when the record of their decision is in the log, and not before.
    case effectsFollowTheirRecord
    /// An owner reads its journal where an acknowledgement shows that others have written.
    case gapsAreRead
    /// An owner reads its journal from time to time when it writes nothing.
    case quietJournalsAreRead
    /// An owner that reads a newer fence has lost the partition.
    case newerOwnersWin
    /// A partition that comes back is taken over from the beginning of its journal if anyone else has written to it meanwhile.
    case whatOthersWroteIsRead
    /// What others wrote to a partition that was kept and followed takes the place of what was kept.
    case whatOthersWroteIsTaken
    /// A standby folds the fences of others into what it knows.
    case followedFencesCount
    /// A new owner overwrites records that do not count, so that compaction does not keep them.
    case voidRecordsAreOverwritten
    /// So does an owner that finds them among its own.
    case strayRecordsAreOverwritten
    /// A new owner sends the work that has no outcome.
    case openWorkIsSentAgain
    /// Results stay with their session until they are acknowledged.
    case resultsStayUntilAcknowledged
    /// A new owner writes what its predecessor may not have written to the memory across sessions.
    case memoryIsWrittenAgain
    /// What was forgotten stays forgotten when a request that came before remembers it afterwards.
    case forgettingOutlivesLaterWrites
    /// The record with the later position counts of two records about a person, wherever each is in the log.
    case laterPositionsCount
    /// A record of a person that a newer one has replaced gets a tombstone.
    case replacedMemoryIsDeleted
    /// Nobody is told that something is forgotten before the log has it.
    case forgettingIsToldWhenDone
    /// Sessions are told of each forgetting of their owner.
    case sessionsHearOfForgetting
    /// A change that the log refuses is given up.
    case refusedChangesAreGivenUp
    /// A change of what is remembered about a person is taken once, however often it is written.
    case memoryChangesAreTakenOnce
    /// What was forgotten is asked for again in open requests.
    case forgettingCoversOpenRequests
    /// A new owner sends the results that its predecessor may not have sent.
    case unsentResultsAreSentAgain
    /// It first looks for those that are in the log.
    case sentResultsAreLookedFor
    /// It tells results apart by their time too: a session that is opened again numbers them from 1 again.
    case resultsAreKnownByTime
    /// It takes results before the stamp's offset for sent.
    case settledResultsAreNotSentAgain
    /// A record says where to look for the results of all records before it that are not acknowledged.
    case recordsInFlightNameResults
    /// Fences of earlier owners are forgotten from the newest on: of two with one epoch, the second never becomes the first.
    case newestFenceIsForgottenFirst
    /// A session that was taken over is read before anything is decided for it.
    case sessionsAreReadFirst
    /// A session that can't be read stops the partition.
    case unreadableSessionsStopThePartition
    /// A stamp names the records whose dead letters, or rejections outside of a session, may not have been written.
    case openInputIsNamed
    /// An input topic that was created again, or has lost its end, stops the partition.
    case otherLogsAreNoticed
    /// A partition whose journal has lost acknowledged records is not served.
    case lostJournalsAreNoticed
    /// A journal that seems to have lost records is read again: another coordinator may have fenced and written since.
    case lossesAreConfirmed
    /// The number of partitions stays as it was.
    case partitionCountIsFixed

    // MARK: The coordinator

    /// A request in another partition than that of its key is rejected.
    case misplacedRequestsAreRejected
    /// A batch that can't be read is passed over with a dead letter.
    case unreadableBatchesAreNamed
    /// A dead letter names the offsets of unreadable records that are only counted.
    case countedRecordsAreNamed
    /// A new session waits for the key that encrypts it.
    case newSessionsWaitForAKey
    /// A session's key is in the log before anything is encrypted with it.
    case keysComeFirst
    /// A record whose key is not known yet waits for it.
    case unknownKeysAreAwaited
    /// A key that an older key of the file has wrapped is unwrapped.
    case olderKeysUnwrap
    /// Records for one partition don't wait for another partition.
    case partitionsAreSentApart
    /// Work for a partition that takes no records is refused, and its dead letters are given up, so that nothing else waits for it.
    case stuckPartitionsAreGivenUp
    /// A session has a maximum size.
    case sessionsHaveAMaximumSize
    /// A session is not forgotten before its results are acknowledged.
    case unacknowledgedSessionsStay
    /// A timer that is due earlier replaces a later one.
    case earlierTimersReplaceLater
    /// A process whose record of the journal or of the results is refused ends, and the next owner repeats what it has decided.
    case refusedRecordsEndTheProcess
    /// A request whose work is refused fails, and says so.
    case refusedWorkFailsItsRequest

    // MARK: The worker

    /// Work counts as done when its outcome is acknowledged.
    case workIsDoneWhenAcknowledged
    /// A worker commits no position behind work that is not done.
    case unfinishedWorkIsNotCommitted
    /// A session has one running handler.
    case sessionsHaveOneHandler
    /// A handler that does not return in time gives up its slot and its record.
    case handlersHaveALimit
    /// Work is not begun after its deadline.
    case lateWorkIsLeftAlone
    /// Work whose cancel is known is not begun.
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
