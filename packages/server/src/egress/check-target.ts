import { limits } from '../limits.ts'
import { EgressError } from './egress-error.ts'
import type { EgressPolicy } from './egress.ts'

/**
 * Reads a URL as every part of us reads it from then on, and refuses what the policy does not let out by scheme,
 * port or spelling; whether its address may be asked is judged later, on the address itself.
 *
 * @throws EgressError `refused`.
 */
export function checkTarget(text: string, { allowInsecure, ports = securePorts }: EgressPolicy): URL {
  const url = parseTarget(text)
  if (url.protocol === 'http:' && !allowInsecure) throw refused(`'${url.host}' is asked without TLS; only https is allowed`)
  const port = Number(url.port || (url.protocol === 'http:' ? insecurePort : 443))
  const allowed = allowInsecure ? [...ports, insecurePort] : ports
  if (!allowed.includes(port)) throw refused(`port ${port} of '${url.hostname}' is not one of ${allowed.join(', ')}`)
  return url
}

/** Reads a URL that any installation could allow. @throws EgressError `refused` with what is wrong with it. */
export function parseTarget(text: string): URL {
  if (text.length > limits.egress.urlLengthMax) {
    throw refused(`the URL has ${text.length} characters; at most ${limits.egress.urlLengthMax} are read`)
  }
  // What others might read in another way: dots that are none, blanks that vanish, slashes that lean back.
  if (!/^[!-[\]-~]+$/.test(text)) throw refused('the URL has characters that are not written in one; they have to be encoded')
  const url = URL.parse(text)
  if (url === null || !/^https?:$/.test(url.protocol)) throw refused('the URL is not like https://host/path')
  if (url.username !== '' || url.password !== '') throw refused('the URL has a user or password in it')
  return url
}

const securePorts: readonly number[] = [443, 8443]
const insecurePort = 80

function refused(message: string): EgressError {
  return new EgressError('refused', message)
}
