import ArgumentParser
import Pipeline
import PipelineService
import RecordLog

/// The options for the positions at which inputs continue.
struct InputPlaces: ParsableArguments {
    @Option(
        help: ArgumentHelp("Continue with intents.requests there.", valueName: "beginning|end|offset"),
        transform: InputPlace.reading)
    var requestsAt: InputPlace?

    @Option(
        help: ArgumentHelp("Continue with intents.answers there.", valueName: "beginning|end|offset"),
        transform: InputPlace.reading)
    var answersAt: InputPlace?

    @Option(
        help: ArgumentHelp("Continue with intents.outcomes there.", valueName: "beginning|end|offset"),
        transform: InputPlace.reading)
    var outcomesAt: InputPlace?

    var isEmpty: Bool { places.isEmpty }

    private var places: [JournalInput: InputPlace] {
        let places: [(JournalInput, InputPlace?)] = [
            (.requests, requestsAt), (.answers, answersAt), (.outcomes, outcomesAt),
        ]
        return Dictionary(uniqueKeysWithValues: places.compactMap { input, place in place.map { (input, $0) } })
    }

    /// Returns the change of the journal.
    func change(_ client: OperatorClient, _ found: JournalText) throws -> JournalRepair.Change {
        var positions: [JournalInput: InputPosition] = [:]
        for (input, place) in places {
            guard let log = found.inputs.first(where: { $0.input == input }) else { continue }
            let next = place.offset(in: log.range)
            guard log.range.lowerBound...log.range.upperBound ~= next else {
                complain(
                    "\(input.topic(client.topics)) has the offsets from \(log.range.lowerBound) to \(log.range.upperBound)."
                )
                throw ExitCode.failed
            }
            let before = try client.input(input, found.check.partition, before: next).before
            positions[input] = InputPosition(next: next, last: before.map(\.timestampMark))
        }
        return .inputs(positions)
    }
}

enum InputPlace {
    case beginning, end
    case offset(Int64)

    static func reading(_ text: String) throws -> InputPlace {
        switch text {
        case "beginning": return .beginning
        case "end": return .end
        default:
            guard let offset = Int64(text), 0..<1 << 53 ~= offset else {
                throw ValidationError("'\(text)' is none of beginning, end, and an offset.")
            }
            return .offset(offset)
        }
    }

    func offset(in range: Range<Int64>) -> Int64 {
        switch self {
        case .beginning: range.lowerBound
        case .end: range.upperBound
        case .offset(let offset): offset
        }
    }
}
