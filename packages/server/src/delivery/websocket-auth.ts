import { AppError } from '@tripline/contract/app-error'
import { readBearerToken, countRequest } from '../access/authenticate-request.ts'
import type { RequestCredentials, AuthenticationDeps } from '../access/authenticate-request.ts'
import { authenticate as authenticateBy, isStillValid as standsBy } from '../access/authenticate.ts'
import type { TokenPrincipal } from '../access/tokens/token-principal.ts'
import { isTicketText } from './push/ticket.ts'
import type { Tickets } from './push/ticket.ts'

/** Authentication of WebSocket connections. */
export type WebSocketAuth = {
  readonly tickets: Tickets
  /** @throws AppError UNAUTHORIZED for an invalid token. */
  readonly authenticate: (token: string) => Promise<TokenPrincipal>
  readonly isStillValid: (identity: TokenPrincipal) => Promise<boolean>
  /** Counts a connection as a request of its user. @throws AppError RATE_LIMITED. */
  readonly count: (identity: TokenPrincipal) => void
}

/** Creates the authentication of WebSocket connections. */
export function createWebSocketAuth(
  deps: Pick<AuthenticationDeps, 'authentication' | 'limiter' | 'clock'>,
): Omit<WebSocketAuth, 'tickets'> {
  const { authentication } = deps
  return {
    count: ({ tenant, subject }) => void countRequest(deps, { tenant, user: subject }),
    authenticate: (token) => authenticateBy(authentication, token),
    isStillValid: (identity) => standsBy(authentication, identity),
  }
}

/**
 * Authenticates a connection by token or ticket; undefined if it is invalid or no longer valid.
 *
 * @throws AppError RATE_LIMITED.
 */
export async function authenticateWebSocket(access: WebSocketAuth, token: string | undefined): Promise<TokenPrincipal | undefined> {
  const identity = token === undefined ? undefined : await findTokenPrincipal(access, token)
  if (identity !== undefined) access.count(identity)
  return identity
}

/** Issues a ticket that stands for the request's token. @throws AppError UNAUTHORIZED. */
export async function issueTicket(
  { tickets, authenticate }: Pick<WebSocketAuth, 'tickets' | 'authenticate'>,
  asking: Pick<RequestCredentials, 'authorization'>,
): Promise<string> {
  return tickets.issue(await authenticate(readBearerToken(asking)))
}

async function findTokenPrincipal(access: WebSocketAuth, token: string): Promise<TokenPrincipal | undefined> {
  if (isTicketText(token)) {
    const identity = access.tickets.redeem(token)
    return identity !== undefined && await access.isStillValid(identity) ? identity : undefined
  }
  try {
    return await access.authenticate(token)
  } catch (error) {
    if (error instanceof AppError && error.code === 'UNAUTHORIZED') return undefined
    throw error
  }
}
