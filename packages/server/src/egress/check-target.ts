import { limits } from '../limits.ts'
import { EgressError } from './egress-error.ts'

/**
 * Refuses what leaves for the internet by a scheme or port that the policy does not let out. What the installation
 * names in `allowCidrs` is asked by any: services inside seldom stand at 443.
 *
 * @throws EgressError `refused`.
 */
export function checkTarget(url: URL, { allowInsecure }: { readonly allowInsecure: boolean }): void {
  if (url.protocol === 'http:' && !allowInsecure) throw createRefusal(`'${url.host}' is asked without TLS; only https is allowed`)
  const port = Number(url.port || (url.protocol === 'http:' ? insecurePort : 443))
  const allowed = allowInsecure ? [...securePorts, insecurePort] : securePorts
  if (!allowed.includes(port)) throw createRefusal(`port ${port} of '${url.hostname}' is not one of ${allowed.join(', ')}`)
}

/**
 * Reads a URL as every part of us reads it from then on; it may be one that this installation does not allow.
 *
 * @throws EgressError `refused` with what is wrong with it.
 */
export function parseTarget(text: string): URL {
  if (text.length > limits.egress.urlLengthMax) {
    throw createRefusal(`the URL has ${text.length} characters; at most ${limits.egress.urlLengthMax} are read`)
  }
  // What others might read in another way: dots that are none, blanks that vanish, slashes that lean back.
  if (!/^[!-[\]-~]+$/.test(text)) throw createRefusal('the URL has characters that are not written in one; they have to be encoded')
  const url = URL.parse(text)
  if (url === null || !/^https?:$/.test(url.protocol)) throw createRefusal('the URL is not like https://host/path')
  if (url.username !== '' || url.password !== '') throw createRefusal('the URL has a user or password in it')
  return url
}

const securePorts: readonly number[] = [443, 8443]
const insecurePort = 80

function createRefusal(message: string): EgressError {
  return new EgressError('refused', message)
}
