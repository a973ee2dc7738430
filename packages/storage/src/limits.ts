/** Every limit of the bus and of the event store, with its unit and reason. */
export const limits = {
  events: {
    /** Events of one append, and their bytes: one log record, written and checked as a whole. */
    batchEventsMax: 10_000,
    batchBytesMax: 16_777_216,
    /** Events stored again at once from the second copy. */
    recoveryEventsMax: 1_000,
    /** Milliseconds that a lost event may have occurred after it was accepted, by a wrong clock: searches of that time warn. */
    lostSkewMs: 86_400_000,
    /** Bytes waiting to be logged; beyond them appends are refused until some are written. */
    waitingBytesMax: 67_108_864,
    /** Rows of a block: enough to compress and prune well, few enough to decode in milliseconds. */
    blockRowsMax: 16_384,
    /** Bytes of the events of a block, for long events. */
    blockBytesMax: 33_554_432,
    /** Open blocks in memory; events with absurd times would otherwise open one for every day. */
    openBlocksMax: 512,
    /** Full blocks waiting to be written to segments; beyond them appends wait too. */
    waitingBlocksMax: 4,
    /** Bytes of one log file, and files before the oldest is freed by writing its blocks. */
    logFileBytesMax: 16_777_216,
    logFilesMax: 8,
    /**
     * Parts of blocks that are compressed at a time. Node has four threads for these and for all files: a sync for which a sender
     * waits must not wait for a block.
     */
    compressionsAtOnceMax: 2,
    /** Values of an event that get columns; an event with more is stored whole and searched slowly. */
    shapeColumnsMax: 1_000,
    /** Event templates and columns of one block; further events are stored whole. Real blocks have some hundreds. */
    blockShapesMax: 2_048,
    blockColumnsMax: 8_192,
    /** Event templates cached across blocks, and field names cached per template. */
    knownShapesMax: 8_192,
    knownNamesMax: 1_024,
    /** Bytes of cached decoded segment parts; the next page of a rare keyword fits, in 128 MB it did not. */
    cacheBytesMax: 201_326_592,
    /** Bytes of cached block filters: up to 320 KB a block where values never repeat, so for thirteen million such events. */
    filterBytesMax: 268_435_456,
    /** Bytes of cached results of searches for words: the rows that match in stored blocks, and events of pages. */
    matchCacheBytesMax: 33_554_432,
    pageCacheBytesMax: 16_777_216,
    /** Segment files that are open for reading. */
    openFilesMax: 64,
    /** Characters of a tenant's name: it becomes a folder name. */
    tenantLengthMax: 128,
    /** Events of a page, and of a batch of a scan. */
    pageEventsMax: 1_000,
    scanBatchEventsMax: 10_000,
    /** Intended and maximum buckets of a histogram; ranges of more than 60 days have one per day. */
    bucketsWanted: 60,
    bucketsMax: 36_525,
    /** Milliseconds of work after which a search yields to other work. */
    turnMs: 3,
    /** Searches of a tenant that run at a time; further ones wait. */
    searchesAtOnceMax: 2,
    /** Newest blocks that the field catalog reads, its fields, and the values of each. */
    catalogBlocksMax: 64,
    catalogFieldsMax: 2_000,
    catalogValuesMax: 10,
    /** Frequent values of a column listed in a block, and the characters of one. */
    listedValuesMax: 5,
    listedValueLengthMax: 64,
  },
  bus: {
    /** Messages published at once, and their bytes. */
    publishMessagesMax: 10_000,
    publishBytesMax: 16_777_216,
    /** Messages of one record on disk: a flipped bit costs no more. */
    unitMessagesMax: 1_000,
    /** Bytes of one message: an event and its metadata. */
    messageBytesMax: 2_097_152,
    /** Overhead in bytes that a message counts in addition to its own size. */
    messageCostBytes: 64,
    /** Uncommitted bytes of a topic, and of one tenant in it; beyond them publishing is refused. */
    topicBytesMax: 1_073_741_824,
    tenantBytesMax: 268_435_456,
    /** Bytes waiting to be written to a topic: bounds memory when senders are faster than the disk. */
    waitingBytesMax: 67_108_864,
    /** Bytes of one topic file, and of committed offsets; a full file gets no further group. Opening reads few of them. */
    fileBytesMax: 16_777_216,
    commitFileBytesMax: 65_536,
    /** Bytes of messages consumed at once, except a single longer one. */
    takeBytesMax: 8_388_608,
    /** Bytes read from a file at once; a longer record is read whole. */
    readBytesMax: 262_144,
    /** Bytes of a topic's newest records cached in memory: some seconds of events, for consumers that keep up. */
    recentBytesMax: 4_194_304,
    /** Corrupt places that are reported separately. */
    damagesListedMax: 1_000,
    /** Characters of a tenant's name. */
    tenantLengthMax: 128,
  },
} as const
