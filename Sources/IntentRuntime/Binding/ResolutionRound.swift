import IntentKit

/// In which order the parameters of an intent are resolved in one round, and which of them have to be looked at anew.
struct ResolutionRound {
    /// Indices of the parameters.
    let order: [Int]
    /// For each parameter, the ones that have to be resolved before it.
    let dependencies: [[Int]]

    /// - Throws: A failure if parameters wait for each other.
    init(_ dependencies: [[Int]], names: [String]) throws(IntentFailure) {
        self.dependencies = dependencies
        var order: [Int] = []
        var isPlaced = Array(repeating: false, count: names.count)
        // In declaration order, but after what it depends on.
        while order.count < names.count {
            let ready = names.indices.first { index in !isPlaced[index] && dependencies[index].allSatisfy { isPlaced[$0] } }
            guard let ready else {
                let waiting = names.indices.filter { !isPlaced[$0] }.map { "'\(names[$0])'" }.joined(separator: ", ")
                let message = "\(waiting) wait for each other: look at the 'after:' of their Resolve"
                throw IntentFailure(.failure(.failure), reason: .internal, message: message)
            }
            isPlaced[ready] = true
            order.append(ready)
        }
        self.order = order
    }
}
