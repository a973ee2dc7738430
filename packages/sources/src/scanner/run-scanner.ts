import { limits } from '../limits.ts'
import type { DefinitionStore } from './definitions.ts'
import { readExport } from './dialects/bulk-export.ts'
import type { DialectReader, DialectRun, ScanStep } from './dialects/dialect.ts'
import { readConsole } from './dialects/v3-console.ts'
import { readCloud } from './dialects/v4-cloud.ts'
import { toFields } from './read-fields.ts'
import type { ScannerFields } from './read-fields.ts'
import type { ScanRecord } from './scan-record.ts'
import { ScannerClient, ScannerError } from './scanner-client.ts'
import type { ScannerOutside } from './scanner-client.ts'
import { buildBaseUrl } from './scanner-settings.ts'
import type { ScannerDialect, ScannerSettings } from './scanner-settings.ts'

/** Where a scanner stands, as JSON: what the caller stores after each batch and gives to the next run. */
export type ScannerState = {
  /** When the last run that ended began, and the last one that read everything; by the scanner's clock. */
  readonly lastStartedAt?: number
  readonly lastFullAt?: number
  /** The run that has not ended. */
  readonly run?: {
    readonly dialect: ScannerDialect
    readonly startedAt: number
    /** When it began by our clock: it tells the run from others. */
    readonly begunAt: number
    /** What the run began after; undefined for a full one. */
    readonly since?: number
    readonly position: ScannerFields
  }
}

/** Records to store, and the state to store with them or after them. */
type ScanBatch = {
  readonly records: readonly ScanRecord[]
  readonly state: ScannerState
  /** The run, as the moment when it began by our clock. */
  readonly runAt: number
}

type ScannerDeps = ScannerOutside & { readonly definitions: DefinitionStore }

const dialects: { readonly [name in ScannerDialect]: DialectReader } = { v3: readConsole, v4: readCloud, bulk: readExport }

/**
 * Runs a scanner once: all of its inventory, or what changed since the last run. A run that was interrupted goes on at the
 * position of its last batch. Batches may come twice, so that storing one must be idempotent. The caller stops by not asking
 * for the next batch.
 *
 * @throws ScannerError.
 */
export async function* runScanner(settings: ScannerSettings, state: ScannerState, deps: ScannerDeps): AsyncGenerator<ScanBatch, void> {
  const client = new ScannerClient(settings, deps)
  const { lastStartedAt, lastFullAt } = state
  const before: ScannerState = { ...(lastStartedAt !== undefined && { lastStartedAt }), ...(lastFullAt !== undefined && { lastFullAt }) }
  let run = state.run ?? beginRun(settings, before, deps.now())
  const isFull = run.since === undefined
  let isSkewKnown = state.run !== undefined
  for (let restart = 0; ;) {
    const steps = dialects[run.dialect](describeRun(settings, run, { client, deps, lastStartedAt }), run.position)
    try {
      let step = await steps.next()
      for (; step.done !== true; step = await steps.next()) {
        // The first response tells the scanner's clock, by which the next run compares.
        if (!isSkewKnown) run = { ...run, startedAt: run.startedAt + client.skewMs }
        isSkewKnown = true
        run = { ...run, position: step.value.position }
        yield { records: select(settings, step.value), state: { ...before, run }, runAt: run.begunAt }
      }
      if (step.value === undefined) break
      run = { ...run, dialect: step.value, position: {} }
      yield { records: [], state: { ...before, run }, runAt: run.begunAt }
    } catch (error) {
      if (!(error instanceof ScannerError) || error.kind !== 'expired') throw error
      if (restart === limits.scanner.restartsMax) throw new ScannerError('unavailable', `${error.message}, again and again`)
      restart++
      run = { ...run, position: {} }
    }
  }
  const { startedAt } = run
  yield {
    records: [{ kind: 'run', startedAt, isFull }],
    runAt: run.begunAt,
    state: { lastStartedAt: startedAt, ...(isFull ? { lastFullAt: startedAt } : lastFullAt !== undefined && { lastFullAt }) },
  }
}

/** A run reads everything if none did for a day; an export always does. */
function beginRun(
  { dialect }: ScannerSettings, { lastStartedAt, lastFullAt }: ScannerState, now: number,
): NonNullable<ScannerState['run']> {
  // A clock that was set back must not put off the next full run for ever.
  const isFresh = lastFullAt !== undefined && Math.abs(now - lastFullAt) < limits.scanner.fullRunMs
  const isDelta = dialect !== 'bulk' && isFresh && lastStartedAt !== undefined
  return { dialect, startedAt: now, begunAt: now, position: {}, ...(isDelta && { since: lastStartedAt - limits.scanner.overlapMs }) }
}

function describeRun(
  settings: ScannerSettings, run: NonNullable<ScannerState['run']>,
  { client, deps, lastStartedAt }: {
    readonly client: ScannerClient; readonly deps: ScannerDeps; readonly lastStartedAt: number | undefined
  },
): DialectRun {
  return {
    baseUrl: buildBaseUrl(settings, run.dialect), client, definitions: deps.definitions, now: deps.now(), since: run.since, lastStartedAt,
    hasFindings: settings.collect.includes('vulnerabilities'),
  }
}

/** Assets carry the risk scores, so that they are read for both. */
function select({ collect }: ScannerSettings, { records }: ScanStep): readonly ScanRecord[] {
  return records.filter(({ kind }) => {
    if (kind === 'asset') return collect.includes('assets') || collect.includes('risk_scores')
    return kind === 'scan' ? collect.includes('assets') : true
  })
}

/** Reads a stored state; what is no state is a beginning. */
export function parseScannerState(value: unknown): ScannerState {
  const { lastStartedAt, lastFullAt, run } = toFields(value)
  const { dialect, startedAt, begunAt, since, position } = toFields(run)
  const known = Object.keys(dialects).find((name): name is ScannerDialect => name === dialect)
  return {
    ...(typeof lastStartedAt === 'number' && { lastStartedAt }),
    ...(typeof lastFullAt === 'number' && { lastFullAt }),
    ...(known !== undefined && typeof startedAt === 'number' && typeof begunAt === 'number' && {
      run: { dialect: known, startedAt, begunAt, position: toFields(position), ...(typeof since === 'number' && { since }) },
    }),
  }
}
