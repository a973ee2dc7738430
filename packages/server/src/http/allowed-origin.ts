/** An origin that is longer than any host name with a port. */
const originLengthMax = 300

/**
 * Whether a page of this origin may use the API with its own scripts: a page that this server serves (its origin has the host
 * of the request, whatever the scheme, because a proxy may end TLS), or one of the allowed origins. Origins are compared as
 * URLs, so that default ports and case do not matter; opaque origins, which browsers send as `null`, never match.
 */
export function isAllowedOrigin(origin: string, host: string | undefined, allowed: readonly string[]): boolean {
  return isSameHost(origin, host) || isListedOrigin(origin, allowed)
}

/** Whether an origin is one of the allowed ones. */
export function isListedOrigin(origin: string, allowed: readonly string[]): boolean {
  const url = parseOrigin(origin)
  return url !== undefined && allowed.some((one) => new URL(one).origin === url.origin)
}

function isSameHost(origin: string, host: string | undefined): boolean {
  const url = parseOrigin(origin)
  if (url === undefined || host === undefined || host.length > originLengthMax || /[/\\?#@\s]/.test(host)) return false
  const own = `${url.protocol}//${host}`
  return URL.canParse(own) && new URL(own).host === url.host
}

function parseOrigin(text: string): URL | undefined {
  const url = text.length <= originLengthMax && URL.canParse(text) ? new URL(text) : undefined
  return url?.protocol === 'http:' || url?.protocol === 'https:' ? url : undefined
}
