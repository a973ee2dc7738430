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
} as const
