import type { Principal } from '@tripline/model/access/principal'
import type { ScheduledJob } from '@tripline/state/ports/job-store'
import { rotateStoredSigningKeys } from '../../access/tokens/stored-signing-keys.ts'
import type { SigningKeyRotation, SigningKeyWatch } from '../../access/tokens/stored-signing-keys.ts'
import { recordAudit } from '../../audit/record-audit.ts'
import type { AdminDeps } from '../shared/admin-deps.ts'

const dayMs = 86_400_000

type RotationDeps = Pick<AdminDeps, 'state' | 'clock' | 'randomBytes'> & { readonly dataDir: string }

/** Rotates the keys that sign tokens, and records it in the audit trail of the caller's tenant. */
export async function rotateSigningKey(
  { state, clock, randomBytes, dataDir }: RotationDeps, caller: Principal,
): Promise<SigningKeyRotation> {
  const rotation = await rotateStoredSigningKeys(dataDir, { now: clock.now, randomBytes })
  const target = { type: 'signing_key', id: rotation.keyId }
  await recordAudit(state, caller, { at: clock.now(), action: 'signing_key.rotate', target })
  return rotation
}

/** Looks each day whether the key that signs is older than so many days, and rotates it then; no job for 0 days. */
export function createKeyRotationJobs(
  deps: RotationDeps, { days, watch, caller }: { readonly days: number; readonly watch: SigningKeyWatch; readonly caller: Principal },
): readonly ScheduledJob[] {
  if (days === 0) return []
  return [{
    name: 'signing-key', everyMs: dayMs, afterStartMs: 0, failure: 'the signing key could not be rotated',
    run: async () => {
      if (deps.clock.now() - watch.createdAt < days * dayMs) return
      await rotateSigningKey(deps, caller)
      await watch.check()
    },
  }]
}
