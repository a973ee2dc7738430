/** Limits of the collector, each with its unit and the reason for it. */
export const limits = {
  spool: {
    /** Bytes on disk by default, and the least that may be set. */
    bytesDefault: 1_073_741_824,
    bytesMin: 1_048_576,
    /** Bytes of one file of the spool; files are removed whole, so that a sixteenth of the spool is lost at once at most. */
    fileBytesMax: 16_777_216,
    filesMin: 16,
    /** Share of the spool from which on sources wait whose events are safe where they are, such as files. */
    crowdedShare: 0.8,
  },
  delivery: {
    /** Events and bytes of a batch; a record of the spool is not split. */
    batchEventsMax: 5_000,
    batchBytesMax: 2_097_152,
    /** Milliseconds of one request, and before the second attempt; each doubles them up to the most. */
    requestMs: 60_000,
    retryMs: 500,
    retryMsMax: 30_000,
    /** Milliseconds that a server may ask to wait, at most. */
    retryAfterMaxMs: 300_000,
    /** Bytes of a response that are read. */
    responseBytesMax: 1_048_576,
    heartbeatMs: 30_000,
    /** Reports of a heartbeat are cut to what the server takes. */
    errorLengthMax: 500,
  },
  file: {
    /** Milliseconds between two looks at files that do not grow. */
    pollMs: 250,
    /** Bytes that are read of a file at once, and of a line; of a longer one nothing is kept. */
    chunkBytes: 262_144,
    lineBytesMax: 1_048_576,
    /** Bytes at the beginning of a file that tell it from another with the same number. */
    fingerprintBytes: 256,
    /** Milliseconds after which a last line without an end is one, once its file was rotated. */
    restMs: 1_000,
    /** Files of one source that are followed, and bytes of a file that is read whole. */
    filesMax: 1_000,
    wholeBytesMax: 1_073_741_824,
  },
  syslog: {
    /** Messages that wait for the disk, and their bytes; then streams wait and datagrams are dropped. */
    queuedMessagesMax: 50_000,
    queuedBytesMax: 33_554_432,
    /** Messages of one record of the spool, their bytes, and milliseconds in which they gather. */
    batchMessagesMax: 2_000,
    batchBytesMax: 131_072,
    gatherMs: 20,
    /** Connections of a listener, and from one address. */
    connectionsMax: 4_096,
    addressConnectionsMax: 1_024,
  },
  broker: {
    /** Names of messages that are kept until their batch is acknowledged: what a broker gives out at once at most. */
    unacknowledgedMax: 2_000,
  },
  edge: {
    /** Groups and events that correlations of a collector remember, and the last events that their alerts show. */
    groupsMax: 100_000,
    eventsMax: 500_000,
    recentEventsMax: 10_000,
    /** Milliseconds without events after which windows end by the clock, behind by as much, and between two looks. */
    silenceMs: 30_000,
    advanceMs: 5_000,
    /** Conditions and log sources that an alert names. */
    conditionsMax: 20,
    logsourcesMax: 15,
    /** Problems of rules that are logged one by one. */
    problemsLoggedMax: 20,
  },
  scanner: { requestMs: 120_000, retryMs: 60_000 },
  journald: { gatherMs: 200, recordEventsMax: 1_000, restartMs: 5_000 },
  config: {
    /** Characters of a configuration file, and sources: the server takes so many of a heartbeat. */
    textLengthMax: 1_000_000,
    sourcesMax: 100,
  },
  control: {
    /** Characters of a request, lines of the log that are kept, and milliseconds of a request. */
    requestLengthMax: 65_536,
    logLinesMax: 2_000,
    requestMs: 60_000,
  },
} as const
