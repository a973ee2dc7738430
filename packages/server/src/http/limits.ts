import { limits as contractLimits } from '@tripline/contract/limits'

/** Limits of requests and their bodies, each with its unit and the reason for it. */
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
    /** Milliseconds between two looks at the files of the TLS certificate: three small files. */
    certificateMs: 10_000,
    /** Milliseconds for which idle connections are kept at shutdown, so that a request under way is answered. */
    announceMs: 250,
  },
} as const
