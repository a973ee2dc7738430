import { openSecretBox } from '@tripline/model/access/secret-box'
import { newConnectorHealth } from '@tripline/model/connector'
import type { Connector, ConnectorType } from '@tripline/model/connector'
import { settingDefaults } from '@tripline/model/tenant-settings'
import { openMemoryState } from '@tripline/state/test/open-memory-state'
import type { StateStore } from '@tripline/state/ports/state-store'
import { tenantWith } from '@tripline/state/test/state-samples'
import { randomBytes } from 'node:crypto'
import { openEgress } from '../../src/egress/egress.ts'
import type { Egress } from '../../src/egress/egress.ts'
import { ConnectorCounters } from '../../src/ingestion/connectors/connector-counters.ts'
import type { ConnectorDeps } from '../../src/ingestion/connectors/connector-deps.ts'
import { createFeedDeps } from '../../src/ingestion/connectors/feeds/store-items.ts'
import { createScannerDeps } from '../../src/ingestion/connectors/scanner/scanner-deps.ts'
import { ConnectorRunner } from '../../src/ingestion/connectors/connector-runner.ts'
import { mergeSettings, sealSettings } from '../../src/ingestion/connectors/connector-settings.ts'
import { KeyedSemaphore } from '../../src/ingestion/connectors/keyed-semaphore.ts'
import { limits } from '../../src/limits.ts'
import { createLog } from '../../src/runtime/log.ts'
import { localPolicy } from './far-server.ts'
import { createManualTime } from './manual-time.ts'
import type { ManualTime } from './manual-time.ts'

/** Connectors with a manual clock and real requests, recording what they report and do. */
export type RunnerWorld = {
  readonly time: ManualTime
  readonly state: StateStore
  readonly runner: ConnectorRunner
  readonly counters: ConnectorCounters
  readonly taken: string[]
  /** The changes of status that were published, such as 'pending unhealthy: no answer'. */
  readonly readTransitions: () => Promise<readonly string[]>
  readonly logLines: string[]
  /** An extra effect of ingesting events. */
  onTake: () => Promise<void>
  readonly add: (settings: object, options?: Added) => Promise<Connector>
  readonly healthOf: (id?: string) => Promise<string>
  /** The same state under a new runner, as after a restart. */
  readonly restart: () => Promise<RunnerWorld>
  readonly close: () => Promise<void>
}

type Added = { id?: string; type?: ConnectorType; tenant?: string; isEnabled?: boolean }

const secretKey = randomBytes(32)

export async function openRunnerWorld(given: { state?: StateStore; startMs?: number } = {}): Promise<RunnerWorld> {
  const state = given.state ?? (await openMemoryState({ auditKey: Buffer.from('key') }))
  for (const id of ['a', 'b']) await state.tenants.insert(tenantWith({ id }))
  let asking = 0
  const time = createManualTime(given.startMs ?? 1_000_000, () => asking === 0)
  const egress = openEgress(localPolicy, { elapsedMs: time.elapsedMs })
  const counted: Egress = Object.assign(async (request: Parameters<Egress>[0]) => {
    asking++
    return await egress(request).finally(() => asking--)
  }, { ...(egress.resolveTarget && { resolveTarget: egress.resolveTarget }) })
  const traffic = new ConnectorCounters(time)
  const logLines: string[] = []
  const secrets = openSecretBox(secretKey, randomBytes)
  const runner = new ConnectorRunner({
    state, secrets, egress: counted, counters: traffic, semaphore: new KeyedSemaphore(limits.connector.pagesAtOnceMax), io: time, sleep: time.sleep,
    ingest, scanner: createScannerDeps({ state, settingDefaults, enricher: { invalidate: () => {} }, io: { now: time.now, randomBytes } }),
    feeds: createFeedDeps({ state, enricher: { invalidate: () => {} }, io: { now: time.now, randomBytes } }),
    log: createLog({ logLine: (line) => void logLines.push(line), now: time.now }),
  })
  const world: RunnerWorld = {
    time, state, runner, counters: traffic, logLines, taken: [],
    onTake: async () => {},
    async add(settings, { id = 'c1', type = 'http_poll', tenant = 'a', isEnabled = true } = {}) {
      const merged = mergeSettings(type, { ...settings }, undefined)
      const at = time.now()
      const connector: Connector = {
        id, name: id, type, isEnabled, ...sealSettings(secrets, { tenant, id }, { settings: merged, stored: undefined }),
        health: newConnectorHealth, version: 1, createdAt: at, updatedAt: at,
      }
      await state.connectors.insert(tenant, connector, undefined)
      return connector
    },
    async healthOf(id = 'c1') {
      const { status = 'none', consecutiveFailures = 0, message = '' } = (await state.connectors.get('a', id))?.health ?? {}
      return `${status} ${consecutiveFailures}: ${message}`
    },
    async readTransitions() {
      const { events } = await state.domainEvents.read('a', 0, 1_000)
      return events.flatMap(({ type, data }) => (type !== 'connector.changed' || data.change !== 'status' ? [] : [
        `${data.oldStatus} ${data.newStatus}: ${data.message}`,
      ]))
    },
    async restart() {
      await runner.stop()
      return await openRunnerWorld({ state, startMs: time.now() })
    },
    async close() {
      await runner.stop()
      await state.close()
    },
  }
  async function ingest(...[tenant, connectorId, events]: Parameters<ConnectorDeps['ingest']>): Promise<void> {
    await world.onTake()
    world.taken.push(...events.map(({ bytes }) => `${tenant} ${connectorId} ${Buffer.from(bytes).toString()}`))
  }
  return world
}
