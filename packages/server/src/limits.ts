import { limits as contractLimits } from '@tripline/contract/limits'
import { limits as formatsLimits } from '@tripline/formats/limits'
import { limits as stateLimits } from '@tripline/state/limits'
import { limits as storageLimits } from '@tripline/storage/limits'

/**
 * Every limit of the server, with its unit and reason; `GET /v1/limits` returns them. Input over a limit is refused by name
 * before the work that it bounds, or, where the comment says so, truncated or dropped.
 */
export const limits = {
  request: {
    ...contractLimits.request,
    /** Nesting depth of a JSON body: an event's and the two levels around it. */
    bodyDepthMax: 66,
    /** Fields of all objects in a JSON body: parsing hundreds of thousands of distinct ones takes seconds. */
    bodyFieldsMax: 200_000,
    /** Bytes of request bodies in memory at once, as received and inflated; beyond it 503 until some are done. */
    bodiesHeldBytesMax: 201_326_592,
    /** Milliseconds in which a request body must arrive completely, and between two parts of it; beyond them 408. */
    arrivalMs: 60_000,
    bodyIdleMs: 10_000,
    /** Bytes per second that a body must bring on average, after the first milliseconds above: bounds slow senders. */
    bodyBytesPerSecondMin: 500,
    /** Milliseconds between two checks of a body's deadlines. */
    bodyCheckMs: 1_000,
    /** Unknown query parameters, or problems of a body, listed in a response; a request can contain thousands. */
    warningsListedMax: 20,
  },
  response: {
    /** Bytes from which a body is compressed: a smaller one fits into a packet as it is. */
    compressedBytesMin: 1_024,
    /** Level of gzip: 500 alerts shrink from 504 kB to 39 kB in some 5 ms of another thread; level 9 saves 2 kB more. */
    compressionLevel: 5,
  },
  connections: {
    /** Milliseconds in which the headers of a request must arrive, from the connection on, and between two checks. */
    headersMs: 10_000,
    checkMs: 1_000,
    /** Milliseconds that a connection is kept for the next request: longer than common clients keep theirs. */
    keepAliveMs: 75_000,
    /** Milliseconds without a byte in either direction after which a connection is closed, such as one that is not read. */
    idleMs: 120_000,
    /** Share of the allowed connections above which responses announce that they are not kept. */
    crowdedShare: 0.75,
    /** File descriptors kept for storage and outbound requests, and the least that connections must have beside them. */
    descriptorsReserved: 128,
    availableMin: 16,
    /** Milliseconds for which idle connections are kept at shutdown, so that a request under way is answered. */
    announceMs: 250,
  },
  ingest: {
    ...formatsLimits.ingest,
    /** Bytes of a body as sent, compressed or not. */
    bodyBytesMax: 10_485_760,
    /** Rejected events listed individually in a response; all are counted. */
    errorsListedMax: 1_000,
    /** Event ids remembered per tenant for deduplication, and for how many milliseconds. */
    idsRememberedMax: 1_000_000,
    idsRememberedMs: 3_600_000,
  },
  auth: {
    ...contractLimits.auth,
    /** Characters of an access token, ours or an external issuer's; all headers of a request together have 16 KiB. */
    tokenLengthMax: 8_192,
    /** Minimum characters of the metrics token. */
    scrapeTokenLengthMin: 16,
    /** Lifetime of our access tokens in milliseconds, and the tolerated clock difference. */
    accessTokenMs: 900_000,
    clockSkewMs: 30_000,
    /** Age in milliseconds at which a token of an external issuer is refused, even if it claims a longer life. */
    externalTokenAgeMs: 86_400_000,
    /** Characters of an id inside a token: subject, session, token. */
    tokenIdLengthMax: 256,
    /** Cached verified tokens, and the characters of one: about 20 MB of text. */
    cachedTokensMax: 10_000,
    cachedTokenLengthMax: 2_048,
    /** Milliseconds after which session and user of a verified token are checked again (at most 5 s). */
    standingMs: 3_000,
    /** Milliseconds that a session may be idle, and last in total. */
    sessionIdleMs: 43_200_000,
    sessionLifetimeMs: 604_800_000,
    /** Characters of a refresh token. */
    refreshTokenLengthMax: 1_024,
    /** Passwords waiting to be hashed one at a time at 32 MiB; beyond them 503. */
    passwordsWaitingMax: 32,
    /** Characters of a JWKS document, and its keys. */
    keySetLengthMax: 262_144,
    keySetKeysMax: 100,
    /** Milliseconds after which remote keys are fetched again, and between two attempts. */
    keySetFreshMs: 600_000,
    keySetAttemptMs: 30_000,
    /** Milliseconds for fetching the keys of a trusted issuer. */
    keySetTimeoutMs: 10_000,
    /** Default and maximum lifetime of an API key in milliseconds. */
    apiKeyLifetimeMs: 31_536_000_000,
    apiKeyLifetimeMaxMs: 63_072_000_000,
    /** Milliseconds before its end in which a key is said to expire soon. */
    apiKeyNoticeMs: 1_209_600_000,
  },
  admin: {
    ...contractLimits.admin,
    /** Users of a tenant, and active API keys; neither list is paginated. */
    usersMax: 1_000,
    apiKeysMax: 500,
    /** Tenants of a server; their list is not paginated either. */
    tenantsMax: 5_000,
    /** Random bytes of a one-time password, and of a TOTP secret (RFC 4226). */
    givenPasswordBytes: 15,
    totpSecretBytes: 20,
    /** Milliseconds between two records of a key's last use: a record is a synced write. */
    keyUseNotedMs: 60_000,
  },
  views: {
    ...contractLimits.views,
    /** Saved views that a user owns, and those that a tenant shares; no list of them is paginated. */
    ownedMax: 200,
    sharedMax: 500,
  },
  tenantSettings: {
    ...contractLimits.tenantSettings,
    /** Milliseconds between two retention runs, and alerts removed in one transaction. */
    retentionMs: 3_600_000,
    retentionAlertsMax: 100,
    /** Milliseconds from the start to the first retention run: time to correct a wrong retention after an upgrade. */
    retentionFirstMs: 600_000,
  },
  jobs: stateLimits.jobs,
  verify: {
    /** Milliseconds from the start to the first verification, and the least between two. */
    firstMs: 600_000,
    /** Bytes of events and queue that a verification beside a server reads in a second. */
    bytesPerSecond: 33_554_432,
    /** Bytes of the file with the last result. */
    fileBytesMax: 4_096,
  },
  audit: {
    /** Milliseconds in which repetitions of an action are recorded as one audit entry with a count. */
    windowMs: 30_000,
    /** Such entries of one principal, or of all failed logins, in a window of a tenant; beyond them actions are only counted. */
    entriesPerSourceMax: 100,
    /** Such entries of a tenant in a window, apart from the counts. */
    entriesPerTenantMax: 1_000,
    /** Entries appended in one transaction; between two of them other requests are served. */
    entriesAtOnceMax: 50,
    /** Characters of a query, filter or other text in such an entry; longer ones are cut. */
    textLengthMax: 2_000,
  },
  retention: {
    /** Milliseconds that removed events stay in the trash, and that expired alerts and audit entries are still kept. */
    trashMs: 86_400_000,
    /** Milliseconds that the clock may differ from a monotonic clock; beyond them nothing is removed by age. */
    clockJumpMsMax: 86_400_000,
    /** Milliseconds that a server may have been down; if the clock says more, nothing is removed until it is confirmed. */
    clockGapMsMax: 259_200_000,
  },
  rate: {
    /** Milliseconds of the window of the rate limits, and the requests allowed in it. */
    windowMs: 60_000,
    userRequestsMax: 600,
    tenantRequestsMax: 6_000,
    loginsPerAccountMax: 10,
    loginsPerAddressMax: 30,
    /** Users, tenants, accounts or addresses tracked at once; the one idle for longest is evicted. */
    countedMax: 50_000,
  },
  redaction: {
    /** Nesting depth that is searched; deeper values are masked whole. */
    depthMax: 16,
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
  },
  search: {
    /** Milliseconds after which a search responds with what it has found. */
    budgetMs: 10_000,
    /** Milliseconds after which a search for a word that has its page counts no further, unless it is to count all. */
    countMs: 100,
  },
  hunt: {
    /** Events matched in one batch. */
    batchEventsMax: 2_000,
    /** Rules whose predicates prune the scan; with more of them, every event is read. */
    rulesAskedMax: 200,
    /** Buckets of matches over time. */
    bucketCount: 60,
    /** First matches shown in full. */
    examplesMax: 20,
    /** Distinct users, hosts and processes that are counted, and shown of each. */
    entitiesMax: 100_000,
    entitiesShownMax: 10,
    /** Matches of each version that a comparison stores, and differences that it lists. */
    comparedMax: 1_000_000,
    differencesMax: 100,
  },
  rules: {
    ...contractLimits.rules,
    /** Custom rules of a tenant; each costs memory permanently and time at every start. */
    customMax: 5_000,
    /**
     * Work units of compiling a definition with its exceptions, about as many microseconds: counted before the work. SigmaHQ's
     * largest rule, with 4,432 values, takes 230,000.
     */
    compileWorkMax: 300_000,
    /**
     * Rules over `ruleTest.inlineWorkMax` that a tenant stores or backtests within a window of milliseconds: some tens of
     * milliseconds of the main thread each, so 2 % of it.
     */
    costlyChangesMax: 12,
    costlyChangesMs: 60_000,
    /** Rules that one request creates: a correlation with the rules that it refers to. */
    rulesAtOnceMax: 20,
    /** Exceptions of all rules of a tenant. */
    exceptionsOfTenantMax: 1_000,
    /** Characters of the changed lines, before and after, in the audit trail. */
    diffLengthMax: 4_096,
    /** Failed tests listed in a response. */
    failuresListedMax: 20,
    /** Time budget of a backtest in milliseconds. */
    backtestBudgetMs: 10_000,
    /** Concurrent backtests of a tenant, and comparisons per batch; between batches other requests are served. */
    backtestsAtOnceMax: 2,
    comparisonsAtOnceMax: 1_000_000,
    /** Default and maximum range of a backtest in milliseconds: one day, and the retention of events. */
    backtestRangeMs: 86_400_000,
    backtestRangeMaxMs: 34_560_000_000,
  },
  enrichment: {
    ...contractLimits.enrichment,
    ...stateLimits.enrichment,
    /** Cached lookups per tenant, including misses, and tenants in the cache: at most about 200 MB. */
    cachedAnswersMax: 20_000,
    cachedTenantsMax: 50,
    /** Observables of one kind extracted from an event, and looked up in total. */
    subjectValuesMax: 32,
    /** Indicators with hits not yet saved; beyond them hits are saved at once. */
    waitingHitsMax: 1_000,
  },
  imports: {
    /** Bytes of an imported file, and its rows. */
    bodyBytesMax: 16_777_216,
    rowsMax: 100_000,
    /** Columns of a table, bytes of a row, and characters of a field. */
    columnsMax: 64,
    rowBytesMax: 65_536,
    fieldLengthMax: 8_192,
    /** Nesting depth of a JSON row. */
    rowDepthMax: 4,
    /** Rows of one transaction; between two of them other requests are served. */
    transactionRowsMax: 500,
    /** Bytes that are parsed before other requests are served. */
    pieceBytesMax: 65_536,
    /** Invalid rows listed individually; all are counted. */
    errorsListedMax: 1_000,
  },
  ruleTest: {
    ...contractLimits.ruleTest,
    /** Work units of a rule test or check that runs at once; any other runs in a worker thread. */
    inlineWorkMax: 10_000,
    /** Milliseconds that the thread has for a test, and megabytes of its heap. */
    deadlineMs: 800,
    heapMbMax: 256,
    /** Tests of a tenant that wait for the thread; beyond them tests are refused with 429. */
    waitingMax: 4,
    /** Comparisons of a rule times events: a rule of 3,700 values, SigmaHQ's longest, can be tested on 50 events. */
    comparisonsMax: 200_000,
    /** Comparisons in one go; then other requests are served. */
    comparisonsAtOnceMax: 20_000,
    /** Nodes of all explanations in a response, about 10 MB; later results have `null` instead of a tree. */
    explanationNodesMax: 50_000,
  },
  page: {
    /** Entries of a page by default, and at most. */
    sizeDefault: 50,
    sizeMax: 200,
    /** Entries that `page` and `size` can reach. */
    windowMax: 10_000,
  },
  lists: {
    ...contractLimits.lists,
    /** Default entries of a search page, by `size`. */
    searchSizeDefault: 100,
    /** Bytes of the JSON of `filters`, and its nesting depth: eight levels of filters with at most two brackets each. */
    filterBytesMax: 8_192,
    filterBracketsMax: 16,
    /** Values of one `in` or `nin`. */
    filterValuesOfOneMax: 1_000,
    /** Maximum range of a search in milliseconds, and the default range. */
    searchRangeMaxMs: 7_776_000_000,
    searchRangeMs: 86_400_000,
    /** Bytes of events in one search response; the page ends before the event that would exceed it. */
    searchAnswerBytesMax: 8_388_608,
    /** Bytes of the events shown with an alert; further events are omitted. */
    evidenceBytesMax: 4_194_304,
    /** Characters of an idempotency key, and bytes of a body with one: the maximum of the largest route. */
    idempotencyKeyLengthMax: 255,
    idempotencyBodyBytesMax: 16_777_216,
    /** Bytes of a response that is stored for replay; longer ones are not stored, nor is their key. */
    idempotencyAnswerBytesMax: 1_048_576,
    /** Milliseconds between two removals of expired responses. */
    forgetMs: 3_600_000,
  },
  matches: {
    /** Characters stored of each field that a match shows. */
    fieldLengthMax: 4_096,
  },
  cursor: {
    /** Lifetime of a cursor in milliseconds. */
    keptMs: 86_400_000,
    /** Characters of a cursor; the values in it, such as titles and host names, were truncated when stored. */
    lengthMax: 65_536,
  },
  state: stateLimits.state,
  events: storageLimits.events,
  bus: storageLimits.bus,
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
    /** Milliseconds for which a late heartbeat affects the health. */
    loopLagSeenMs: 10_000,
    /** Milliseconds after which a queue that stands still makes its services `degraded`, and then `down`. */
    queueSlowMs: 5_000,
    queueStallMs: 10_000,
    /** Milliseconds after which a successful write no longer proves that the store is writable. */
    writeGoodMs: 30_000,
  },
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
    /** Reads from a topic before each batch, each of as many messages as a batch has. */
    aheadPollsMax: 8,
    /** Milliseconds that an event of a tenant is estimated to take before any was measured. */
    unknownEventMs: 0.1,
    /** Milliseconds that the alert of a match, and storing an event, are estimated to take. */
    matchMs: 0.5,
    storeEventMs: 0.05,
    /** Milliseconds of work after which a stage or a search yields to other work. */
    turnMs: 3,
    /** The same for a heavy tenant while light ones are active, and the share of the time that turns of heavy tenants then have. */
    sharedTurnMs: 1,
    heavyShare: 0.5,
    /** Milliseconds of work in a moving window of as many milliseconds that make a tenant heavy: a fifth of the time. */
    heavyMs: 200,
    usageMs: 1_000,
    /** Milliseconds after its last work for which a tenant counts as active. */
    activeMs: 10_000,
    /** Turns of light tenants in succession while a heavy one waits. */
    lightTurnsMax: 8,
  },
  pipeline: {
    /** Milliseconds of estimated work that tenants may queue together while several send; each has an equal share. */
    queuedWorkMs: 400,
    /** Milliseconds after its last request for which a tenant counts as sending. */
    sendingMs: 10_000,
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
    /** Seconds after which a sender that was refused for a full queue may retry. */
    retryAfterSeconds: 2,
    /** Milliseconds that a rule change waits for detection to finish a batch, which takes about ten. */
    turnWaitMs: 5_000,
    /** Bytes written to test whether a full disk has space again. */
    roomBytes: 1_048_576,
    /** Milliseconds between two checks whether the pipeline is idle. */
    idleLookMs: 5,
  },
  domainEvents: {
    /** Events of a tenant that a consumer gets at once, and tenants that it is served for at once. */
    batchEventsMax: 100,
    tenantsAtOnceMax: 8,
    /** Events of a tenant that wait for a consumer; beyond it the oldest are dropped, counted and logged. */
    waitingEventsMax: 100_000,
    /** Handled events of a tenant that are kept for clients that connect again, and milliseconds for which they are. */
    replayedEventsMax: 1_001,
    keptMs: 604_800_000,
    /** Milliseconds between two writes of positions: after a kill, a consumer may get what it handled since once more. */
    saveMs: 1_000,
    /** Tenants whose positions are written, and events of one that are removed, in one transaction. */
    savedTenantsMax: 20,
    trimEventsMax: 1_000,
    /** Milliseconds after an error of a consumer, doubled each time up to a maximum, and attempts unless it is of the store. */
    retryMs: 50,
    retryMsMax: 10_000,
    attemptsMax: 8,
    /** Milliseconds that consumers have to finish at shutdown. */
    closeMs: 2_000,
  },
  egress: {
    /** Characters of a tenant's outbound URL. */
    urlLengthMax: 2_048,
    /** Bytes of the headers of a response. */
    headBytesMax: 16_384,
    /** Resolved addresses of a host that are checked and tried. */
    addressesMax: 16,
  },
  connector: {
    ...contractLimits.connector,
    /** Connectors of a tenant: each has its own tasks. */
    perTenantMax: 200,
    /** Milliseconds between two checks, before the retry within a check, and of a whole check. */
    checkEveryMs: 15_000,
    checkAgainMs: 1_000,
    checkMs: 10_000,
    /** Milliseconds and bytes of one request of a check; a longer body is truncated. */
    probeMs: 4_000,
    probeBytesMax: 65_536,
    /** Sample events of a connector test. */
    sampleEventsMax: 3,
    /** Milliseconds and bytes of one polled page, as received and inflated: it is held in memory. */
    pageMs: 30_000,
    pageBytesMax: 8_388_608,
    /** Pages polled concurrently for one tenant; only its own connectors wait. */
    pagesAtOnceMax: 8,
    /** Pages of one poll; the rest waits for the next one, so that a source cannot occupy us forever. */
    pagesMax: 100,
    /** Characters of a cursor, and steps of a path into a response. */
    cursorLengthMax: 2_048,
    pathStepsMax: 16,
    /** Event ids of the last page stored with its cursor. */
    seenMax: 10_000,
    /** Characters of an access token, and milliseconds before its expiry at which it is renewed. */
    tokenLengthMax: 16_384,
    tokenEarlyMs: 30_000,
    /** Milliseconds after a failed poll, doubled each time up to a maximum, and the maximum for Retry-After. */
    retryMs: 1_000,
    retryMsMax: 300_000,
    retryAfterMsMax: 3_600_000,
    /** Status changes listed in a response, and milliseconds for which they are stored. */
    historyListedMax: 200,
    historyKeptMs: 7_776_000_000,
    /** Milliseconds between two writes of connector counters. */
    totalsEveryMs: 10_000,
  },
  push: {
    /** Milliseconds before the end of its token at which a connection is warned. */
    endingNoticeMs: 60_000,
    ...contractLimits.push,
    /** Bytes of one client message; longer ones close the connection with 1009. */
    frameBytesMax: 16_384,
    /** Nesting depth of a client message; a subscription has three levels. */
    frameDepthMax: 8,
    /** Connections of one user, and of one tenant. */
    userConnectionsMax: 20,
    tenantConnectionsMax: 500,
    /** Bytes buffered for a connection; beyond them the rules for slow clients apply. */
    bufferBytesMax: 1_048_576,
    /** Sends in one go; then other work is done. */
    sliceMax: 500,
    /** Milliseconds between two pings, and consecutive pings that may stay unanswered. */
    pingMs: 30_000,
    unansweredPingsMax: 2,
    /** Milliseconds of the window for a client's messages: all, unreadable ones, and replays. */
    windowMs: 60_000,
    messagesMax: 600,
    unreadableMessagesMax: 4,
    replaysMax: 10,
    /** Unknown topics listed in an error, and the characters shown of each. */
    topicsListedMax: 20,
    topicLengthMax: 64,
    /** Milliseconds between two metrics updates, and for which one is shared within a tenant. */
    metricsMs: 5_000,
    metricsFreshMs: 1_000,
    /** Alerts replayed at most, and milliseconds for which duplicates of them are suppressed. */
    replayAlertsMax: 1_000,
    replayKnownMs: 60_000,
    /** Recently published alerts of all tenants in memory; the tenant idle for longest is evicted. */
    recentAlertsMax: 100_000,
    /** Characters of a title or host in a message; the alert has them in full. */
    textLengthMax: 512,
    /** Live tails of one connection, and distinct queries of a tenant at once: each evaluates every event. */
    tailsMax: 3,
    tailQueriesMax: 50,
    /** Milliseconds that all queries together may take per batch; remaining events count as dropped. */
    tailBudgetMs: 20,
    /** Lifetime of a ticket in milliseconds, and open tickets; the oldest are evicted. */
    ticketMs: 30_000,
    ticketsMax: 50_000,
    /** Milliseconds between two timer checks, and that a client has to answer a close. */
    tickMs: 100,
    closeMs: 2_000,
  },
} as const
