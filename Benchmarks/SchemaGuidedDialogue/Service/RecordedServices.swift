import Foundation
import IntentModel
import Synchronization

/// The recorded services of all dialogues. The pipeline's workers call them over HTTP.
final class RecordedServices: Sendable {
    private let recordings: Mutex<[String: Recording]> = Mutex([:])

    /// - Parameter session: The session that the dialogue is played in.
    func add(_ dialogue: Dialogue, session: String, _ services: Services) {
        recordings.withLock { $0[session] = Recording(dialogue, services) }
    }

    /// The calls that have arrived from a session.
    func calls(_ session: String) -> [ServiceCall] { recordings.withLock { $0[session]?.made ?? [] } }

    func remove(_ session: String) { recordings.withLock { $0[session] = nil } }

    /// Replies to a body that the pipeline has posted.
    ///
    /// - Returns: `nil` if the body is malformed, is for the resolve phase, or belongs to a dialogue that is not being
    ///   played.
    func answer(_ body: [UInt8]) -> [UInt8]? {
        guard let call = try? JSONView(parsing: body, limits: .outcome), let session = call["session"]?.string,
            let intent = call["intent"]?.string, let phase = call["phase"]?.string.flatMap(Phase.init)
        else { return nil }
        let parameters = (call["parameters"]?.members ?? []).compactMap { member in
            member.value.string.map { (member.name, $0) }
        }
        let values = Dictionary(parameters, uniquingKeysWith: { $1 })
        let key = call["idempotencyKey"]?.string ?? ""
        return recordings.withLock { recordings in
            switch phase {
            case .resolve: nil
            case .confirm: recordings[session]?.confirm(intent, values).bytes
            case .handle: recordings[session]?.handle(intent, values, key: key).bytes
            }
        }
    }
}
