import { EgressError } from './egress-error.ts'
import type { EgressProblem } from './egress-error.ts'

/** What a connection may fail with, by Node's code, as it reads after the host. */
const failures: { readonly [code: string]: readonly [problem: EgressProblem, sentence: string] } = {
  ABORT_ERR: ['stopped', 'was not waited for any longer'],
  ECONNREFUSED: ['unreachable', 'refuses connections'],
  ECONNRESET: ['unreachable', 'broke the connection off'],
  EHOSTUNREACH: ['unreachable', 'cannot be reached'],
  ENETUNREACH: ['unreachable', 'cannot be reached'],
  EPIPE: ['unreachable', 'broke the connection off'],
  ETIMEDOUT: ['unreachable', 'does not take the connection'],
  CERT_HAS_EXPIRED: ['insecure', 'has a certificate that is over'],
  DEPTH_ZERO_SELF_SIGNED_CERT: ['insecure', 'has a certificate that only it itself vouches for'],
  SELF_SIGNED_CERT_IN_CHAIN: ['insecure', 'has a certificate that nobody known vouches for'],
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: ['insecure', 'has a certificate that nobody known vouches for'],
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: ['insecure', 'has a certificate that nobody known vouches for'],
  ERR_TLS_CERT_ALTNAME_INVALID: ['insecure', 'has a certificate of another host'],
  ERR_INVALID_CHAR: ['refused', 'cannot be asked: a header would have characters that headers do not have'],
  HPE_HEADER_OVERFLOW: ['too_long', 'answers with headers that are too long'],
}

/** Says of an error of a connection what it means; of one that has no row here, its code. */
export function describeFailure(host: string, error: unknown): EgressError {
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  const known = Object.hasOwn(failures, code) ? failures[code] : undefined
  if (known !== undefined) return new EgressError(known[0], `'${host}' ${known[1]}`)
  if (isAbort(error)) return new EgressError('stopped', `'${host}' was not waited for any longer`)
  if (code.startsWith('HPE_')) return new EgressError('damaged', `'${host}' answers with something that is not HTTP (${code})`)
  if (/^(?:ERR_SSL|EPROTO)/.test(code)) {
    return new EgressError('insecure', `'${host}' does not speak TLS as it is to be (${code})`)
  }
  const reason = /^\w{1,64}$/.test(code) ? code : 'for an unknown reason'
  return new EgressError('unreachable', `the connection to '${host}' failed (${reason})`)
}

function isAbort(error: unknown): boolean {
  return error instanceof Error && (error.name === 'AbortError' || error.name === 'TimeoutError')
}
