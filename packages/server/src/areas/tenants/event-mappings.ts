import { AppError } from '@tripline/contract/app-error'
import { findEventTime, normalizeEvent } from '@tripline/engine/evaluate'
import type { NormalizedEvent } from '@tripline/engine/evaluate'
import { applyMapping } from '@tripline/formats/mapping/apply-mapping'
import type { EventMapping } from '@tripline/formats/mapping/event-mapping'
import { MappingError, parseMapping } from '@tripline/formats/mapping/parse-mapping'
import type { TenantId } from '@tripline/model/tenant'
import { resolveSettings } from '@tripline/model/tenant-settings'
import type { EventMappingText } from '@tripline/model/tenant-settings'
import type { StateStore } from '@tripline/state/ports/state-store'
import type { AdminDeps } from '../shared/admin-deps.ts'

/** What is tested: a mapping, or else those stored for a connector or collector and for all events. */
type EventMappingTest = {
  readonly text: string | undefined
  readonly sourceId: string | null
  readonly events: readonly { readonly [field: string]: unknown }[]
}

/** An event under a mapping. */
export type TestedEvent = {
  readonly event: { readonly [field: string]: unknown }
  /** The entry that took the event; undefined if none did. */
  readonly entry: { readonly index: number; readonly line: number; readonly sourceId: string | null } | undefined
  readonly normalized: NormalizedEvent
  /** The time that the event states, in milliseconds since the epoch. */
  readonly occurredAt: number | undefined
}

/** Applies mappings to events and changes nothing. @throws AppError INVALID_PARAMETER for a text that is no mapping. */
export async function testEventMapping(
  { state, clock }: Pick<AdminDeps, 'state' | 'clock'>, tenant: TenantId, { text, sourceId, events }: EventMappingTest,
): Promise<TestedEvent[]> {
  const stored = resolveSettings(await state.tenants.get(tenant) ?? { settings: {} }).eventMappings
  const read = (source: string | null): EventMapping => {
    const found = stored.find((one) => one.sourceId === source)
    return found === undefined ? [] : parseText(found.text, 'event_mappings')
  }
  const own = text !== undefined ? parseText(text, 'mapping') : sourceId === null ? [] : read(sourceId)
  // The entries for all events come after those of the source, as they do for events that arrive.
  const shared = text !== undefined && sourceId === null ? [] : read(null)
  const mapping = [...own, ...shared]
  const receivedAt = clock.now()
  return events.map((event) => {
    const mapped = applyMapping(mapping, event, receivedAt)
    const normalized = normalizeEvent(mapped.event, 'auto')
    return { event: mapped.event, entry: describeEntry(mapped.entry), normalized, occurredAt: findEventTime(normalized) }
  })

  function describeEntry(index: number | undefined): TestedEvent['entry'] {
    if (index === undefined) return undefined
    const { line } = mapping[index]!
    return index < own.length ? { index, line, sourceId } : { index: index - own.length, line, sourceId: null }
  }
}

/**
 * Checks mappings before they are stored.
 *
 * @throws AppError INVALID_PARAMETER for a text that is no mapping, a source that does not exist and one that is named twice.
 */
export async function checkEventMappings(
  { connectors, collectors }: Pick<StateStore, 'connectors' | 'collectors'>, tenant: TenantId, mappings: readonly EventMappingText[],
): Promise<void> {
  for (const [i, { sourceId, text }] of mappings.entries()) {
    const parameter = `event_mappings[${i}]`
    parseText(text, `${parameter}.mapping`)
    if (mappings.findIndex((one) => one.sourceId === sourceId) !== i) {
      throw new AppError('INVALID_PARAMETER', `'${parameter}.source_id' has a mapping already; join both in one`, { parameter })
    }
    if (sourceId === null || await connectors.get(tenant, sourceId) || await collectors.get(tenant, sourceId)) continue
    throw new AppError('INVALID_PARAMETER', `'${parameter}.source_id' is neither a connector nor a collector of yours`, { parameter })
  }
}

function parseText(text: string, parameter: string): EventMapping {
  try {
    return parseMapping(text)
  } catch (error) {
    if (!(error instanceof MappingError)) throw error
    throw new AppError('INVALID_PARAMETER', `'${parameter}': ${error.message}`, { parameter })
  }
}
