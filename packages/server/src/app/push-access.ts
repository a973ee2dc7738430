import { authenticate, stands } from '../auth/authenticate.ts'
import type { Identity } from '../auth/identity.ts'
import { AppError } from '../domain/app-error.ts'
import { isTicketText } from '../push/ticket.ts'
import type { Tickets } from '../push/ticket.ts'
import { bearerOf } from './who-asks.ts'
import type { Asking, WhoAsksApp } from './who-asks.ts'

/** What it takes to know who wants to connect. */
export type PushAccess = {
  readonly tickets: Tickets
  /** @throws AppError UNAUTHORIZED for a token that is not good. */
  readonly authenticate: (token: string) => Promise<Identity>
  readonly stands: (identity: Identity) => Promise<boolean>
}

/** How the server answers these questions. */
export function pushAccessOf({ authentication }: Pick<WhoAsksApp, 'authentication'>): Omit<PushAccess, 'tickets'> {
  return {
    authenticate: (token) => authenticate(authentication, token),
    stands: (identity) => stands(authentication, identity),
  }
}

/** Tells whose a token or a ticket is; undefined where it is nobody's or stands no more. */
export async function identityOf(access: PushAccess, token: string | undefined): Promise<Identity | undefined> {
  if (token === undefined) return undefined
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

/** Gives whoever asks a ticket, which stands for the token that the request carries. @throws AppError UNAUTHORIZED. */
export async function issueTicket(access: Omit<PushAccess, 'stands'>, asking: Pick<Asking, 'authorization'>): Promise<string> {
  return access.tickets.issue(await access.authenticate(bearerOf(asking)))
}
