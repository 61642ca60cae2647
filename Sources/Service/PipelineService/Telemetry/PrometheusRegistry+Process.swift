#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

extension PrometheusRegistry {
    /// Adds the metrics of every process: its version, its loops, and the `process_*` metrics that Prometheus' clients
    /// have in common. Some of the latter need `/proc`.
    ///
    /// - Parameter build: The labels of `intents_build_info`.
    package func addProcess(build: [(String, String)], _ health: Health) {
        collect("intents_build_info", .info, "The versions that this process is made of.") { [Sample(1, build)] }
        collect("intents_last_poll_timestamp_seconds", .gauge, "When a loop has polled last, in seconds since 1970.") {
            let now = Self.now
            return health.loops.map { Sample(now - $0.silence / .seconds(1), [("loop", $0.name)]) }
        }
        collect("intents_ready", .gauge, "Whether this process is ready: 1 or 0.") { [Sample(health.isReady ? 1 : 0)] }
        let start = Self.now
        collect("process_start_time_seconds", .gauge, "When this process has started, in seconds since 1970.") {
            [Sample(start)]
        }
        collect("process_cpu_seconds_total", .counter, "CPU time in user and system mode.") {
            [Sample(Self.time(CLOCK_PROCESS_CPUTIME_ID))]
        }
        #if os(Linux)
            collect("process_resident_memory_bytes", .gauge, "Memory that this process has in RAM.") { Self.memory(1) }
            collect("process_virtual_memory_bytes", .gauge, "Memory that this process has reserved.") { Self.memory(0) }
            collect("process_open_fds", .gauge, "Open file descriptors.") { Self.descriptors }
            collect("process_max_fds", .gauge, "How many file descriptors may be open.") {
                var limit = rlimit()
                return getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0
                    ? [Sample(Double(limit.rlim_cur))] : []
            }
        #endif
    }

    private static var now: Double { time(CLOCK_REALTIME) }

    private static func time(_ clock: clockid_t) -> Double {
        var time = timespec()
        clock_gettime(clock, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }

    #if os(Linux)
        /// Returns the sample of a field of `/proc/self/statm`.
        ///
        /// - Parameter field: The index of the field, whose unit is pages.
        private static func memory(_ field: Int) -> [Sample] {
            guard let file = fopen("/proc/self/statm", "r") else { return [] }
            defer { fclose(file) }
            var line = [CChar](repeating: 0, count: 256)
            guard fgets(&line, 256, file) != nil else { return [] }
            let fields = line.prefix { $0 != 0 }.split(separator: CChar(UInt8(ascii: " "))).map {
                String(decoding: $0.map(UInt8.init(bitPattern:)), as: UTF8.self)
            }
            guard fields.indices.contains(field), let pages = Double(fields[field]) else { return [] }
            return [Sample(pages * Double(sysconf(Int32(_SC_PAGESIZE))))]
        }

        private static var descriptors: [Sample] {
            guard let folder = opendir("/proc/self/fd") else { return [] }
            defer { closedir(folder) }
            var count = 0
            while readdir(folder) != nil { count += 1 }
            // '.', '..' and the folder itself do not count.
            return [Sample(Double(max(0, count - 3)))]
        }
    #endif
}
