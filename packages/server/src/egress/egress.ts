import { request as requestInsecurely } from 'node:http'
import type { IncomingMessage } from 'node:http'
import { request as requestSecurely } from 'node:https'
import { connect, isIP } from 'node:net'
import type { LookupFunction, Socket } from 'node:net'
import { TLSSocket } from 'node:tls'
import { limits } from './limits.ts'
import { createAddressPolicy } from './address-policy.ts'
import type { AddressPolicy } from './address-policy.ts'
import { checkSocketTarget, checkTarget, parseTarget } from './check-target.ts'
import { describeFailure } from './describe-failure.ts'
import { EgressError } from './egress-error.ts'
import { acceptedEncodings, readResponse } from './read-response.ts'
import { createResolver } from './resolve.ts'
import type { ResolveHost } from './resolve.ts'

/** Where outbound requests may go (docs/reference/promises.md, docs/reference/public-api.md). */
export type EgressPolicy = {
  /** Special-purpose ranges that are allowed, such as `10.20.0.0/16`; at any port, over http too. */
  readonly allowCidrs: readonly string[]
  /** Whether http to the internet is allowed, which adds port 80. */
  readonly allowInsecure: boolean
  /** DNS servers, such as `9.9.9.9`; default: the system resolver. */
  readonly dnsServers: readonly string[]
}

export type EgressRequest = {
  readonly method: 'GET' | 'POST'
  readonly url: string
  readonly headers?: { readonly [name: string]: string }
  readonly body?: string
  /** Special-purpose ranges allowed for this request, in addition to those of the installation. */
  readonly extraCidrs?: readonly string[]
  /** Milliseconds for everything: resolving, connecting and reading to the end. */
  readonly timeoutMs: number
  readonly bytesMax: number
  /** Whether to return the first `bytesMax` bytes of a longer body; otherwise a longer body is an error. */
  readonly isCut?: boolean
  /** Whether the certificate must be trusted; default: true. */
  readonly verifiesCertificate?: boolean
  /** Aborts the request. */
  readonly signal?: AbortSignal
}

export type EgressResponse = {
  /** The status as received; redirects are returned, not followed. */
  readonly status: number
  readonly headers: { readonly [name: string]: string | undefined }
  readonly body: Buffer
  readonly isCut: boolean
  /** Such as `TLSv1.3`; undefined for http. */
  readonly tls: string | undefined
  /** Milliseconds to the response header. */
  readonly latencyMs: number
}

/** A host that a protocol other than HTTP connects to. */
type SocketTarget = {
  readonly host: string
  readonly port: number
  /** Whether the connection is refused without TLS. */
  readonly isSecure: boolean
  readonly extraCidrs?: readonly string[]
}

/** Sends an outbound request. @throws EgressError for every failure. */
export type Egress = ((request: EgressRequest) => Promise<EgressResponse>) & {
  /** Resolves a host to the addresses that may be connected to, by the same policy. @throws EgressError. */
  readonly resolveTarget?: (target: SocketTarget) => Promise<readonly string[]>
}

/** A connection that is no HTTP request. */
type DialRequest = SocketTarget & Pick<EgressRequest, 'timeoutMs' | 'signal'> & {
  /** Ports that are allowed towards the internet. */
  readonly ports: readonly number[]
}

/** Opens a TCP connection under the same policy; the caller closes it. @throws EgressError. */
export type Dial = (request: DialRequest) => Promise<Socket>

/** The ways out of an installation. */
export type OpenedEgress = Egress & { readonly dial: Dial }

/**
 * Creates the only way out for requests whose target a tenant chooses, as a defence against server-side request
 * forgery. A name is resolved once; if one of its addresses is refused, all are; and the connection goes to the checked
 * addresses, so DNS rebinding has no effect. Connections are not reused.
 *
 * @throws Error for an invalid address range.
 */
export function openEgress(
  policy: EgressPolicy,
  { elapsedMs, resolve = createResolver(policy.dnsServers) }: { readonly elapsedMs: () => number; readonly resolve?: ResolveHost },
): OpenedEgress {
  const verdictOfAll = createAddressPolicy(policy.allowCidrs)
  const chooseVerdict = ({ extraCidrs = [] }: Pick<EgressRequest, 'extraCidrs'>): AddressPolicy =>
    (extraCidrs.length === 0 ? verdictOfAll : createAddressPolicy([...policy.allowCidrs, ...extraCidrs]))
  const resolveTarget = async (target: SocketTarget): Promise<readonly string[]> => {
    const signal = AbortSignal.timeout(limits.egress.resolveMs)
    const checkOpen = (): void => checkSocketTarget(target, policy)
    return await resolveCheckedAddresses(target.host, checkOpen, { resolve, verdictOn: chooseVerdict(target), signal })
  }
  const request: Egress = async (request) => {
    const url = parseTarget(request.url)
    const timeout = AbortSignal.timeout(request.timeoutMs)
    const signal = AbortSignal.any([timeout, ...(request.signal === undefined ? [] : [request.signal])])
    const startedMs = elapsedMs()
    try {
      const checkOpen = (): void => checkTarget(url, policy)
      const addresses = await resolveCheckedAddresses(url.hostname, checkOpen, { resolve, verdictOn: chooseVerdict(request), signal })
      const message = await send(url, request, { addresses, signal })
      try {
        const latencyMs = Math.round(elapsedMs() - startedMs)
        const { isCut = false, bytesMax } = request
        const tls = message.socket instanceof TLSSocket ? (message.socket.getProtocol() ?? undefined) : undefined
        return { ...readHead(message), ...(await readResponse(message, { bytesMax, isCut })), tls, latencyMs }
      } finally {
        message.destroy()
      }
    } catch (error) {
      if (error instanceof EgressError) throw error
      if (timeout.aborted) throw new EgressError('timeout', `'${url.host}' did not respond completely within ${request.timeoutMs} ms`)
      throw describeFailure(url.host, error)
    }
  }
  const dial: Dial = async (target) => {
    const { host, port, ports, isSecure, timeoutMs } = target
    const timeout = AbortSignal.timeout(timeoutMs)
    const signal = AbortSignal.any([timeout, ...(target.signal === undefined ? [] : [target.signal])])
    const place = `${host}:${port}`
    const checkOpen = (): void => {
      if (!isSecure && !policy.allowInsecure) throw new EgressError('refused', `'${host}' would be reached without TLS; use TLS`)
      if (ports.includes(port)) return
      throw new EgressError('refused', `port ${port} of '${host}' is not allowed; use one of ${ports.join(', ')}`)
    }
    try {
      const addresses = await resolveCheckedAddresses(host, checkOpen, { resolve, verdictOn: chooseVerdict(target), signal })
      return await openSocket(port, { addresses, signal })
    } catch (error) {
      if (error instanceof EgressError) throw error
      if (timeout.aborted) throw new EgressError('timeout', `'${place}' did not accept a connection within ${timeoutMs} ms`)
      throw describeFailure(place, error)
    }
  }
  return Object.assign(request, { resolveTarget, dial })
}

