import { EgressError } from './egress-error.ts'
import type { EgressProblem } from './egress-error.ts'

/** Connection errors by Node's code: the problem, and how it reads after the host. */
const failures: { readonly [code: string]: readonly [problem: EgressProblem, sentence: string] } = {
  ABORT_ERR: ['stopped', 'was no longer waited for'],
  ECONNREFUSED: ['unreachable', 'refuses connections'],
  ECONNRESET: ['unreachable', 'reset the connection'],
  EHOSTUNREACH: ['unreachable', 'cannot be reached'],
  ENETUNREACH: ['unreachable', 'cannot be reached'],
  EPIPE: ['unreachable', 'reset the connection'],
  ETIMEDOUT: ['unreachable', 'did not accept the connection in time'],
  CERT_HAS_EXPIRED: ['insecure', 'has an expired certificate'],
  DEPTH_ZERO_SELF_SIGNED_CERT: ['insecure', 'has a self-signed certificate'],
  SELF_SIGNED_CERT_IN_CHAIN: ['insecure', 'has a certificate of an unknown authority'],
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: ['insecure', 'has a certificate of an unknown authority'],
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: ['insecure', 'has a certificate of an unknown authority'],
  ERR_TLS_CERT_ALTNAME_INVALID: ['insecure', 'has a certificate for another host'],
  ERR_INVALID_CHAR: ['refused', 'cannot be requested: a header has invalid characters'],
  HPE_HEADER_OVERFLOW: ['too_long', 'sent response headers that are too long'],
}

/** Maps a connection error to a problem and a sentence; an unlisted error shows its code. */
export function describeFailure(host: string, error: unknown): EgressError {
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  const known = Object.hasOwn(failures, code) ? failures[code] : undefined
  if (known !== undefined) return new EgressError(known[0], `'${host}' ${known[1]}`)
  if (isAbort(error)) return new EgressError('stopped', `'${host}' was no longer waited for`)
  if (code.startsWith('HPE_')) return new EgressError('damaged', `'${host}' sent a response that is not HTTP (${code})`)
  if (/^(?:ERR_SSL|EPROTO)/.test(code)) {
    return new EgressError('insecure', `'${host}' failed the TLS handshake (${code})`)
  }
  const reason = /^\w{1,64}$/.test(code) ? code : 'for an unknown reason'
  return new EgressError('unreachable', `the connection to '${host}' failed (${reason})`)
}

function isAbort(error: unknown): boolean {
  return error instanceof Error && (error.name === 'AbortError' || error.name === 'TimeoutError')
}
