import { limits as contractLimits } from '@tripline/contract/limits'

/** Limits of stored state, each with its unit and the reason for it. */
export const limits = {
  state: {
    ...contractLimits.state,
    /** Milliseconds that a change waits for another process that is writing to the database. */
    busyMs: 5_000,
    /** Milliseconds that a process waits for another one to release a data directory. */
    holdMs: 1_000,
    /**
     * Rows that a scan of a list reads at once. Of few, nothing outlives a collection of young objects; of 500, the garbage
     * became old, and the memory of an export grew by 120 MiB before it was collected.
     */
    scanRowsMax: 100,
    /** Scans at once: each has a connection, and holds back the log. */
    scansMax: 4,
    /** Alerts that are read at once to count them by what they hold: some 5 ms. */
    factRowsMax: 1_000,
    /** Versions of a rule's text that are kept. */
    ruleVersionsMax: 100,
    /** Cached prepared statements; filtered lists create ever new ones. */
    preparedMax: 256,
    /** Attempts of a change when the resource changes between reading and writing. */
    changeAttemptsMax: 5,
    /** Depth, comparisons and values of a list filter: its SQL is nested and has a parameter for each value. */
    filterDepthMax: 8,
    filterLeavesMax: 100,
    filterValuesMax: 10_000,
    /** Sort keys of a list. */
    sortKeysMax: 4,
    /** First and last matches stored with an alert including their events; the others are counted. */
    firstEventsMax: 10,
    lastEventsMax: 10,
    /** Events of an alert beside the newest of each match, that a correlation counted and that lead to the alert: the first. */
    memberEventsMax: 1_000,
    /** Alerts that one stored event is looked up in: as many as rules that it matched. */
    alertsOfEventMax: 1_000,
    /** Entities of most alerts that are kept with an incident for lists. */
    incidentEntitiesMax: 20,
    /** Notices stored with a message of a channel; the others are counted. */
    noticesMax: 100,
    /** Entries counted exactly for a total; beyond, the total is an estimate. */
    countedMax: 10_000,
    /** Audit entries read at once for verification. */
    auditPageMax: 1_000,
    /**
     * Entries of a trail that share the keys of their texts: fewer keys than texts, and what nothing refers to any more is
     * removed with the entries.
     */
    auditKeyEntries: 4_096,
    /** Values of a list in an entry that are encrypted one by one; a longer list is encrypted as a whole. */
    auditListMax: 16,
    /** Milliseconds for which a response is replayed under its idempotency key. */
    requestKeptMs: 86_400_000,
  },
  jobs: {
    /** Milliseconds between two looks at the lease table; one job starts with each. */
    tickMs: 5_000,
    /** Milliseconds after which the job of a process that was killed may run again. */
    leaseMs: 60_000,
    /** Milliseconds from a first failed run to the next; each further failure doubles them, up to the interval of the job. */
    retryMs: 300_000,
    /** Characters that are kept of an error. */
    errorLengthMax: 1_000,
  },
  enrichment: {
    /** Values in one lookup statement: one IPv6 address is in 129 networks. */
    soughtAtOnceMax: 2_000,
    /** Rows in one insert statement: SQLite allows 32,766 parameters. */
    rowsAtOnceMax: 500,
    /** Directory users, and host names, of a tenant that events alone tell of. */
    observedMax: 50_000,
    /** Milliseconds for which one must have been seen before it outlasts new ones. */
    probationMs: 600_000,
  },
  assets: {
    /** Assets of a tenant, and those of them that events alone tell of. */
    assetsMax: 200_000,
    inferredMax: 20_000,
    /** Milliseconds for which an asset must have been seen before it outlasts new ones. */
    probationMs: 600_000,
    /** Assets that are compared with a batch of sightings for each kind of identifier. */
    candidatesMax: 5_000,
    /** What an asset was bound to, and what happened to it: the newest are kept. */
    bindingsMax: 256,
    activityMax: 1_000,
  },
  erasure: {
    ...contractLimits.erasure,
    /** Rows that are read between two looks at other work: some milliseconds. */
    rowsAtOnce: 200,
    /** Definitions that still name the person, of those that are listed. */
    keptListedMax: 100,
    /** Versions of rules that are read at once: each may have a megabyte of text. */
    ruleVersionsAtOnce: 10,
    /** Attempts to empty the write-ahead log of the database while others read it, and milliseconds between them. */
    truncateAttemptsMax: 50,
    truncateEveryMs: 200,
  },
  metrics: {
    /**
     * Retention in milliseconds of buckets of one minute, five minutes and one hour: a range of 2,200 buckets that ends now
     * is available.
     */
    minuteKeptMs: 172_800_000,
    fiveMinutesKeptMs: 1_987_200_000,
    hourKeptMs: 7_776_000_000,
  },
} as const
