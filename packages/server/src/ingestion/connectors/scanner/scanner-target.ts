import type { ConnectorConfig } from '@tripline/model/connector'
import { PollError } from '@tripline/sources/polling/poll-error'
import { collectedKinds, detectDialect, scannerDialects } from '@tripline/sources/scanner/scanner-settings'
import type { ScannerSettings } from '@tripline/sources/scanner/scanner-settings'

/** The target of polls: the parsed settings of a connector of type `vulnerability_scanner`. */
export type ScannerTarget = {
  readonly settings: ScannerSettings
  readonly verifiesCertificate: boolean
  readonly intervalMs: number
}

/** Parses settings with decrypted secrets. @throws PollError for those that an earlier release stored and that tell too little. */
export function parseScannerTarget(config: ConnectorConfig): ScannerTarget {
  const { api_url: apiUrl, api_key: apiKey, poll_interval: seconds, verify_ssl: verifies, collect, dialect: stated, token } = config
  const dialect = scannerDialects.find((name) => name === stated) ?? detectDialect(String(apiUrl))
  if (dialect === undefined || typeof seconds !== 'number') {
    throw new PollError('connectivity', 'the settings are those of an earlier release; set dialect and poll_interval', { isLasting: true })
  }
  const kinds = collectedKinds.filter((kind) => !Array.isArray(collect) || collect.includes(kind))
  const settings = { apiUrl: String(apiUrl), apiKey: String(apiKey), dialect, collect: kinds, ...(typeof token === 'string' && { token }) }
  return { settings, verifiesCertificate: verifies !== false, intervalMs: seconds * 1_000 }
}
