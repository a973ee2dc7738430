import type { DefinitionStore } from '../definitions.ts'
import type { ScannerFields } from '../read-fields.ts'
import type { ScanRecord, ScannedAsset, ScannedFinding } from '../scan-record.ts'
import type { ScannerClient } from '../scanner-client.ts'
import type { ScannerDialect } from '../scanner-settings.ts'

/** One run of a dialect: everything, or what changed since a moment of the scanner's clock. */
export type DialectRun = {
  readonly baseUrl: string
  readonly client: ScannerClient
  readonly definitions: DefinitionStore
  /** Milliseconds since the epoch by our clock: no scan was later. */
  readonly now: number
  readonly since: number | undefined
  /** When the last run that ended began. */
  readonly lastStartedAt: number | undefined
  /** Whether findings are wanted at all. */
  readonly hasFindings: boolean
}

/** A part of a run, and where the run goes on after it. */
export type ScanStep = { readonly records: readonly ScanRecord[]; readonly position: ScannerFields }

/** Reads a run from a position, `{}` for its beginning; returns the dialect that reads it instead, if another must. */
export type DialectReader = (run: DialectRun, position: ScannerFields) => AsyncGenerator<ScanStep, ScannerDialect | undefined>

const typeWords: readonly (readonly [pattern: RegExp, type: ScannedAsset['type']])[] = [
  [/server|hypervisor/i, 'server'], [/workstation|laptop|desktop/i, 'workstation'], [/mobile|phone|tablet/i, 'mobile'],
  [/router|switch|firewall|network|load balancer|wap|printer/i, 'network_device'],
]

/** The type of an asset by the words that a scanner has for its system. */
export function readAssetType(words: string): ScannedAsset['type'] {
  return typeWords.find(([pattern]) => pattern.test(words))?.[1] ?? 'unknown'
}

/** Joins the instances of a vulnerability on an asset: it is open while one of them is. */
export function joinInstances(instances: readonly ScannedFinding[]): readonly ScannedFinding[] {
  const joined = new Map<string, ScannedFinding>()
  for (const instance of instances) {
    const { vulnerability: { id }, isOpen, firstFoundAt, lastFoundAt, ports } = instance
    const known = joined.get(id)
    if (known === undefined || (isOpen && !known.isOpen)) {
      joined.set(id, instance)
      continue
    }
    if (!isOpen && known.isOpen) continue
    joined.set(id, {
      ...known, firstFoundAt: least(known.firstFoundAt, firstFoundAt), lastFoundAt: greatest(known.lastFoundAt, lastFoundAt),
      ports: [...new Set([...known.ports, ...ports])].slice(0, 64),
      proof: known.proof === '' ? instance.proof : known.proof, solution: known.solution === '' ? instance.solution : known.solution,
    })
  }
  return [...joined.values()]
}

function least(a: number | undefined, b: number | undefined): number | undefined {
  return a === undefined || b === undefined ? (a ?? b) : Math.min(a, b)
}

function greatest(a: number | undefined, b: number | undefined): number | undefined {
  return a === undefined || b === undefined ? (a ?? b) : Math.max(a, b)
}

/** Runs a function on each value, several at once, with the results in the order of the values. */
export async function mapAtOnce<Value, Result>(
  values: readonly Value[], countMax: number, work: (value: Value) => Promise<Result>,
): Promise<readonly Result[]> {
  const results: Result[] = []
  let next = 0
  const take = async (): Promise<void> => {
    while (next < values.length) {
      const index = next++
      results[index] = await work(values[index]!)
    }
  }
  await Promise.all(Array.from({ length: Math.min(countMax, values.length) }, take))
  return results
}
