import IntentKit

// The trails of an invented valley.

extension TrailEntity {
    static let samples = [
        TrailEntity(1, "Mount Bell", "Bellhaven", 12.5, [.hiking], .icy),
        TrailEntity(2, "Bell Brook", "Bellhaven", 3, [.hiking, .jogging]),
        TrailEntity(3, "Heron Shore", "Larch Lake", 8, [.biking, .hiking, .jogging]),
        TrailEntity(4, "Larch Lake Loop", "Larch Lake", 15, [.biking, .jogging]),
        TrailEntity(5, "Quarry Steps", "Port Anselm", 4.5, [.hiking], .muddy),
        TrailEntity(6, "Old Tramway", "Port Anselm", 22, [.biking]),
        TrailEntity(7, "Dune Ridge", "Saltmarsh", 6, [.hiking, .jogging]),
    ]

    private init(
        _ id: Int, _ name: String, _ location: String, _ kilometres: Double, _ activities: [ActivityStyle],
        _ conditions: Conditions = .good
    ) {
        let length = Measurement(value: kilometres, unit: UnitLength.kilometers)
        self.init(
            id: id, name: name, location: location, length: length, activities: activities, conditions: conditions)
    }
}

extension TrailCollection {
    static let samples = [
        TrailCollection(id: "lakeside", name: "Lakeside", trails: [3, 4]),
        TrailCollection(id: "short", name: "Before Breakfast", trails: [2, 5, 7]),
        TrailCollection(id: "views", name: "Grand Views", trails: [1, 6, 7]),
    ]
}

extension TrailMap {
    static let sample = TrailMap(places: [
        "Bellhaven": (0, 0), "Larch Lake": (6, 8), "Port Anselm": (-12, 5), "Saltmarsh": (-30, 16),
    ])
}
