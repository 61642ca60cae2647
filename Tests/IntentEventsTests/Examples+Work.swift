import Conversation
import IntentEvents
import IntentModel
import PipelineTestKit

// MARK: The work topics

extension Examples {
    private static func address(_ phase: Phase, _ step: Int, isInApp: Bool = false, service: String? = nil)
        -> WorkAddress
    {
        var address = WorkAddress(
            request: "ride-1", step: step, intent: "RequestRide", phase: phase, isInApp: isInApp,
            trace: service == nil ? trace : nil)
        address.service = service
        return address
    }

    private static func item(_ phase: Phase, _ step: Int, isInApp: Bool = false) -> WorkItem {
        WorkItem(
            address(phase, step, isInApp: isInApp), attempt: 2, parameters: parameters, deadline: after(60),
            idempotencyKey: "kitchen/ride-1", locale: "en-GB", attributes: ["channel": .string("voice")]
        ).with(\.ticket, ticket)
    }

    private static func running(_ phase: Phase, _ step: Int) -> WorkItem {
        item(phase, step)
            .with(
                \.parameters,
                [
                    ParameterState(name: "friends", value: .array([.string("mia"), .string("jon-2")]))
                        .with(\.elements, [.resolved, .chosen]),
                    ParameterState(name: "pin", value: .string("1234"), origin: .confirmed).with(\.isSecret, true),
                ]
            )
            .with(
                \.answers,
                [
                    PhaseAnswer(question: "tip", isAccepted: true, value: .string("10 %")),
                    PhaseAnswer(question: "surcharge", isAccepted: false),
                ]
            ).with(\.recorded, ["hold": .string("H-7")])
            .with(\.memory, ["home": .string("station-south"), "payment": .string("card-1")])
    }

    private static func clocked(_ phase: Phase, _ step: Int, isInApp: Bool = false) -> WorkItem {
        WorkItem(
            address(phase, step, isInApp: isInApp, service: "tea"), parameters: parameters, deadline: after(60),
            idempotencyKey: "kitchen/ride-1"
        ).with(\.timeZone, "Europe/Amsterdam").with(\.now, time).with(\.ticket, ticket).with(\.principal, principal)
    }

    /// Work without a trace, of the first attempt.
    private static func plain(_ phase: Phase, _ step: Int, _ parameters: [ParameterState], locale: String? = nil)
        -> WorkItem
    {
        WorkItem(
            WorkAddress(request: "ride-1", step: step, intent: "RequestRide", phase: phase), parameters: parameters,
            deadline: after(60), idempotencyKey: "kitchen/ride-1", locale: locale
        ).with(\.ticket, ticket)
    }

    private static let abroadWork = plain(.resolve, 1, [spokenTime], locale: "nl")
        .with(\.timeZone, "Europe/Amsterdam").with(\.now, time)
    private static let inProgress = item(.handle, 9).with(\.inProgressTimeout, .seconds(900))
        .with(\.requestDeadline, after(300))
    private static let remembering = item(.handle, 11).with(\.memory, ["home": .string("station-south")])
    private static let saidWork = plain(
        .resolve, 5, [spokenTime, ParameterState(name: "friends", value: .array([.string("the other Mia")]))],
        locale: "nl"
    ).with(
        \.said,
        [
            SaidAnswer(
                "morgen om half zeven", parameter: "pickupTime",
                offered: [.string("2026-03-02T17:30:00Z"), .string("2026-03-02T05:30:00Z")]),
            SaidAnswer("the other Mia", parameter: "friends", element: 0, isForParameterAlone: true),
            SaidAnswer("no, to Leeds", in: "en"),
        ])
    private static let claim = "1y2p0ij32e8e7.17"

