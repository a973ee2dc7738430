/** Every limit of bodies and files of events, with its unit and reason. What exceeds one is refused by name before its work begins. */
export const limits = {
  ingest: {
    /** Bytes of a body after decompression: bounds decompression bombs. */
    inflatedBytesMax: 67_108_864,
    /** Events of one request: 64 MiB of `{}` would be twenty million. */
    requestEventsMax: 100_000,
    /** Bytes of one event. */
    eventBytesMax: 1_048_576,
    /** Nesting depth of one event; audit events of cloud products stay below 20. */
    eventDepthMax: 64,
    /** Fields of one event, nested ones included. */
    eventFieldsMax: 10_000,
  },
  files: {
    /** Bytes of a file that are looked at to recognise its format, if it has no line that is shorter. */
    sniffedBytesMax: 65_536,
    /** Bytes of one event of a file, as in lines of NDJSON: a longer one is skipped and reported. */
    eventBytesMax: 4_194_304,
    /** Columns of a table. */
    columnsMax: 10_000,
    /** Characters of one problem that is reported of a file. */
    problemCharactersMax: 500,
    /** Bytes that a file decompresses to for each of its own, once it has `unpackedBytesFree`: real logs shrink to a 200th. */
    unpackedRatioMax: 2_000,
    unpackedBytesFree: 1_073_741_824,
  },
  audit: {
    /** Records that wait for the last one of an audit event in front of them: those of several processors are mixed by a few. */
    heldRecordsMax: 256,
    /** Milliseconds for which the records of an audit event may arrive: the kernel makes them together. */
    gatherMs: 1_000,
  },
  mapping: {
    /** Characters of a mapping file, and its entries: each event is compared with them in order. */
    charactersMax: 262_144,
    entriesMax: 256,
  },
  evtx: {
    /** Elements within elements of one record of a Windows event log, and templates within values. */
    depthMax: 64,
    /** Elements and values of one record: it may use a template many times. */
    nodesMax: 100_000,
    /** Characters of one record, printed. */
    charactersMax: 4_194_304,
  },
} as const
