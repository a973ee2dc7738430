import { createMemoryDefinitions } from '@tripline/sources/scanner/definitions'
import { runScanner } from '@tripline/sources/scanner/run-scanner'
import type { ScannerOutside } from '@tripline/sources/scanner/scanner-client'
import type { ConnectorCheck } from '@tripline/model/connector'
import { PollError } from '@tripline/sources/polling/poll-error'
import type { PolledEvent } from '@tripline/sources/polling/read-page'
import type { Egress } from '../../../egress/egress.ts'
import { limits } from '../../limits.ts'
import { createPollChecks } from '../check-source.ts'
import { createScannerRequest, readScannerEvents, toPollError } from './poll-scanner.ts'
import type { ScannerTarget } from './scanner-target.ts'

type ScannerReport = { readonly checks: readonly ConnectorCheck[]; readonly sample: readonly PolledEvent[] }

/** What a check must not wait for: an export that the scanner still prepares, or a pause that it asks for. */
const waiting = new Error('the scanner asks to wait')

/** Asks a scanner for its first page and keeps nothing: whether it answers, takes the key, and what its events look like. */
export async function checkScanner(
  target: ScannerTarget, { egress, now, name }: { readonly egress: Egress; readonly now: () => number; readonly name: string },
): Promise<ScannerReport> {
  const { checkMs, sampleEventsMax } = limits.connector
  const timeout = AbortSignal.timeout(checkMs)
  const quiet = { eventsInLastMinute: 0, hasSent: false, quietForMs: undefined, quietAfterMs: 0 }
  const passed: readonly ConnectorCheck[] = createPollChecks(undefined, quiet)
    .map((check) => (check.type === 'data_flow' ? { ...check, message: 'the scanner answered' } : check))
  const sample: PolledEvent[] = []
  try {
    const outside: ScannerOutside = {
      request: createScannerRequest(egress, target, { timeoutMs: checkMs, signal: timeout }), now, attemptsMax: 1,
      sleep: () => Promise.reject(waiting),
    }
    for await (const { records } of runScanner(target.settings, {}, { ...outside, definitions: createMemoryDefinitions() })) {
      sample.push(...readScannerEvents(records, target.settings, name, now()).slice(0, sampleEventsMax - sample.length))
      if (sample.length >= sampleEventsMax) break
    }
    return { checks: passed, sample }
  } catch (error) {
    if (error === waiting) return { checks: passed, sample }
    const problem = timeout.aborted ? new PollError('connectivity', `no answer within ${checkMs} ms`) : toPollError(error)
    if (!(problem instanceof PollError)) throw problem
    return { checks: createPollChecks(problem, quiet), sample: [] }
  }
}
