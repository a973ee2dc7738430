import { limits } from '../limits.ts'
import type { ScanRecord, VulnerabilityDefinition } from './scan-record.ts'

/** What is known of vulnerabilities; a run asks for what it misses, and looks again for exploits that are new. */
export type DefinitionStore = {
  readonly get: (ids: readonly string[]) => Promise<ReadonlyMap<string, VulnerabilityDefinition>>
  readonly put: (definitions: readonly VulnerabilityDefinition[]) => Promise<void>
  /** Vulnerabilities without a known exploit, those looked at longest ago first. */
  readonly listWithoutExploit: (countMax: number) => Promise<readonly string[]>
}

/** Asks a scanner for definitions; one that it does not know is absent. */
type DefinitionReader = (ids: readonly string[]) => Promise<readonly VulnerabilityDefinition[]>

/** Definitions in memory, the least recently asked for going first. */
export function createMemoryDefinitions(): DefinitionStore {
  const known = new Map<string, VulnerabilityDefinition>()
  return {
    async get(ids) {
      return new Map(ids.flatMap((id) => (known.has(id) ? [[id, known.get(id)!] as const] : [])))
    },
    async put(definitions) {
      for (const definition of definitions) {
        known.delete(definition.id)
        known.set(definition.id, definition)
      }
      for (const id of known.keys()) {
        if (known.size <= limits.scanner.definitionsKeptMax) break
        known.delete(id)
      }
    },
    async listWithoutExploit(countMax) {
      return [...known.values()].filter(({ exploitCount }) => exploitCount === 0).slice(0, countMax).map(({ id }) => id)
    },
  }
}

/** Finds definitions, known ones first; tells of those that come with an exploit. */
export async function loadDefinitions(
  store: DefinitionStore, read: DefinitionReader, ids: readonly string[],
): Promise<{ readonly found: ReadonlyMap<string, VulnerabilityDefinition>; readonly records: readonly ScanRecord[] }> {
  const wanted = [...new Set(ids)]
  const found = new Map(await store.get(wanted))
  const missing = wanted.filter((id) => !found.has(id))
  const records: ScanRecord[] = []
  for (let start = 0; start < missing.length; start += limits.scanner.definitionsAtOnceMax) {
    const answered = await read(missing.slice(start, start + limits.scanner.definitionsAtOnceMax))
    for (const definition of answered) {
      found.set(definition.id, definition)
      if (definition.exploitCount > 0) records.push({ kind: 'exploit', vulnerability: definition, isNew: false })
    }
    await store.put(answered)
  }
  return { found, records }
}

/** Looks again at vulnerabilities without a known exploit, in batches; what is new is stored once it was taken. */
export async function* findNewExploits(store: DefinitionStore, read: DefinitionReader): AsyncGenerator<readonly ScanRecord[]> {
  const ids = await store.listWithoutExploit(limits.scanner.refreshedMax)
  for (let start = 0; start < ids.length; start += limits.scanner.definitionsAtOnceMax) {
    const definitions = await read(ids.slice(start, start + limits.scanner.definitionsAtOnceMax))
    const exploitable = definitions.filter(({ exploitCount }) => exploitCount > 0)
    if (exploitable.length > 0) yield exploitable.map((vulnerability) => ({ kind: 'exploit', vulnerability, isNew: true }))
    await store.put(definitions)
  }
}

/** A definition of a vulnerability of which the scanner tells no more than its id. */
export function nameOnly(id: string): VulnerabilityDefinition {
  return { id, title: id, severity: 'low', cves: [], cvss: undefined, exploitCount: 0 }
}
