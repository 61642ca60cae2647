import Conversation
import IntentEvents
import IntentKit
import PipelineTestKit
import Testing

private struct Album: AppEntity {
    static let typeDisplayRepresentation: TypeDisplayRepresentation = "Album"
    static let defaultQuery = AlbumQuery()
    let id: String
    let name: String
    var photos = 0
    var displayRepresentation: DisplayRepresentation { DisplayRepresentation(title: LocalizedText(name)) }
}

private struct Photo: AppEntity {
    static let typeDisplayRepresentation: TypeDisplayRepresentation = "Photo"
    static let defaultQuery = MostRecentPhoto()
    let id: String
    var displayRepresentation: DisplayRepresentation {
        DisplayRepresentation(title: "The most recent photo", synonyms: ["my last photo", "the newest photo"])
    }
}

private struct MostRecentPhoto: UniqueAppEntityQuery {
    func uniqueEntity() async throws -> Photo { Photo(id: "IMG_9") }
}

private struct AlbumQuery: EnumerableEntityQuery, EntityPropertyQuery {
    func allEntities() async throws -> [Album] {
        [
            Album(id: "default", name: "My album", photos: 7), Album(id: "w1", name: "Summer walks", photos: 80),
            Album(id: "w2", name: "Winter walks", photos: 20),
        ]
    }
    let properties = QueryProperties<Album>(
        EntityQueryProperty("name", \.name), EntityQueryProperty("photos", \.photos))
}

private struct AddPhoto: AppIntent {
    static let title: LocalizedText = "Add a photo to an album"
    @Parameter(title: "Photo") var photo: Photo
    @Parameter(title: "Album", default: .attribute("defaultAlbum")) var album: Album
    static let parameters = Parameters<Self>(\.$photo, \.$album)
    func perform() async throws -> some IntentResult & ProvidesDialog {
        .result(dialog: "\(photo.id) in \(album.name)")
    }
}

@Suite("Seed 003: entities tell the system about an app's data")
struct Seed003EntitiesTests {
    private func album(_ json: String) async throws -> ParameterResolution? {
        try await SelfPerformingExtension(AddPhoto.self).resolve(
            "album", of: AddPhoto.self, [.said("album", json: json)])
    }

    @Test("entities help to resolve parameters: a name leads to success, to a choice or to another prompt")
    func resolving() async throws {
        #expect(try await album(#""summer walks""#) == .success(JSON(Album(id: "w1", name: "Summer walks"))))
        #expect(try await album(#""walks""#)?.options.map(\.id) == ["w1", "w2"])
        #expect(try await album(#""Moon landings""#)?.value == nil)
        let talk = try await Dialogue(SelfPerformingExtension(AddPhoto.self))
        try await talk.request(AddPhoto.self, ["album": "Moon landings"])
        #expect(try talk.lines() == ["prompt value album"], "words that name none lead to another prompt")
        try await talk.say("walks")
        #expect(try talk.prompt()?.options == ["w1", "w2"], "words that name two to a choice of these")
        try await talk.choose("w1")
        #expect(try talk.last()?.dialog == "IMG_9 in Summer walks")
    }

    @Test("an entity such as the most recent photo is found without asking")
    func mostRecent() async throws {
        let talk = try await Dialogue(SelfPerformingExtension(AddPhoto.self))
        try await talk.request(AddPhoto.self, ["album": "Summer walks"])
        #expect(try talk.lines() == ["completed success success"] && talk.last()?.dialog == "IMG_9 in Summer walks")
    }

    @Test("an entity such as the default album replaces a question")
    func defaultAlbum() async throws {
        let talk = try await Dialogue(SelfPerformingExtension(AddPhoto.self))
        try await talk.request(AddPhoto.self, attributes: ["defaultAlbum": .string("default")])
        #expect(try talk.lines() == ["completed success success"] && talk.last()?.dialog == "IMG_9 in My album")
    }

    @Test("without a default the person chooses from the existing entities")
    func noDefault() async throws {
        let talk = try await Dialogue(SelfPerformingExtension(AddPhoto.self))
        try await talk.request(AddPhoto.self)
        #expect(try talk.lines() == ["prompt choice album"] && talk.prompt()?.options == ["default", "w1", "w2"])
        try await talk.choose("w2")
        #expect(try talk.last()?.dialog == "IMG_9 in Winter walks")
    }

    @Test("people discover entities by their properties")
    func properties() async throws {
        let byName = try await album(#"{"where":[{"property":"name","value":"Summer walks"}]}"#)
        #expect(byName == .success(JSON(Album(id: "w1", name: "Summer walks"))))
        let byPhotos = try await album(#"{"where":[{"property":"photos","is":"greaterThan","value":10}]}"#)
        #expect(byPhotos?.options.map(\.id) == ["w1", "w2"])
    }

    @Test("code gets an entity's current data by the identifier that is passed on")
    func identifiers() async throws {
        let parameters = [
            ParameterState.said("album", json: #"{"id":"w1","title":"an old name"}"#), .said("photo", "IMG_9"),
        ]
        let response = try await SelfPerformingExtension(AddPhoto.self).perform(.handle, AddPhoto.self, parameters)
            .response
        #expect(response?.dialog == "IMG_9 in Summer walks")
    }
}