    static let work: Named<Work> = [
        "intent.resolve.v1": .item(item(.resolve, 1)),
        "intent.confirm.v1": .item(item(.confirm, 7)),
        "intent.handle.v1": .item(item(.handle, 9)),
        "intent.handle.v1.inApp": .item(item(.handle, 9, isInApp: true)),
        "intent.cancel.v1": .cancel(WorkCancel(address(.handle, 9))),
        "intent.resolve.v1.remembered": .item(running(.resolve, 3)),
        "intent.confirm.v1.answered": .item(running(.confirm, 7)),
        "intent.resolve.v1.principal": .item(item(.resolve, 9).with(\.principal, principal)),
        "intent.confirm.v1.principal": .item(item(.confirm, 9).with(\.principal, principal)),
        "intent.handle.v1.principal": .item(item(.handle, 9).with(\.principal, principal)),
        "intent.handle.v1.answered": .item(running(.handle, 11)),
        "intent.cancel.v1.reason": .cancel(WorkCancel(address(.handle, 9), reason: .replaced, deadline: after(10))),
        "intent.handle.v1.atMostOnce": .item(item(.handle, 9).with(\.effect, .atMostOnce)),
        "intent.handle.v1.inProgress": .item(inProgress),
        "intent.permit.v1": .permit(WorkPermit(address(.handle, 9), claim: claim)),
        "intent.update.v1": .update(item(.handle, 10)),
        "intent.update.v1.memory": .update(remembering),
        "intent.resolve.v1.service": .item(item(.resolve, 1).with(\.address.service, "tea")),
        "intent.resolve.v1.inApp": .item(item(.resolve, 1, isInApp: true)),
        "intent.confirm.v1.inApp": .item(item(.confirm, 7, isInApp: true).with(\.address.service, "tea")),
        "intent.resolve.v1.clock": .item(abroadWork),
        "intent.handle.v1.provenance": .item(plain(.handle, 3, understood)),
        "intent.confirm.v1.clock": .item(clocked(.confirm, 7)),
        "intent.handle.v1.clock": .item(clocked(.handle, 9)),
        "intent.update.v1.inApp": .update(clocked(.handle, 10, isInApp: true)),
        "intent.cancel.v1.inApp": .cancel(
            WorkCancel(address(.confirm, 7, isInApp: true, service: "tea"), reason: .person)),
        "intent.permit.v1.inApp": .permit(WorkPermit(address(.handle, 9, isInApp: true, service: "tea"), claim: claim)),
        "intent.resolve.v1.said": .item(saidWork),
    ]
}

// MARK: intents.catalog

extension Examples {
    private static func intent(_ details: String, service: String? = nil, version: String? = nil) -> PublishedIntent {
        let members = JSON(unchecked: details).view.members.map { ($0.name, $0.value.json) }
        return PublishedIntent(
            service: service, version: version, intent: "OrderTea", title: "Order tea",
            details: Dictionary(uniqueKeysWithValues: members))
    }

    static let publishedIntents: Named<PublishedIntent> = [
        "intent.served.v1": intent(
            #"{"description":"Orders tea.","phases":["resolve","confirm","handle"],"confirmation":"always","#
                + #""authentication":"requiresAuthentication","effect":"atMostOnce","#
                + #""summary":"${cups} cups of ${kind}","parameters":[{"name":"cups","title":"Cups","required":false,"#
                + #""memory":{"key":"cups","scope":"person"},"#
                + #""type":{"name":"Int","description":"a whole number","schema":{"type":"integer"}}}],"#
                + #""schemas":{"request":{"type":"object"},"resolved":{"type":"object"}},"#
                + #""languages":{"nl":{"title":"Thee bestellen"}}}"#, service: "tea", version: "1.4.0"),
        "intent.served.v1.smallest": intent("{}"),
        // Every member of a parameter.
        "intent.served.v1.full": intent(
            #"{"parameters":[{"name":"kind","title":"Kind","description":"Which tea.","required":true,"#
                + #""type":{"name":"Tea","schema":{"enum":["oolong","assam"]}},"#
                + #""options":{"known":[{"id":"oolong","title":"Oolong"}]},"prompts":{"value":"Which tea?"}},"#
                + #"{"name":"cups","type":{"name":"Int","schema":{"type":"integer"}},"#
                + #""default":{"value":1,"text":"1"},"range":{"minimum":1,"maximum":6,"text":"1 to 6"},"#
                + #""options":{"provider":"Cups"}}]}"#),
    ]

    static let leases: Named<WorkerLease> = [
        "worker.serving.v1": WorkerLease(
            service: "tea", instance: "kitchen-17", version: "1.4.0", intents: ["OrderTea"],
            inApp: ["OrderTea", "ShowTeas"], phases: ["resolve", "confirm", "handle", "handle-in-app"]),
        "worker.serving.v1.smallest": WorkerLease(
            instance: "kitchen-17", intents: ["OrderTea"], phases: ["resolve"], validFor: 60_000),
        "worker.serving.v1.started": WorkerLease(
            instance: "kitchen-17", intents: ["OrderTea"], phases: ["resolve"], started: "2026-03-01T11:59:58.000Z"),
        "worker.serving.v1.coordinator": coordinatorLease,
    ]

    private static var coordinatorLease: WorkerLease {
        var lease = WorkerLease.ofCoordinator("c-1", started: time)
        lease.ownership = WorkerLease.Ownership(
            partitions: [0, 3], stalls: [.init(partition: 3, since: time, problem: "records of intents.requests wait")])
        return lease
    }
}
