import type { TokenPrincipal } from '../auth/token-principal.ts'
import { getErrorMessage } from '../domain/error-message.ts'
import type { Log } from '../log.ts'
import { closeCodes } from './close-codes.ts'
import type { Connection } from './connection.ts'

export type SessionCheckOptions = {
  readonly stands: (identity: TokenPrincipal) => Promise<boolean>
  readonly pause: () => Promise<void>
  readonly log: Pick<Log, 'error'>
}

/** Questions after which others get their turn: each reads the store. */
const checksPerSlice = 50

/**
 * Ends the connections whose token was good and is no more. Those of one session are one question. Where it cannot be
 * answered they end as well: a client that may, comes back.
 */
export async function checkSessions(connections: readonly Connection[], options: SessionCheckOptions): Promise<void> {
  const bySession = Map.groupBy(connections, ({ identity }) => getSessionKey(identity))
  let askedCount = 0
  for (const [first, ...others] of bySession.values()) {
    if (first === undefined) continue
    if (++askedCount % checksPerSlice === 0) await options.pause()
    const closing = await findCloseCode(first.identity, options)
    if (closing !== undefined) for (const connection of [first, ...others]) connection.end(closing)
  }
}

async function findCloseCode(
  identity: TokenPrincipal,
  { stands, log }: SessionCheckOptions,
): Promise<(typeof closeCodes)['unauthorized' | 'failed'] | undefined> {
  try {
    return await stands(identity) ? undefined : closeCodes.unauthorized
  } catch (error) {
    log.error('it could not be asked whether a token still stands', { error: getErrorMessage(error) })
    return closeCodes.failed
  }
}

/** As JSON no two read the same. Of one session there may be tokens with older rights. */
function getSessionKey({ tenant, subject, session }: TokenPrincipal): string {
  return JSON.stringify([tenant, subject, session?.id, session?.permissionsVersion])
}
