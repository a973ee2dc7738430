/** The common and the combined format of Apache and nginx. */
const combined = new RegExp([
  /^(\S{1,255}) \S{1,255} (\S{1,255}) \[([^\]]{1,40})\] /, /"([A-Z]{1,20}) ([^" ]*)(?: HTTP\/[\d.]{1,5})?" (\d{3}) (\d+|-)/,
  /(?: "((?:[^"\\]|\\[^])*)" "((?:[^"\\]|\\[^])*)")?/,
].map(({ source }) => source).join(''))

/** The native format of squid: time, duration, client, result, bytes, method, URL, user, peer, type. */
const squid = /^ *(\d{9,11}\.\d{3}) +(\d{1,9}) (\S{1,64}) ([A-Z_]{1,40})\/(\d{3}) (\d{1,15}) ([A-Z_]{1,20}) (\S+) (\S{1,255}) \S+ \S+$/

/** The fields of a line of an access log, with the names of the W3C format that rules use; undefined for another line. */
export function parseAccessLog(text: string): { readonly [name: string]: string | number } | undefined {
  return parseCombined(text) ?? parseSquid(text)
}

function parseCombined(text: string): { readonly [name: string]: string | number } | undefined {
  const found = combined.exec(text)
  if (found === null) return undefined
  const [, client = '', user = '-', time = '', method = '', target = '', status, bytes = '-', referer, agent] = found
  const queryAt = target.indexOf('?')
  const at = Date.parse(time.replace(/^(\d\d)\/(\w{3})\/(\d{4}):/, '$1 $2 $3 '))
  return {
    ...(!Number.isNaN(at) && { '@timestamp': new Date(at).toISOString() }),
    'c-ip': client, ...(user !== '-' && { 'cs-username': user }), 'cs-method': method,
    'cs-uri-stem': queryAt === -1 ? target : target.slice(0, queryAt), ...(queryAt !== -1 && { 'cs-uri-query': target.slice(queryAt + 1) }),
    'sc-status': Number(status), ...(bytes !== '-' && { 'sc-bytes': Number(bytes) }),
    ...(referer !== undefined && referer !== '-' && { 'cs-referer': referer }),
    ...(agent !== undefined && agent !== '-' && { 'cs-user-agent': agent }),
  }
}

function parseSquid(text: string): { readonly [name: string]: string | number } | undefined {
  const [found, time, duration, client = '', result = '', status, bytes, method = '', url = '', user = '-'] = squid.exec(text) ?? []
  if (found === undefined) return undefined
  const host = /^(?:[a-z]+:\/\/)?([^/:?]+)/i.exec(url)?.[1]
  return {
    '@timestamp': new Date(Math.round(Number(time) * 1_000)).toISOString(), 'time-taken': Number(duration), 'c-ip': client,
    's-action': result, 'sc-status': Number(status), 'sc-bytes': Number(bytes), 'cs-method': method, 'c-uri': url,
    ...(host !== undefined && { 'cs-host': host }), ...(user !== '-' && { 'cs-username': user }),
  }
}
