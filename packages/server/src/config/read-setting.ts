import { parseNetwork } from '@tripline/common/network'

/** A listen address; port 0 picks a free port. */
export type Address = { readonly host: string; readonly port: number }

/** Inclusive bounds of a number. */
export type Range = { readonly min: number; readonly max: number }

/** Reads a setting that takes a single value. */
export function readSingleText(texts: readonly string[]): string {
  const [text, ...others] = texts
  if (text === undefined || text === '') throw new Error('needs a value')
  if (others.length > 0) throw new Error('is given more than once')
  return text
}

/** Parses a listen address such as `127.0.0.1:8080`. */
export function readAddress(text: string): Address {
  const [, bracketed, plain, port] = /^(?:\[([0-9a-fA-F:.]+)\]|([^:[\]\s]+)):(\d{1,5})$/.exec(text) ?? []
  const host = bracketed ?? plain
  if (host === undefined || Number(port) > 65_535) {
    throw new Error(`must be host:port such as 127.0.0.1:8080 or [::1]:8080, with a port up to 65535, not '${text}'`)
  }
  return { host, port: Number(port) }
}

/** Parses a URL and drops trailing slashes, since paths begin with one. */
export function readUrl(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (url?.protocol === 'http:' || url?.protocol === 'https:') return text.replace(/\/+$/, '')
  throw new Error(`must be a URL that begins with http:// or https://, not '${text}'`)
}

/** Checks a time such as `2026-11-22T09:00:00Z`. */
export function readTime(text: string): string {
  const isTime = /^\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:\d\d)$/.test(text)
  if (isTime && !Number.isNaN(Date.parse(text))) return text
  throw new Error(`must be a time with its offset such as 2026-11-22T09:00:00Z, not '${text}'`)
}

/** Parses origins such as `https://console.example`: scheme, host and port of a page. */
export function readOrigins(texts: readonly string[]): string[] {
  return splitList(texts).map((text) => {
    const url = URL.canParse(text) ? new URL(text) : undefined
    const isOrigin = (url?.protocol === 'http:' || url?.protocol === 'https:') && url.href === `${url.origin}/`
    if (url !== undefined && isOrigin) return url.origin
    throw new Error(`must be origins such as https://console.example, without a path; '${text}' is not one`)
  })
}

/** Parses a boolean. */
export function readSwitch(text: string): boolean {
  if (text === 'true') return true
  if (text === 'false') return false
  throw new Error(`must be true or false, not '${text}'`)
}

/** Parses a switch that reads better as a word: `--console off`. */
export function readOnOff(text: string): 'on' | 'off' {
  if (text === 'on' || text === 'off') return text
  throw new Error(`must be on or off, not '${text}'`)
}

/** Splits comma-separated values. Commas, because values such as IPv6 networks contain colons. */
export function splitList(texts: readonly string[]): string[] {
  return texts.flatMap((text) => text.split(',')).map((part) => part.trim()).filter((part) => part !== '')
}

/** Prints a range for help and errors. */
export function printRange({ min, max }: Range): string {
  return `${min} to ${max}`
}

/** Parses a whole number within bounds. */
export function readInteger(text: string, range: Range): number {
  const value = /^\d{1,15}$/.test(text) ? Number(text) : Number.NaN
  if (range.min <= value && value <= range.max) return value
  throw new Error(`must be a whole number from ${printRange(range)}, not '${text}'`)
}

/** Parses networks such as `10.0.0.0/8`. */
export function readNetworks(texts: readonly string[]): string[] {
  const networks = splitList(texts)
  const wrong = networks.find((network) => parseNetwork(network) === undefined)
  if (wrong === undefined) return networks
  throw new Error(`must be networks in CIDR notation such as 10.0.0.0/8; '${wrong}' is not one`)
}

/** Checks ports and ranges of them such as `514`, `5514-5523`. */
export function readPorts(texts: readonly string[]): string[] {
  const ports = splitList(texts)
  const wrong = ports.find((text) => parsePorts(text) === undefined)
  if (wrong === undefined) return ports
  throw new Error(`must be ports such as 514 or ranges such as 5514-5523, not '${wrong}'`)
}

/** Whether a port is in one of the ranges of a setting. */
export function isPortIn(ports: readonly string[], port: number): boolean {
  return ports.some((text) => {
    const range = parsePorts(text)
    return range !== undefined && range.min <= port && port <= range.max
  })
}

function parsePorts(text: string): Range | undefined {
  const [, first = '', last = first] = /^(\d{1,5})(?:-(\d{1,5}))?$/.exec(text) ?? []
  const [min, max] = [Number(first), Number(last)]
  return min >= 1 && min <= max && max <= 65_535 ? { min, max } : undefined
}
