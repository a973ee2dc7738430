import { limits as contractLimits } from '@tripline/contract/limits'
import { limits as storageLimits } from '@tripline/storage/limits'

/** Limits of the way from an accepted event to its alerts, each with its unit and the reason for it. */
export const limits = {
  ingest: {
    /** Event ids remembered per tenant for deduplication, and for how many milliseconds. */
    idsRememberedMax: 1_000_000,
    idsRememberedMs: 3_600_000,
    /** Bytes of an event that a mapping has changed: what ingest accepts of one. */
    mappedEventBytesMax: 1_048_576,
  },
  correlation: {
    /**
     * Allowed lateness in milliseconds: how much older than the newest event one may be and still be correlated. Matches are
     * delayed by as much.
     */
    allowedLatenessMs: 5_000,
    /** Milliseconds that an event's time may be in the future before it is not trusted. */
    futureToleranceMs: 300_000,
    /**
     * Groups of one correlation, and events of all correlations of a tenant: at most about 50 MB. Floods of new keys evict
     * the oldest groups, which is counted.
     */
    groupsMax: 200_000,
    eventsMax: 500_000,
    /** Events of all correlations of all tenants, about 200 MB: beyond it, those who hold most evict their oldest groups. */
    eventsTotalMax: 2_000_000,
    /** Groups that are looked through for a checkpoint before others have their turn: a few milliseconds. */
    turnGroupsMax: 10_000,
    /** Milliseconds between two checks for windows that end without events. */
    tickMs: 1_000,
    /** Events, and roughly their bytes, in the ring buffer from which a match shows its newest event. */
    ringEventsMax: 20_000,
    ringBytesMax: 33_554_432,
    /** Correlated events of a tenant of which it is remembered where they are stored, for the alerts that they lead to. */
    memberRefsMax: 10_000,
  },
  rules: {
    ...contractLimits.rules,
    /**
     * Work units of compiling a definition with its exceptions, about as many microseconds: counted before the work. SigmaHQ's
     * largest rule, with 4,432 values, takes 230,000.
     */
    compileWorkMax: 300_000,
    /** Rules that one request creates: a correlation with the rules that it refers to. */
    rulesAtOnceMax: 20,
    /** Work units of one step in which rules are compiled with the pipelines of a tenant, and rules of one. */
    rewriteStepWork: 10_000,
    rewriteStepRulesMax: 32,
  },
  enrichment: {
    ...contractLimits.enrichment,
    /** Cached lookups per tenant, including misses, and tenants in the cache: at most about 200 MB. */
    cachedAnswersMax: 20_000,
    cachedTenantsMax: 50,
    /** Observables of one kind extracted from an event, and looked up in total. */
    subjectValuesMax: 32,
    /** Indicators with hits not yet saved; beyond them hits are saved at once. */
    waitingHitsMax: 1_000,
  },
  matches: {
    /** Characters stored of each field that a match shows. */
    fieldLengthMax: 4_096,
    /** Characters of a rule's description that are stored with each of its alerts. */
    descriptionLengthMax: 1_000,
  },
  bus: storageLimits.bus,
  stage: {
    /** Messages that a stage consumes at once. */
    batchMessagesMax: 500,
    /** Attempts for failing messages, each with half of them; then they become dead letters. */
    attemptsMax: 3,
    /** Initial delay of a retry in milliseconds, doubled each time up to the maximum. */
    retryMs: 50,
    retryMsMax: 5_000,
    /**
     * Characters of the reason in a dead letter, and bytes of the message; longer ones are truncated, which the letter
     * states.
     */
    reasonLengthMax: 1_000,
    letterBytesMax: 2_000_000,
  },
  fairness: {
    /** Milliseconds of estimated work of a tenant in its turn of a stage, and of a batch while one tenant sends alone. */
    quantumMs: 2,
    batchMs: 10,
    /** The same for a batch while several tenants wait, and for one of heavy tenants while light ones are active. */
    sharedBatchMs: 3,
    heavyBatchMs: 1,
    /** Bytes of the messages of one batch, except a single longer one. */
    batchBytesMax: 8_388_608,
    /** Messages of a tenant that a stage holds in memory, and their bytes; further ones are read from the topic when it is their turn. */
    aheadEventsMax: 1_000,
    tenantAheadBytesMax: 4_194_304,
    /** Bytes of messages of all tenants that a stage holds in memory. */
    aheadBytesMax: 67_108_864,
    /** Bytes of a tenant's normalized events that may wait for a stage: an eighth of the topic, which all share. */
    normalizedBytesMax: 134_217_728,
    /** Milliseconds between two looks whether a tenant's normalized events have become fewer. */
    heldLookMs: 20,
    /** The share of a tenant's work beside others, by plan, and milliseconds after which a changed plan counts. */
    planWeightFree: 1,
    planWeightMdr: 2,
    planWeightPro: 3,
    planWeightCustom: 4,
    planRefreshMs: 60_000,
    /** Reads from a topic before each batch, each of as many messages as a batch has. */
    aheadPollsMax: 8,
    /**
     * Milliseconds that an event of a tenant is estimated to take in a stage before any was measured: as with costly rules of its
     * own, so that the first turns of a flood are short.
     */
    unknownEventMs: 0.5,
    /** Milliseconds that the alert of a match, and storing an event, are estimated to take. */
    matchMs: 0.5,
    storeEventMs: 0.05,
    /** Milliseconds of work after which a stage or a search yields to other work. */
    turnMs: 3,
    /** Turns in one iteration of the event loop, which together last as long as one: a request takes some that are far shorter. */
    iterationTurnsMax: 8,
    /** The same for a heavy tenant while light ones are active, and the share of the time that turns of heavy tenants then have. */
    sharedTurnMs: 1,
    heavyShare: 0.5,
    /** Milliseconds of work in a moving window of as many milliseconds that make a tenant heavy: a fifth of the time. */
    heavyMs: 200,
    usageMs: 1_000,
    /** Milliseconds of estimated work that a tenant has queued, with the body that it sends, from which on it is heavy at once. */
    heavyQueuedMs: 30,
    /** Milliseconds after its last work for which a tenant counts as active. */
    activeMs: 10_000,
    /** Turns of light tenants in succession while a heavy one waits. */
    lightTurnsMax: 8,
  },
  pipeline: {
    /** Bytes of handled events that stay on their topic: a second copy of what the log of the event store holds. */
    secondCopyBytes: 134_217_728,
    /** Events read from it at once. */
    secondCopyReadMax: 1_000,
    /** Milliseconds of estimated work that tenants may queue together while several send; each has an equal share. */
    queuedWorkMs: 400,
    /** Milliseconds after its last request for which a tenant counts as sending. */
    sendingMs: 10_000,
    /** Tenants whose costs are remembered: those measured last. */
    measuredTenantsMax: 10_000,
    /** Milliseconds of work that an event takes at least, and the weight of the newest batch in the average of a tenant. */
    eventCostMsMin: 0.02,
    costWeight: 0.1,
    /** The weight of a batch whose events took more than the average: costs that rise are believed soon. */
    risingCostWeight: 0.5,
    /** Minimum milliseconds between two checkpoints, and as a multiple of the last one's duration: 5 % of the time. */
    checkpointMs: 1_000,
    checkpointRestFactor: 20,
    /** Events, and their bytes, that a stage processes before it yields: a few milliseconds. */
    turnEventsMax: 100,
    turnBytesMax: 131_072,
    /** Bytes of one part of an engine's snapshot in a checkpoint: what is written to the database at once. */
    snapshotPartBytes: 1_048_576,
    /** Event ids in one part of a checkpoint: the open part is rewritten each time. */
    idsPartMax: 4_096,
    /** Characters of an id that is stored as it is; longer ones are stored as a hash. */
    idLengthMax: 64,
    /** Milliseconds without events after which a tenant's watermark follows the clock, behind by as much. */
    silenceMs: 30_000,
    /** Events of silent windows stored in a checkpoint for their alerts, and their bytes. */
    recalledEventsMax: 1_000,
    recalledBytesMax: 2_097_152,
    /** Matches converted to alerts in one transaction. */
    alertsAtOnceMax: 100,
    /** Alerts of a rule per hour, in milliseconds; further matches are added to one alert. */
    stormAlertsMax: 1_000,
    stormMs: 3_600_000,
    /** Milliseconds in which matches about the same exposure of an asset join one alert while it is open: ten years, so always. */
    exposureMs: 315_360_000_000,
    /** Bytes that an event is estimated to take in a body before any of its tenant was read, and of a body of unknown length. */
    unknownEventBytes: 500,
    unknownBodyBytes: 65_536,
    /** Seconds after which a sender that was refused for a full queue may retry. */
    retryAfterSeconds: 2,
    /** Milliseconds that a rule change waits for detection to finish a batch, which takes about ten. */
    turnWaitMs: 5_000,
    /** Bytes written to test whether a full disk has space again. */
    roomBytes: 1_048_576,
    /** Milliseconds between two checks whether the pipeline is idle. */
    idleLookMs: 5,
  },
  assets: {
    /** Milliseconds after which events of the same machine are read again: this is how exactly it is known when one was seen. */
    seenAgainMs: 300_000,
    /** Events that are read whole between two flushes, of a tenant and of all: each takes up to 300 microseconds. */
    readMax: 500,
    readTotalMax: 2_000,
    /** Stored events of a tenant that wait to be looked at, and their bytes; further ones are passed over. */
    queuedMax: 10_000,
    queuedBytesMax: 8_388_608,
    /** Bytes of an event in which its machine is searched. */
    searchedBytesMax: 8_192,
    /** Machines of a tenant of which it is remembered when they were read; sightings that wait, and users of one. */
    rememberedMax: 10_000,
    waitingMax: 5_000,
    usersMax: 100,
    /** Sightings written in one transaction, which holds the event loop: each takes up to a millisecond. */
    observedAtOnceMax: 8,
    /** Milliseconds between two flushes. */
    flushMs: 5_000,
  },
  observations: {
    /** Milliseconds after which events with the same users and host names are read again. */
    seenAgainMs: 300_000,
    /** Events of a tenant that are read whole between two flushes. */
    readMax: 500,
    /** Events of a tenant that wait to be read, and their bytes. */
    queuedMax: 10_000,
    queuedBytesMax: 8_388_608,
    /** Bytes of an event in which names are searched. */
    searchedBytesMax: 8_192,
    /** Names of a tenant of which it is remembered when they were read; those that wait. */
    rememberedMax: 20_000,
    waitingMax: 5_000,
    /** Names written in one transaction, which holds the event loop: fifty take some four milliseconds. */
    observedAtOnceMax: 50,
  },
} as const
