import { getErrorMessage } from '@tripline/common/error-message'
import type { Log } from '@tripline/common/log'
import type { TokenPrincipal } from '../../access/tokens/token-principal.ts'
import { closeCodes } from './close-codes.ts'
import type { Connection } from './connection.ts'

type SessionCheckOptions = {
  readonly isSessionValid: (identity: TokenPrincipal) => Promise<boolean>
  readonly pause: () => Promise<void>
  readonly log: Pick<Log, 'error'>
}

/** Checks between two yields: each reads the store. */
const checksPerSlice = 50

/**
 * Ends the connections whose token is no longer valid, with one check for each session. If a check fails the
 * connections end as well: an entitled client reconnects.
 */
export async function checkSessions(connections: readonly Connection[], options: SessionCheckOptions): Promise<void> {
  const bySession = Map.groupBy(connections, ({ principal }) => getSessionKey(principal))
  let askedCount = 0
  for (const [first, ...others] of bySession.values()) {
    if (first === undefined) continue
    if (++askedCount % checksPerSlice === 0) await options.pause()
    const closing = await findCloseCode(first.principal, options)
    if (closing !== undefined) for (const connection of [first, ...others]) connection.end(closing)
  }
}

async function findCloseCode(
  identity: TokenPrincipal,
  { isSessionValid, log }: SessionCheckOptions,
): Promise<(typeof closeCodes)['unauthorized' | 'failed'] | undefined> {
  try {
    return await isSessionValid(identity) ? undefined : closeCodes.unauthorized
  } catch (error) {
    log.error('a session could not be checked', { error: getErrorMessage(error) })
    return closeCodes.failed
  }
}

/**
 * As JSON, distinct keys print differently. One session may have tokens with older permissions, and a user of an external
 * issuer tokens from before a logout.
 */
function getSessionKey({ tenant, subject, session, issuedAt }: TokenPrincipal): string {
  return JSON.stringify([tenant, subject, session?.id, session?.permissionsVersion, issuedAt])
}
