import type { Identity } from '../auth/token-principal.ts'
import { messageOf } from '../domain/error-message.ts'
import type { Log } from '../log.ts'
import { closings } from './close-codes.ts'
import type { Connection } from './connection.ts'

export type StandingOptions = {
  readonly stands: (identity: Identity) => Promise<boolean>
  readonly pause: () => Promise<void>
  readonly log: Pick<Log, 'error'>
}

/** Questions after which others get their turn: each reads the store. */
const questionsAtOnce = 50

/**
 * Ends the connections whose token was good and is no more. Those of one session are one question. Where it cannot be
 * answered they end as well: a client that may, comes back.
 */
export async function checkStanding(connections: readonly Connection[], options: StandingOptions): Promise<void> {
  const bySession = Map.groupBy(connections, ({ identity }) => sessionKey(identity))
  let askedCount = 0
  for (const [first, ...others] of bySession.values()) {
    if (first === undefined) continue
    if (++askedCount % questionsAtOnce === 0) await options.pause()
    const closing = await closingOf(first.identity, options)
    if (closing !== undefined) for (const connection of [first, ...others]) connection.end(closing)
  }
}

async function closingOf(
  identity: Identity,
  { stands, log }: StandingOptions,
): Promise<(typeof closings)['unauthorized' | 'failed'] | undefined> {
  try {
    return await stands(identity) ? undefined : closings.unauthorized
  } catch (error) {
    log.error('it could not be asked whether a token still stands', { error: messageOf(error) })
    return closings.failed
  }
}

/** As JSON no two read the same. Of one session there may be tokens with older rights. */
function sessionKey({ tenant, subject, session }: Identity): string {
  return JSON.stringify([tenant, subject, session?.id, session?.permissionsVersion])
}
