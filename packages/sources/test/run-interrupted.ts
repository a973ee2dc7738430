import type { DefinitionStore } from '../src/scanner/definitions.ts'
import { createMemoryDefinitions } from '../src/scanner/definitions.ts'
import { parseScannerState, runScanner } from '../src/scanner/run-scanner.ts'
import type { ScannerState } from '../src/scanner/run-scanner.ts'
import type { ScanRecord } from '../src/scanner/scan-record.ts'
import { collectedKinds } from '../src/scanner/scanner-settings.ts'
import type { ScannerDialect } from '../src/scanner/scanner-settings.ts'
import type { MockScanner } from './mock-scanner.ts'
import type { Random, ScannerWorld } from './scanner-world.ts'

export type Held = { hostname: string; riskScore: number; readonly open: Map<string, number> }

/** An inventory as a store of assets keeps it: what a run told, joined. */
export class Inventory {
  readonly assets = new Map<string, Held>()
  readonly records: ScanRecord[] = []
  #runAt = 0

  apply(record: ScanRecord): void {
    this.records.push(record)
    if (record.kind === 'asset') {
      const { id, hostname, riskScore } = record.asset
      const held = this.assets.get(id)
      if (held === undefined) this.assets.set(id, { hostname, riskScore, open: new Map() })
      else Object.assign(held, { hostname, riskScore })
    }
    if (record.kind === 'findings') {
      const held = this.assets.get(record.assetId)
      if (held === undefined) return
      if (record.isComplete) held.open.clear()
      for (const { vulnerability: { id }, isOpen } of record.findings) {
        if (isOpen) held.open.set(id, this.#runAt)
        else held.open.delete(id)
      }
    }
    if (record.kind === 'run' && record.isFull) this.#sweep()
  }

  /** What a full run did not name is gone. */
  #sweep(): void {
    for (const { open } of this.assets.values()) for (const [id, at] of open) if (at < this.#runAt) open.delete(id)
  }

  beginRun(): void {
    this.#runAt++
  }

  /** The assets of which it holds what is not true. */
  findDifferences(world: ScannerWorld): readonly string[] {
    const truth = world.describe()
    const held = new Map([...this.assets].map(([id, { hostname, riskScore, open }]) => [id, JSON.stringify([hostname, riskScore, [...open.keys()].sort()])]))
    return [...new Set([...truth.keys(), ...held.keys()])].filter((id) => truth.get(id) !== held.get(id)).map((id) => `${id}: ${held.get(id)} is ${truth.get(id)}`)
  }
}

export const addresses: { readonly [dialect in ScannerDialect]: string } = {
  v3: 'https://console.example:3780', v4: 'https://eu.api.insight.rapid7.com', bulk: 'https://eu.api.insight.rapid7.com',
}

export type TrialOptions = {
  readonly dialect: ScannerDialect
  readonly mock: MockScanner
  readonly world: ScannerWorld
  readonly random: Random
  readonly inventory: Inventory
  /** The share of batches after which the program dies, before or after it stores where it stands. */
  readonly interruptions: number
  readonly definitions?: DefinitionStore
  readonly state?: ScannerState
}

/** Runs a scanner to its end, dying at random and going on from what was stored; returns the state and how often it died. */
export async function runInterrupted(options: TrialOptions): Promise<{ readonly state: ScannerState; readonly deathCount: number; readonly sleptMs: number }> {
  const { dialect, mock, world, random, inventory, interruptions, definitions = createMemoryDefinitions() } = options
  const settings = { apiUrl: addresses[dialect], apiKey: dialect === 'v3' ? 'user:secret' : 'key', dialect, collect: collectedKinds }
  let stored = JSON.stringify(options.state ?? {})
  let deathCount = 0
  let sleptMs = 0
  inventory.beginRun()
  for (;;) {
    const outside = { request: mock.request, sleep: async (ms: number) => void (sleptMs += ms), now: () => world.nowMs, definitions }
    let hasDied = false
    for await (const { records, state } of runScanner(settings, parseScannerState(JSON.parse(stored)), outside)) {
      for (const record of records) inventory.apply(record)
      hasDied = random() < interruptions
      if (!hasDied || random() < 0.5) stored = JSON.stringify(state)
      if (hasDied) break
      if (records.some(({ kind }) => kind === 'run')) return { state, deathCount, sleptMs }
    }
    if (hasDied) deathCount++
    const state = parseScannerState(JSON.parse(stored))
    // It died after its last batch was stored.
    if (state.run === undefined && state.lastStartedAt !== undefined && state.lastStartedAt !== options.state?.lastStartedAt) return { state, deathCount, sleptMs }
  }
}
