import Conversation
import Foundation
import IntentEvents
import IntentModel
import PipelineService

/// Plays dialogues through the topics, many at a time.
struct Replay {
    let dialogues: [Dialogue]
    let services: Services
    let recordings: RecordedServices
    let client: PersonClient
    /// The number of dialogues that are played at the same time.
    let window: Int
    /// The time after which a dialogue fails if neither side has said anything.
    let patience: Duration
    /// `true` if requests leave out the values of earlier requests.
    var saysOnce = false

    private struct Player {
        var person: RecordedPerson
        var transcript = Transcript()
        var lastWord = ContinuousClock.now
    }

    /// - Parameter progress: Called repeatedly with the scores of the dialogues that have ended.
    /// - Returns: The score of each dialogue, in the order of the file.
    func run(progress: (_ scores: [DialogueScore]) -> Void) throws -> [DialogueScore] {
        // Session keys are unique to this run, because the topics may contain others.
        let run = PersonClient.newID().prefix(8)
        var waiting = dialogues[...]
        var players: [Identifier: Player] = [:]
        var scores: [DialogueScore] = []
        var order: [String: Int] = [:]
        for (index, dialogue) in dialogues.enumerated() { order[dialogue.id] = index }
        while !waiting.isEmpty || !players.isEmpty {
            while players.count < window, let dialogue = waiting.popFirst() {
                let session = "sgd-\(run)-\(dialogue.id)"
                recordings.add(dialogue, session: session, services)
                players[Identifier(session)] = Player(
                    person: RecordedPerson(dialogue, session: Identifier(session), services, saysOnce: saysOnce))
                try play(Identifier(session), &players, &scores) { $0.playTurns() }
            }
            for result in try client.results(timeout: .milliseconds(50)) {
                guard let session = result.session else { continue }
                players[session]?.transcript.append(result)
                try play(session, &players, &scores) { $0.handle(result) }
            }
            let now = ContinuousClock.now
            for (session, player) in players where player.lastWord.duration(to: now) > patience {
                finish(session, &players, &scores, "nothing was said for \(patience)")
            }
            progress(scores)
        }
        return scores.sorted { order[$0.dialogue] ?? 0 < order[$1.dialogue] ?? 0 }
    }

    private func play(
        _ session: Identifier, _ players: inout [Identifier: Player], _ scores: inout [DialogueScore],
        _ body: (inout RecordedPerson) -> [SessionEvent]
    ) throws {
        guard var player = players[session] else { return }
        for event in body(&player.person) {
            var id = Identifier(PersonClient.newID())
            if case .requested(let request) = event { id = request.id }
            player.transcript.append(event)
            try client.send(event, session: session, id: id)
        }
        player.lastWord = .now
        players[session] = player
        if player.person.isOver { finish(session, &players, &scores) }
    }

    private func finish(
        _ session: Identifier, _ players: inout [Identifier: Player], _ scores: inout [DialogueScore],
        _ problem: String? = nil
    ) {
        guard let player = players.removeValue(forKey: session) else { return }
        let person = player.person
        var score = DialogueScore(
            dialogue: person.dialogue.id, expected: person.dialogue.calls.map(\.call),
            made: recordings.calls(session.text),
            tally: person.tally,
            surprises: person.surprises + (problem.map { [$0] } ?? []))
        if !score.isAsRecorded { score.transcript = player.transcript.lines }
        scores.append(score)
        recordings.remove(session.text)
    }
}
