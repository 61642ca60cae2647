/// Returns the number of edits that turn one word into the other. An edit inserts, deletes or replaces a letter, or
/// swaps two neighbours.
///
/// - Parameter limit: The maximum result; returned for every greater distance as well.
func editDistance(_ a: [Unicode.Scalar], _ b: [Unicode.Scalar], below limit: Int) -> Int {
    if abs(a.count - b.count) >= limit { return limit }
    var last = Array(0...b.count)
    var beforeLast = last
    var row = last
    for i in 0..<a.count {
        row[0] = i + 1
        var least = row[0]
        for j in 0..<b.count {
            var cost = min(last[j + 1] + 1, row[j] + 1, last[j] + (a[i] == b[j] ? 0 : 1))
            if i > 0, j > 0, a[i] == b[j - 1], a[i - 1] == b[j] { cost = min(cost, beforeLast[j - 1] + 1) }
            row[j + 1] = cost
            least = min(least, cost)
        }
        // A swap continues from the row before the last one, so the search ends one step beyond the limit.
        if least > limit { return limit }
        (beforeLast, last, row) = (last, row, beforeLast)
    }
    return min(last[b.count], limit)
}
