/// Somebody in the phone book.
public struct Contact: Sendable {
    let id: String
    let name: String
    var aliases: [String] = []
    var relationship: String?
    /// Telephone numbers by label, the usual one first.
    let numbers: [(label: String, number: String)]
    /// Called without a question.
    var isFavourite = false
    var hasVideo = false
    /// Hidden while the phone is locked.
    var isHidden = false
}
