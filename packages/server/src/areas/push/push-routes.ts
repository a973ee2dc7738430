import { upgradeWebSocket } from '@hono/node-server'
import { getErrorMessage } from '@tripline/common/error-message'
import type { Log } from '@tripline/common/log'
import { AppError } from '@tripline/contract/app-error'
import { connectQuerySchema, ticketSchema } from '@tripline/contract/push/push'
import type { TicketBody } from '@tripline/contract/push/push'
import { closeCodes } from '../../delivery/push/close-codes.ts'
import type { Connection } from '../../delivery/push/connection.ts'
import type { PushHub } from '../../delivery/push/hub.ts'
import { wrapSocket } from '../../delivery/push/socket.ts'
import { authenticateWebSocket, issueTicket } from '../../delivery/websocket-auth.ts'
import type { WebSocketAuth } from '../../delivery/websocket-auth.ts'
import { isAllowedOrigin } from '../../http/allowed-origin.ts'
import { readRequestInfo } from '../../http/middleware/authorize.ts'
import { respond } from '../../http/respond.ts'
import type { RequestContext, Route } from '../../http/route.ts'
import { limits } from '../../limits.ts'

/** Dependencies of the live push routes. */
type PushRouteOptions = {
  readonly hub: PushHub
  readonly access: WebSocketAuth
  /** Origins of pages that may connect besides those that this server serves, such as `https://console.example`. */
  readonly allowedOrigins: readonly string[]
  readonly log: Pick<Log, 'error'>
}

/** `/v1/ws/monitoring` and the tickets for it. */
export function pushRoutes(options: PushRouteOptions): Route[] {
  return [
    {
      // An invalid token is reported by the close code of the connection.
      method: 'GET', path: '/v1/ws/monitoring', access: 'anyone', summary: 'Opens a WebSocket for live updates',
      query: connectQuerySchema, errors: ['FORBIDDEN', 'RATE_LIMITED'], responses: { 101: null }, handle: (c) => connect(c, options),
    },
    {
      method: 'POST', path: '/v1/ws/ticket', access: 'read', summary: 'Issues a single-use ticket for the WebSocket',
      responses: { 201: ticketSchema },
      handle: async (c) => {
        const ticket = await issueTicket(options.access, { authorization: c.req.header('authorization') })
        const body: TicketBody = { ticket, expires_in: limits.push.ticketMs / 1_000 }
        return respond(c, body, 201)
      },
    },
  ]
}

const originLengthMax = 256

/**
 * Opens the WebSocket. An invalid token is accepted and then closed with a close code, because browsers cannot read the
 * status of a failed upgrade. A foreign origin is refused before it can use up a ticket.
 *
 * @throws AppError FORBIDDEN for a foreign origin; INVALID_PARAMETER for a request without upgrade; RATE_LIMITED.
 */
async function connect(c: RequestContext, options: PushRouteOptions): Promise<Response> {
  const origin = c.req.header('origin')
  if (origin !== undefined && !isAllowedOrigin(origin, c.req.header('host'), options.allowedOrigins)) {
    const message = 'pages of this origin may not connect; the operator can add it to --allowed-origins'
    throw new AppError('FORBIDDEN', message, { origin: origin.slice(0, originLengthMax) })
  }
  if (c.req.header('upgrade')?.toLowerCase() !== 'websocket') {
    const message = 'this path requires a WebSocket upgrade; the Upgrade header is missing'
    throw new AppError('INVALID_PARAMETER', message, { parameter: 'Upgrade' })
  }
  const identity = await authenticateWebSocket(options.access, readToken(c))
  const { hub } = options
  const circumstances = readRequestInfo(c)
  let connection: Connection | undefined
  return await upgradeWebSocket(c, {
    onOpen: (_event, { raw }) => {
      const wire = wrapSocket(raw, { onPong: () => connection?.handlePong(), onPing: () => connection?.handlePing() })
      if (identity === undefined) wire.close(closeCodes.unauthorized)
      else connection = hub.open(identity, wire, circumstances)
    },
    onMessage: ({ data }) => {
      if (connection !== undefined) hub.receive(connection, typeof data === 'string' ? data : undefined)
    },
    onClose: () => connection?.handleEnd(),
  }, { onError: (error) => options.log.error('a WebSocket connection failed', { error: getErrorMessage(error) }) })
}

/** The token or ticket from the query, or the token offered as a subprotocol after `bearer`. */
function readToken(c: RequestContext): string | undefined {
  const [scheme, token] = (c.req.header('sec-websocket-protocol') ?? '').split(',').map((part) => part.trim())
  return c.req.query('token') ?? (scheme === 'bearer' ? token : undefined)
}