/** Connects to one of the checked addresses: a literal address is not looked up again. */
function openSocket(port: number, { addresses, signal }: SendOptions): Promise<Socket> {
  return new Promise((resolve, reject) => {
    signal.throwIfAborted()
    // A name that is never looked up, for what looks it up answers with the checked addresses.
    const socket = connect({ host: 'checked.invalid', port, lookup: createLookup(addresses), autoSelectFamily: true })
    const stop = (): void => void socket.destroy(signal.reason as Error)
    signal.addEventListener('abort', stop, { once: true })
    socket.once('error', reject)
    socket.once('connect', () => {
      signal.removeEventListener('abort', stop)
      socket.off('error', reject)
      resolve(socket)
    })
  })
}

type ResolveOptions = { readonly resolve: ResolveHost; readonly verdictOn: AddressPolicy; readonly signal: AbortSignal }

/**
 * Resolves a host and checks all of its addresses; `checkOpen` refuses those of the internet. Errors do not reveal what a name
 * resolves to inside our network.
 */
async function resolveCheckedAddresses(
  hostname: string, checkOpen: () => void, { resolve, verdictOn, signal }: ResolveOptions,
): Promise<readonly string[]> {
  const literal = hostname.replace(/^\[(.*)\]$/, '$1')
  const isLiteral = isIP(literal) !== 0
  const found = isLiteral ? [literal] : await withAbort(resolve(hostname).catch(() => []), signal)
  const addresses = found.slice(0, limits.egress.addressesMax)
  if (addresses.length === 0) throw new EgressError('unresolved', `'${hostname}' has no address`)
  const verdicts = addresses.map(verdictOn)
  const refused = verdicts.find((verdict) => verdict.kind === 'refused')
  if (refused !== undefined) {
    const reason = isLiteral ? `its range is ${refused.purpose}` : 'it has an address in a range that is not allowed'
    throw new EgressError('refused', `'${hostname}' may not be requested: ${reason}`)
  }
  if (verdicts.some(({ kind }) => kind === 'open')) checkOpen()
  return addresses
}

function withAbort<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    signal.throwIfAborted()
    signal.addEventListener('abort', () => reject(signal.reason), { once: true })
    work.then(resolve, reject)
  })
}

type SendOptions = { readonly addresses: readonly string[]; readonly signal: AbortSignal }

function send(
  url: URL, { method, headers, body, verifiesCertificate = true }: EgressRequest, { addresses, signal }: SendOptions,
): Promise<IncomingMessage> {
  const request = url.protocol === 'https:' ? requestSecurely : requestInsecurely
  return new Promise((resolve, reject) => {
    const sending = request(url, {
      method,
      headers: { 'user-agent': 'tripline', accept: 'application/json', ...headers, 'accept-encoding': acceptedEncodings },
      signal,
      // A new connection to the checked addresses: no second lookup, no pooled socket.
      agent: false,
      rejectUnauthorized: verifiesCertificate,
      lookup: createLookup(addresses),
      maxHeaderSize: limits.egress.headBytesMax,
    })
    sending.once('response', resolve)
    sending.on('error', reject)
    sending.end(body)
  })
}

/** Answers every lookup with the checked addresses. Node looks up no literal address, and those were checked too. */
function createLookup(addresses: readonly string[]): LookupFunction {
  const found = addresses.map((address) => ({ address, family: isIP(address) }))
  return (_hostname, { all }, callback) => {
    const [first] = found
    if (all === true) callback(null, found)
    else callback(null, first?.address ?? '', first?.family)
  }
}

function readHead({ statusCode = 0, headers }: IncomingMessage): Pick<EgressResponse, 'status' | 'headers'> {
  const texts = Object.entries(headers).map(([name, value]) => [name, Array.isArray(value) ? value.join(', ') : value] as const)
  return { status: statusCode, headers: Object.fromEntries(texts) }
}
