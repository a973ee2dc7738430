import { decodeUtf8 } from '@tripline/common/decode-utf8'
import { toLosslessJson } from '@tripline/common/lossless-json'
import { parseEvent } from '@tripline/engine'
import { applyMapping } from '@tripline/formats/mapping/apply-mapping'
import type { EventMapping } from '@tripline/formats/mapping/event-mapping'
import { MappingError, parseMapping } from '@tripline/formats/mapping/parse-mapping'
import type { TenantId } from '@tripline/model/tenant'
import { resolveSettings } from '@tripline/model/tenant-settings'
import type { EventMappingText } from '@tripline/model/tenant-settings'
import type { StateStore } from '@tripline/state/ports/state-store'
import { limits } from '../limits.ts'
import type { RawMessage } from './event-message.ts'

type OnProblem = (message: string, fields: { readonly tenant: TenantId; readonly [name: string]: string }) => void

/** The mappings of events that tenants have set: parsed once for each version of their settings. */
export class TenantMappings {
  readonly #tenants: Pick<StateStore['tenants'], 'get'>
  readonly #onProblem: OnProblem
  readonly #loaded = new Map<TenantId, { readonly version: number; readonly mappings: MappingsBySource; hasGrown: boolean }>()

  constructor(tenants: Pick<StateStore['tenants'], 'get'>, onProblem: OnProblem) {
    this.#tenants = tenants
    this.#onProblem = onProblem
  }

  /** Reads the settings of a tenant if they have changed. */
  async load(tenant: TenantId): Promise<void> {
    const stored = await this.#tenants.get(tenant)
    if (stored === undefined || this.#loaded.get(tenant)?.version === stored.version) return
    const mappings = this.#parse(tenant, resolveSettings(stored).eventMappings)
    this.#loaded.set(tenant, { version: stored.version, mappings, hasGrown: false })
  }

  /** The event as the mapping of its source makes it; undefined where it stays as it came. */
  map(tenant: TenantId, { head, bytes }: RawMessage): Uint8Array | undefined {
    const loaded = this.#loaded.get(tenant)
    const mapping = loaded?.mappings.get(head.connectorId ?? null) ?? loaded?.mappings.get(null)
    if (loaded === undefined || mapping === undefined) return undefined
    const text = decodeUtf8(bytes).trim()
    const parsed = parseEvent(text)
    // What is no event is quarantined by the stage.
    if ('reason' in parsed) return undefined
    const exact = toLosslessJson(parsed.event, text)
    const { event } = applyMapping(mapping, exact, head.receivedAt)
    if (event === exact) return undefined
    const mapped = Buffer.from(JSON.stringify(event), 'utf8')
    if (mapped.length <= limits.ingest.mappedEventBytesMax) return mapped
    // Once for each version of the settings: events of a tenant must not fill the log.
    if (!loaded.hasGrown) this.#onProblem('events stay as they came, because their mapping would make them too large', { tenant })
    loaded.hasGrown = true
    return undefined
  }

  /** Entries for a source stand before those for all events. */
  #parse(tenant: TenantId, texts: readonly EventMappingText[]): MappingsBySource {
    const bySource = new Map(texts.flatMap(({ sourceId, text }) => {
      try {
        return [[sourceId, parseMapping(text)] as const]
      } catch (error) {
        if (!(error instanceof MappingError)) throw error
        const fields = { tenant, source: sourceId ?? 'all', error: error.message }
        this.#onProblem('a stored mapping of events cannot be read and is left out', fields)
        return []
      }
    }))
    const forAll = bySource.get(null) ?? []
    return new Map([...bySource].map(([source, mapping]) => [source, source === null ? mapping : [...mapping, ...forAll]]))
  }
}

/** By connector or collector; null for all events. */
type MappingsBySource = ReadonlyMap<string | null, EventMapping>
