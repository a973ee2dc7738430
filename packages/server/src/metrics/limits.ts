import { limits as stateLimits } from '@tripline/state/limits'

/** Limits of counters and their series, each with its unit and the reason for it. */
export const limits = {
  metrics: {
    ...stateLimits.metrics,
    /**
     * Labels of one counter of one tenant (SigmaHQ has about 3,800 rules), and characters of one; further ones are counted
     * together.
     */
    labelsMax: 10_000,
    labelLengthMax: 256,
    /** Milliseconds between two flushes of counters: bounds what a kill can lose. */
    recordMs: 10_000,
    /** Milliseconds between two samples of the tenants' totals, from which rates are computed. */
    booksMs: 1_000,
    /** Points written at once; in between requests are served. */
    recordPointsMax: 250,
    /** Milliseconds for which stored series are served; a later reader triggers a flush first. */
    seriesStaleMs: 1_000,
    /** Minutes buffered while nothing can be written; the oldest is merged into the next. */
    pendingMinutesMax: 60,
    /** Points of a series in one response: 90 days of hours, with parts of hours at both ends. */
    pointsMax: 2_200,
    /** Milliseconds between two removals of old buckets. */
    removeMs: 3_600_000,
    /** Rules listed with their alerts. */
    topRulesMax: 10,
    /** Milliseconds between two samples of a tenant's rule costs, and the pause after a sample as a multiple of its duration. */
    costSampleMs: 10_000,
    costPauseFactor: 100,
    /** Milliseconds between two heartbeats of the watchdog, and by which one may be late. */
    beatMs: 250,
    loopLagMs: 250,
    /** Milliseconds between two samples of the health of the server, and how many are kept: a day of minutes. */
    healthEveryMs: 60_000,
    healthSamplesMax: 1_440,
    /** Milliseconds for which the disk must have been watched before it is said when it is full. */
    diskWatchedMs: 3_600_000,
    /** Milliseconds for which a late heartbeat affects the health. */
    loopLagSeenMs: 10_000,
    /** Milliseconds after which a queue that stands still makes its services `degraded`, and then `down`. */
    queueSlowMs: 5_000,
    queueStallMs: 10_000,
    /** Milliseconds after which a successful write no longer proves that the store is writable. */
    writeGoodMs: 30_000,
  },
  expiry: {
    /** Milliseconds between two looks at what expires: API keys, certificates, keys of the trusted issuer. */
    checkMs: 3_600_000,
    /** Milliseconds before its end in which health lists something. */
    noticeMs: 1_209_600_000,
    /** Milliseconds after which an API key that has expired is no longer reported. */
    lapsedMs: 604_800_000,
    /** Things that the health of a tenant lists, those that end first. */
    listedMax: 20,
  },
} as const
