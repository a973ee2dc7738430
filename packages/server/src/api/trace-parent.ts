/** Which trace a request belongs to, and which step of it the answer to it is (W3C Trace Context, D-86). */
export type TraceStep = {
  /** 32 hexadecimal digits. */
  readonly traceId: string
  /** The header that names trace and step, for the answer and for whoever is called meanwhile. */
  readonly header: string
}

/** Version, trace, step of the caller, flags; of a later version more may follow. */
const traceParentPattern = /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/
/** Nobody records traces here, which is what flags would say. */
const noFlags = '00'

/**
 * A new step of the trace that a caller names in `traceparent`. Where that is missing or has another form, of a new
 * trace: that with the digits of the request's id where this is a UUID, so that the one is found by the other.
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
