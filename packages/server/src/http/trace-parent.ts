/** The trace of a request and the span of its response (W3C Trace Context). */
type TraceStep = {
  /** 32 hexadecimal digits. */
  readonly traceId: string
  /** The `traceparent` header for the response and for outbound calls. */
  readonly header: string
}

/** Version, trace id, parent span id, flags; later versions may append more. */
const traceParentPattern = /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/
/** Not sampled: this server does not record traces. */
const noFlags = '00'

/**
 * Creates a new span in the trace of a client's `traceparent`. If that is missing or malformed, starts a new trace: with the
 * digits of the request id if it is a UUID, so that one can be found by the other.
 */
export function continueTrace(
  given: string | undefined, requestId: string, randomBytes: (count: number) => Uint8Array,
): TraceStep {
  const known = given === undefined ? undefined : readTraceParent(given)
  const traceId = known?.traceId ?? extractUuidDigits(requestId) ?? toHex(randomBytes(16))
  return { traceId, header: `00-${traceId}-${toHex(randomBytes(8))}-${known?.flags ?? noFlags}` }
}

function readTraceParent(text: string): { readonly traceId: string; readonly flags: string } | undefined {
  const [, version, traceId = '', step = '', flags = '', rest] = traceParentPattern.exec(text) ?? []
  const isForbidden = version === 'ff' || /^0+$/.test(traceId) || /^0+$/.test(step)
  if (version === undefined || isForbidden || (version === '00' && rest !== undefined)) return undefined
  return { traceId, flags }
}

function extractUuidDigits(requestId: string): string | undefined {
  const [, uuid] = /^req_([0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12})$/.exec(requestId) ?? []
  return uuid?.replaceAll('-', '')
}

function toHex(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('hex')
}
