import { createMemoryDefinitions } from '@tripline/sources/scanner/definitions'
import { parseScannerState, runScanner } from '@tripline/sources/scanner/run-scanner'
import type { ScannerOutside } from '@tripline/sources/scanner/scanner-client'
import { detectDialect } from '@tripline/sources/scanner/scanner-settings'
import type { ScannerSettings } from '@tripline/sources/scanner/scanner-settings'
import { toScannerEvents } from '@tripline/sources/scanner/to-events'
import type { ScannerSourceConfig } from '../config/source-config.ts'
import { sendRequest } from '../http/send-request.ts'
import { limits } from '../limits.ts'
import type { RunSource } from './source.ts'

/** Polls a vulnerability scanner; what it tells becomes events, of which the server also keeps its inventory. */
export function createScannerSource(config: ScannerSourceConfig): RunSource {
  const settings = toScannerSettings(config)
  return async ({ name, position, append, waitForRoom, reportHealthy, sleep, now, log }, signal) => {
    const definitions = createMemoryDefinitions()
    const request = createScannerRequest(config, signal)
    let state = parseScannerState(position?.['state'])
    let endedAt = typeof position?.['endedAt'] === 'number' ? position['endedAt'] : undefined
    if (!config.verify_ssl) log.warn('the certificate of the scanner is not verified (verify_ssl: false)', { source: name })
    while (!signal.aborted) {
      // A run that was interrupted goes on at once. A clock that was set back puts off no run for longer than the interval.
      const waitMs = state.run !== undefined || endedAt === undefined ? 0 : endedAt + config.poll_interval * 1_000 - now()
      if (waitMs > 0) await sleep(Math.min(waitMs, config.poll_interval * 1_000), signal)
      for await (const batch of runScanner(settings, state, { request, sleep: (ms) => sleep(ms, signal), now, definitions })) {
        if (signal.aborted) return
        state = batch.state
        if (state.run === undefined) endedAt = now()
        const events = batch.records.flatMap((record) => toScannerEvents(record, settings, { source: name, at: now(), runAt: batch.runAt }))
        await waitForRoom(signal)
        await append(events.map(({ text }) => Buffer.from(text)), { state, ...(endedAt !== undefined && { endedAt }) })
        reportHealthy()
      }
    }
  }
}

/** The settings of a scanner as its poller takes them. */
function toScannerSettings({ api_url: apiUrl, api_key: apiKey, dialect, collect, token }: ScannerSourceConfig): ScannerSettings {
  const known = dialect ?? detectDialect(apiUrl)
  if (known === undefined) throw new Error('the address does not tell the dialect')
  return { apiUrl, apiKey, dialect: known, collect, ...(token !== undefined && { token }) }
}

/** Sends requests of a scanner; its own certificate is trusted where the source says so. */
function createScannerRequest({ verify_ssl: verifiesCertificate }: ScannerSourceConfig, signal: AbortSignal): ScannerOutside['request'] {
  return (request) => sendRequest({ ...request, verifiesCertificate, signal, timeoutMs: limits.scanner.requestMs })
}
