import type { Clock } from '@tripline/common/runtime'
import type { ResponseTargetsBody } from '@tripline/contract/console/access/tenant'
import type { SlaBody } from '@tripline/contract/console/alert'
import { assessSla } from '@tripline/model/incidents/response-targets'
import type { ResponseTargets, SlaTerms } from '@tripline/model/incidents/response-targets'
import type { TenantId } from '@tripline/model/tenant'
import { resolveSettings } from '@tripline/model/tenant-settings'
import type { TenantSettings } from '@tripline/model/tenant-settings'
import type { StateStore } from '@tripline/state/ports/state-store'
import { formatTimestamp } from '../../http/format-timestamp.ts'

/** Reads by what alerts and incidents of a tenant are due. */
export type ReadSlaTerms = (tenant: TenantId) => Promise<SlaTerms>

type SlaDeps = {
  readonly state: Pick<StateStore, 'tenants'>
  readonly settingDefaults: TenantSettings
  readonly clock: Pick<Clock, 'now'>
}

export function createSlaReader({ state, settingDefaults, clock }: SlaDeps): ReadSlaTerms {
  return async (tenant) => {
    const settings = resolveSettings(await state.tenants.get(tenant) ?? { settings: {} }, settingDefaults)
    return { targets: settings.responseTargets, now: clock.now() }
  }
}

/** Prints when an alert or an incident is due. */
export function printSla(entry: Parameters<typeof assessSla>[0], terms: SlaTerms): SlaBody | null {
  const sla = assessSla(entry, terms)
  return sla === undefined ? null : { due_at: formatTimestamp(sla.dueAt), state: sla.state }
}

export function printResponseTargets({ critical, high, medium, low }: ResponseTargets): ResponseTargetsBody {
  return { critical: critical ?? null, high: high ?? null, medium: medium ?? null, low: low ?? null }
}

export function toResponseTargets({ critical, high, medium, low }: ResponseTargetsBody): ResponseTargets {
  return { critical: critical ?? undefined, high: high ?? undefined, medium: medium ?? undefined, low: low ?? undefined }
}
