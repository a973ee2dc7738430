import { authenticate as authenticateBy, stands as standsBy } from '../auth/authenticate.ts'
import type { Identity } from '../auth/token-principal.ts'
import { AppError } from '../domain/app-error.ts'
import { isTicketText } from '../push/ticket.ts'
import type { Tickets } from '../push/ticket.ts'
import { bearerOf, countRequest } from './authenticate-request.ts'
import type { Asking, WhoAsksApp } from './authenticate-request.ts'

/** What it takes to know who wants to connect. */
export type PushAccess = {
  readonly tickets: Tickets
  /** @throws AppError UNAUTHORIZED for a token that is not good. */
  readonly authenticate: (token: string) => Promise<Identity>
  readonly stands: (identity: Identity) => Promise<boolean>
  /** Counts that somebody connects as a request of theirs. @throws AppError RATE_LIMITED. */
  readonly count: (identity: Identity) => void
}

/** How the server answers these questions. */
export function pushAccessOf(app: Pick<WhoAsksApp, 'authentication' | 'limiter' | 'clock'>): Omit<PushAccess, 'tickets'> {
  const { authentication } = app
  return {
    count: ({ tenant, subject }) => void countRequest(app, { tenant, user: subject }),
    authenticate: (token) => authenticateBy(authentication, token),
    stands: (identity) => standsBy(authentication, identity),
  }
}

/**
 * Tells who connects with a token or a ticket; undefined where it is nobody's or stands no more.
 *
 * @throws AppError RATE_LIMITED.
 */
export async function identityOf(access: PushAccess, token: string | undefined): Promise<Identity | undefined> {
  const identity = token === undefined ? undefined : await holderOf(access, token)
  if (identity !== undefined) access.count(identity)
  return identity
}

/** Gives whoever asks a ticket, which stands for the token that the request carries. @throws AppError UNAUTHORIZED. */
export async function issueTicket(
  { tickets, authenticate }: Pick<PushAccess, 'tickets' | 'authenticate'>,
  asking: Pick<Asking, 'authorization'>,
): Promise<string> {
  return tickets.issue(await authenticate(bearerOf(asking)))
}

async function holderOf(access: PushAccess, token: string): Promise<Identity | undefined> {
  if (isTicketText(token)) {
    const identity = access.tickets.take(token)
    return identity !== undefined && await access.stands(identity) ? identity : undefined
  }
  try {
    return await access.authenticate(token)
  } catch (error) {
    if (error instanceof AppError && error.code === 'UNAUTHORIZED') return undefined
    throw error
  }
}
