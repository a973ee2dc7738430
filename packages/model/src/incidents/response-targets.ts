import type { Level } from '@tripline/engine'

/** Minutes within which alerts and incidents of a severity are to be closed; undefined where there is no target. */
export type ResponseTargets = { readonly [level in TargetLevel]: number | undefined }
type TargetLevel = Exclude<Level, 'informational'>

export const noTargets: ResponseTargets = { critical: undefined, high: undefined, medium: undefined, low: undefined }

/** What is compared with a target: by which targets, and at which instant. */
export type SlaTerms = { readonly targets: ResponseTargets; readonly now: number }

/** When something is due, and whether that was kept: `on_track` and `overdue` while it is open, then `met` or `missed`. */
export type Sla = { readonly dueAt: number; readonly state: 'on_track' | 'overdue' | 'met' | 'missed' }

const minuteMs = 60_000

/** Compares an alert or an incident with the target of its severity; undefined where it has none. */
export function assessSla(
  { level, createdAt, closedAt }: { readonly level: Level; readonly createdAt: number; readonly closedAt: number | undefined },
  { targets, now }: SlaTerms,
): Sla | undefined {
  const minutes = level === 'informational' ? undefined : targets[level]
  if (minutes === undefined) return undefined
  const dueAt = createdAt + minutes * minuteMs
  if (closedAt === undefined) return { dueAt, state: now < dueAt ? 'on_track' : 'overdue' }
  return { dueAt, state: closedAt < dueAt ? 'met' : 'missed' }
}
