import { limits as contractLimits } from '@tripline/contract/limits'

/** Limits of domain events and live push, each with its unit and the reason for it. */
export const limits = {
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
    /** Matches that one message of a tail names, and events of which a tail, and a tenant, knows that they were sent or matched. */
    tailMatchesMax: 100,
    tailEventsKnownMax: 1_000,
    /** Milliseconds that all queries together may take per batch; remaining events count as dropped. */
    tailBudgetMs: 20,
    /** Lifetime of a ticket in milliseconds, and open tickets; the oldest are evicted. */
    ticketMs: 30_000,
    ticketsMax: 50_000,
    /** Milliseconds between two timer checks, and that a client has to answer a close. */
    tickMs: 100,
    closeMs: 2_000,
  },
  channels: {
    ...contractLimits.channels,
    /** Channels and routes of a tenant: each route is read for each event. */
    channelsMax: 50,
    routesMax: 100,
    /** Notices that a message lists, the others are counted; and characters of one: mail and chats show no more. */
    linesMax: 20,
    lineLengthMax: 500,
    /** Characters that Slack takes of a header and of a section, and PagerDuty of a summary. */
    slackTitleMax: 150,
    slackTextMax: 3_000,
    pagerTitleMax: 1_024,
    /** Milliseconds until a mail server accepts a connection, and for a mail after that: attachments take time. */
    connectMs: 10_000,
    mailMs: 60_000,
    /** Bytes of a report that goes with a mail; a larger one is linked. */
    attachmentBytesMax: 10_485_760,
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
} as const
