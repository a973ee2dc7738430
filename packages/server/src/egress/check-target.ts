import { limits } from './limits.ts'
import { EgressError } from './egress-error.ts'

const securePorts: readonly number[] = [443, 8443]
const insecurePort = 80

/**
 * Refuses schemes and ports that the policy does not allow towards the internet. Addresses in `allowCidrs` may be
 * requested at any port: internal services seldom use 443.
 *
 * @throws EgressError `refused`.
 */
export function checkTarget(url: URL, { allowInsecure }: { readonly allowInsecure: boolean }): void {
  if (url.protocol === 'http:' && !allowInsecure) throw createRefusal(`'${url.host}' is requested without TLS; use https`)
  const port = Number(url.port || (url.protocol === 'http:' ? insecurePort : 443))
  const allowed = allowInsecure ? [...securePorts, insecurePort] : securePorts
  if (!allowed.includes(port)) throw createRefusal(`port ${port} of '${url.hostname}' is not allowed; use one of ${allowed.join(', ')}`)
}

/** The ports below it belong to services of the system, such as mail and remote shells. */
const userPortMin = 1_024

/**
 * Refuses connections of brokers to the internet that have no TLS, or go to a port of the system.
 *
 * @throws EgressError `refused`.
 */
export function checkSocketTarget(
  { host, port, isSecure }: { readonly host: string; readonly port: number; readonly isSecure: boolean },
  { allowInsecure }: { readonly allowInsecure: boolean },
): void {
  if (!isSecure && !allowInsecure) throw createRefusal(`'${host}' would be reached without TLS; use TLS`)
  if (port >= userPortMin || securePorts.includes(port)) return
  throw createRefusal(`port ${port} of '${host}' is not allowed; use ${securePorts[0]} or one from ${userPortMin}`)
}

/**
 * Parses a URL once, so all code agrees on its parts. This installation may still refuse it.
 *
 * @throws EgressError `refused` with the reason.
 */
export function parseTarget(text: string): URL {
  if (text.length > limits.egress.urlLengthMax) {
    throw createRefusal(`the URL has ${text.length} characters; the limit is ${limits.egress.urlLengthMax}`)
  }
  // Characters that parsers read differently: Unicode dots, blanks, backslashes.
  if (!/^[!-[\]-~]+$/.test(text)) throw createRefusal('the URL has characters that URLs do not allow; percent-encode them')
  const url = URL.parse(text)
  if (url === null || !/^https?:$/.test(url.protocol)) throw createRefusal('the URL must be like https://host/path')
  if (url.username !== '' || url.password !== '') throw createRefusal('the URL must not contain a user or password')
  return url
}

function createRefusal(message: string): EgressError {
  return new EgressError('refused', message)
}
