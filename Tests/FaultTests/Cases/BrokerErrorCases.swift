import DevBroker

extension FaultCase {
    /// Faults that only a broker with fault injection can show.
    static let brokerErrors: [FaultCase] = [
        // All faults on one pipeline, for the quick selection.
        FaultCase(
            name: "refused requests, broker down and up, slow network", repeats: (1, 0), needs: [.developmentBroker]
        ) { scene in
            guard let broker = scene.broker.development else { return [] }
            let errors = [(.produce, produceErrors), (.fetch, fetchErrors)] + groupErrors
            for (request, errors) in errors {
                broker.fail(request, with: errors)
                try await scene.progress(10)
            }
            try broker.setDown(true)
            try await hold(.milliseconds(500))
            try broker.setDown(false)
            try await scene.progress(10)
            try broker.setRoundTripTime(milliseconds: 40)
            try await scene.progress(10)
            try broker.setRoundTripTime(milliseconds: 0)
            return ["\(errors.reduce(0) { $0 + $1.1.count }) errors, 0.5 s without a broker, round trips of 40 ms"]
        },
        injected("refused Produce requests", .produce, produceErrors, repeats: 20),
        injected("refused Fetch requests", .fetch, fetchErrors, repeats: 20),
        FaultCase(name: "refused group requests", repeats: (0, 6), needs: [.developmentBroker]) { scene in
            guard let broker = scene.broker.development else { return [] }
            for number in 0..<scene.repeats * groupErrors.count {
                let (request, errors) = groupErrors[number % groupErrors.count]
                broker.fail(request, with: errors)
                try await scene.progress(20)
            }
            try await scene.fleet.allJoined()
            let count = scene.repeats * groupErrors.reduce(0) { $0 + $1.1.count }
            return ["\(count) errors for Heartbeat, FindCoordinator, Join, Sync and Commit"]
        },
        FaultCase(name: "broker down and up", repeats: (0, 8), needs: [.developmentBroker]) { scene in
            guard let broker = scene.broker.development else { return [] }
            for number in 0..<scene.repeats {
                try await scene.progress(20)
                try broker.setDown(true)
                try await hold(.milliseconds(500 + 500 * number))
                try broker.setDown(false)
            }
            try await scene.progress(20)
            return ["\(scene.repeats) times, for 0.5 s and each time 0.5 s longer"]
        },
        FaultCase(name: "round-trip time of 40 ms", repeats: (0, 10), needs: [.developmentBroker]) { scene in
            guard let broker = scene.broker.development else { return [] }
            try broker.setRoundTripTime(milliseconds: 40)
            try await scene.progress(40 * scene.repeats)
            try broker.setRoundTripTime(milliseconds: 0)
            return []
        },
    ]

    private static let produceErrors: [DevelopmentBroker.Fault] = [
        .notLeader, .requestTimedOut, .notEnoughReplicas, .disconnect,
    ]
    private static let fetchErrors: [DevelopmentBroker.Fault] = [
        .notLeader, .unknownTopicOrPartition, .requestTimedOut, .disconnect,
    ]
    private static let groupErrors: [(DevelopmentBroker.Request, [DevelopmentBroker.Fault])] = [
        (.heartbeat, [.rebalanceInProgress, .coordinatorNotAvailable]), (.heartbeat, [.unknownMember]),
        (.heartbeat, [.illegalGeneration]),
        (.findCoordinator, [.coordinatorNotAvailable, .disconnect]), (.joinGroup, [.coordinatorNotAvailable]),
        (.syncGroup, [.rebalanceInProgress]),
        (.offsetCommit, [.illegalGeneration, .rebalanceInProgress, .unknownMember]),
    ]

    private static func injected(
        _ name: String, _ request: DevelopmentBroker.Request, _ errors: [DevelopmentBroker.Fault], repeats: Int
    ) -> FaultCase {
        FaultCase(name: name, repeats: (0, repeats), needs: [.developmentBroker]) { scene in
            guard let broker = scene.broker.development else { return [] }
            for _ in 0..<scene.repeats {
                broker.fail(request, with: errors)
                try await scene.progress(20)
            }
            return ["\(scene.repeats * errors.count) errors"]
        }
    }
}
