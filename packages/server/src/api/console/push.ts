import { upgradeWebSocket } from '@hono/node-server'
import type { Identity } from '../../auth/identity.ts'
import type { TicketBody } from '../../contract/push.ts'
import { AppError } from '../../domain/app-error.ts'
import { limits } from '../../limits.ts'
import type { Log } from '../../log.ts'
import { closings } from '../../push/closings.ts'
import type { Connection } from '../../push/connection.ts'
import type { PushHub } from '../../push/hub.ts'
import { isTicketText } from '../../push/ticket.ts'
import type { Tickets } from '../../push/ticket.ts'
import { wireOf } from '../../push/wire.ts'
import type { Wire } from '../../push/wire.ts'
import type { RequestContext, Route } from '../route.ts'

/** What the routes of live push need. */
export type PushRouteOptions = {
  readonly hub: PushHub
  readonly tickets: Tickets
  /** Tells who holds a token. @throws AppError UNAUTHORIZED for one that is not good. */
  readonly authenticate: (token: string) => Promise<Identity>
  readonly stands: (identity: Identity) => Promise<boolean>
  /** Origins of pages that may connect: the console's and those of the allowlist, such as `https://console.example`. */
  readonly allowedOrigins: readonly string[]
  readonly log: Pick<Log, 'error'>
}

/** `/v1/ws/monitoring` and the tickets for it (D-30 to D-36). */
export function pushRoutes(options: PushRouteOptions): Route[] {
  return [
    { method: 'GET', path: '/v1/ws/monitoring', handle: (c) => connect(c, options) },
    { method: 'POST', path: '/v1/ws/ticket', handle: (c) => issueTicket(c, options) },
  ]
}

/**
 * Whoever may not connect is let in and told why by a close code, since pages cannot read the status of an upgrade;
 * but a page of a foreign origin is refused before it could use up a ticket.
 *
 * @throws AppError FORBIDDEN for a foreign origin; INVALID_PARAMETER for a request that is no upgrade.
 */
async function connect(c: RequestContext, options: PushRouteOptions): Promise<Response> {
  const origin = c.req.header('origin')
  if (origin !== undefined && !isAmong(origin, options.allowedOrigins)) {
    throw new AppError('FORBIDDEN', 'pages of this origin may not connect', { origin: origin.slice(0, originLengthMax) })
  }
  if (c.req.header('upgrade')?.toLowerCase() !== 'websocket') {
    throw new AppError('INVALID_PARAMETER', 'this path speaks WebSocket; the header Upgrade is missing', { parameter: 'Upgrade' })
  }
  const identity = await identify(tokenOf(c), options)
  const { hub } = options
  let connection: Connection | undefined
  return await upgradeWebSocket(c, {
    onOpen: (_event, { raw }) => {
      const wire = wireOf(raw, { onPong: () => connection?.answered(), onPing: () => connection?.pinged() })
      connection = open(hub, wire, identity)
    },
    onMessage: ({ data }) => {
      if (connection !== undefined) hub.receive(connection, typeof data === 'string' ? data : undefined)
    },
    onClose: () => connection?.ended(),
  }, { onError: (error) => options.log.error('a connection met an error', { error: String(error) }) })
}

function open(hub: PushHub, wire: Wire, identity: Identity | undefined): Connection | undefined {
  if (identity !== undefined) return hub.open(identity, wire)
  wire.close(closings.unauthorized)
  return undefined
}

/** The token of the address, which may be a ticket, or what is offered as a protocol after `bearer` (D-36). */
function tokenOf(c: RequestContext): string | undefined {
  const [scheme, token] = (c.req.header('sec-websocket-protocol') ?? '').split(',').map((part) => part.trim())
  return c.req.query('token') ?? (scheme === 'bearer' ? token : undefined)
}

/** Whose token it is; undefined where it is nobody's or stands no more. */
async function identify(token: string | undefined, { tickets, authenticate, stands }: PushRouteOptions): Promise<Identity | undefined> {
  if (token === undefined) return undefined
  if (isTicketText(token)) {
    const identity = tickets.take(token)
    return identity !== undefined && await stands(identity) ? identity : undefined
  }
  try {
    return await authenticate(token)
  } catch (error) {
    if (error instanceof AppError && error.code === 'UNAUTHORIZED') return undefined
    throw error
  }
}

/** Gives a ticket for the token that the request carries. */
async function issueTicket(c: RequestContext, { tickets, authenticate }: PushRouteOptions): Promise<Response> {
  const [, token = ''] = /^bearer ([^\s]+)$/i.exec(c.req.header('authorization') ?? '') ?? []
  const identity = await authenticate(token)
  const body: TicketBody = { ticket: tickets.issue(identity), expires_in: limits.push.ticketMs / 1_000 }
  return c.json(body, 201)
}

const originLengthMax = 256

/** Compared as a URL's origin, so that a default port or capitals make no difference. */
function isAmong(origin: string, allowed: readonly string[]): boolean {
  return URL.canParse(origin) && allowed.some((one) => new URL(one).origin === new URL(origin).origin && new URL(origin).origin !== 'null')
}
