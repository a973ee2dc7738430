import { limits as contractLimits } from '@tripline/contract/limits'
import { limits as detectionLimits } from '@tripline/detection/limits'
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
  configuration: {
    /** Characters of a configuration file: hundreds of settings with comments, and a text that is parsed in a moment. */
    fileLengthMax: 1_048_576,
  },
  disk: {
    /** Shares of the disk that are free at the watermarks: a warning, an error, and no more events. */
    lowShare: 0.15,
    highShare: 0.1,
    floodShare: 0.05,
    /** Free bytes at which a large disk reaches the watermark all the same: its share would be more than days of events. */
    lowBytesMax: 64_424_509_440,
    highBytesMax: 42_949_672_960,
    floodBytesMax: 21_474_836_480,
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
    /** Milliseconds between two looks at the files of the TLS certificate: three small files. */
    certificateMs: 10_000,
    /** Milliseconds for which idle connections are kept at shutdown, so that a request under way is answered. */
    announceMs: 250,
  },
  ingest: {
    ...formatsLimits.ingest,
    ...detectionLimits.ingest,
    /** Bytes of a body as sent, compressed or not. */
    bodyBytesMax: 10_485_760,
    /** Rejected events listed individually in a response; all are counted. */
    errorsListedMax: 1_000,
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
  incidents: {
    ...contractLimits.incidents,
    /** Alerts of one incident: its severity, entities and tactics are computed from them; further alerts open another. */
    alertsMax: 1_000,
    /** Active incidents of a tenant, above which alerts open no further ones by themselves: more are a flood. */
    activeMax: 1_000,
    /** Entries of a timeline, above which users are refused further changes. */
    timelineMax: 10_000,
    /** The newest alerts and the last timeline entries of an incident's detail. */
    alertsShownMax: 100,
    timelineShownMax: 200,
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
    /** Requests per minute to the public API on each plan; the plan `custom` has its own number. */
    freePlanRequestsMax: 60,
    mdrPlanRequestsMax: 300,
    proPlanRequestsMax: 1_000,
    /** Requests per minute and address to the public API without a valid key: they are refused anyway. */
    unauthenticatedRequestsMax: 60,
    /** Users, tenants, accounts or addresses tracked at once; the one idle for longest is evicted. */
    countedMax: 50_000,
  },
  redaction: {
    /** Nesting depth that is searched; deeper values are masked whole. */
    depthMax: 16,
  },
  correlation: detectionLimits.correlation,
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
    ...detectionLimits.rules,
    /** Custom rules of a tenant; each costs memory permanently and time at every start. */
    customMax: 5_000,
    /**
     * Rules over `ruleTest.inlineWorkMax` that a tenant stores or backtests within a window of milliseconds: some tens of
     * milliseconds of the main thread each, so 2 % of it.
     */
    costlyChangesMax: 12,
    costlyChangesMs: 60_000,
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
    ...detectionLimits.enrichment,
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
    /** The same in the public API, where more is refused. */
    publicSizeDefault: 20,
    publicSizeMax: 100,
    /** Entries that `page` and `size` can reach. */
    windowMax: 10_000,
  },
  lists: {
    ...contractLimits.lists,
    /** Changes of an alert that its timeline shows, the newest; all of them are on the audit trail. */
    timelineEntriesMax: 500,
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
  matches: detectionLimits.matches,
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
  stage: detectionLimits.stage,
  fairness: detectionLimits.fairness,
  pipeline: detectionLimits.pipeline,
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
  webhooks: {
    ...contractLimits.webhooks,
    /** Milliseconds of an attempt, from the look-up of the name to the end of the response, and bytes read of that. */
    attemptMs: 15_000,
    responseBytesMax: 65_536,
    /** Bytes of a payload, and of the beginning of a response in the delivery log. */
    payloadBytesMax: 20_480,
    snippetBytesMax: 1_024,
    /** Attempts at once to one webhook; of a tenant and of the server, half of them for webhooks that fail. */
    webhookAtOnceMax: 4,
    tenantAtOnceMax: 64,
    serverAtOnceMax: 256,
    /** Deliveries that wait for one webhook; beyond it events are skipped and counted, and a replay sends them. */
    pendingMax: 10_000,
    /** Due deliveries of a webhook that are read at once, and outcomes that are stored in one transaction. */
    readAtOnceMax: 16,
    outcomesAtOnceMax: 100,
    /** Milliseconds for which the log of deliveries and the events for replays are kept, and removals in one transaction. */
    keptMs: 2_592_000_000,
    removedAtOnceMax: 1_000,
    /** Milliseconds for which the secret before a rotation still signs. */
    secretOverlapMs: 86_400_000,
    /** Milliseconds after which a failed read or write of the queue is repeated, and after which it is looked at in any case. */
    afterErrorMs: 5_000,
    lookMs: 3_600_000,
    /** Milliseconds that attempts under way have at shutdown; those that do not end are made again. */
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
