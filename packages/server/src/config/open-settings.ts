import { getErrorMessage } from '@tripline/common/error-message'
import { exitCodes } from '@tripline/common/exit-error'
import type { Runtime } from '@tripline/common/runtime'
import { listExposureRules } from '@tripline/detection/rules/exposure-rules'
import { readRuleFiles } from '@tripline/formats/rule-files'
import { getStateFile } from '@tripline/state/data-dir'
import { existsSync } from 'node:fs'
import { checkNewPassword } from '../access/login/password.ts'
import { firstAdminEmail } from '../areas/users/first-admin.ts'
import { openExternalIssuer } from '../access/tokens/external-issuer.ts'
import type { ExternalIssuer } from '../access/tokens/external-issuer.ts'
import { openEgress } from '../egress/egress.ts'
import type { Egress, OpenedEgress } from '../egress/egress.ts'
import { limits } from '../limits.ts'
import { configurationError } from '../runtime/configuration-error.ts'
import { exitOnError } from '../runtime/exit-on-error.ts'
import type { Config } from './settings.ts'
import { readTlsFiles } from './tls-files.ts'
import type { TlsFiles } from './tls-files.ts'

/** What the settings refer to, read and opened. */
export type OpenedSettings = {
  readonly sources: Awaited<ReturnType<typeof readRuleFiles>>
  readonly egress: OpenedEgress
  readonly externalIssuer?: ExternalIssuer
  readonly scrapeToken?: string
  readonly tls: TlsFiles | undefined
}

/**
 * Reads and opens what the settings refer to; writes nothing.
 *
 * @throws ExitError (78) for what cannot be used, with one sentence that names the setting.
 */
export async function openSettings(config: Config, io: Runtime): Promise<OpenedSettings> {
  const given = await exitOnError(exitCodes.configuration, 'rules cannot be read', readRuleFiles(config.rules))
  const sources = [...given, ...listExposureRules(given)]
  const egress = openConfiguredEgress(config, io)
  const externalIssuer = await openTrustedIssuer(config, egress, io)
  const scrapeToken = await readScrapeToken(config, io)
  const tls = await readTlsFiles(config, io)
  // A first start that is refused leaves nothing behind.
  if (!existsSync(getStateFile(config.dataDir))) await readFirstPassword(config, io)
  return { sources, egress, tls, ...(externalIssuer && { externalIssuer }), ...(scrapeToken && { scrapeToken }) }
}

/** The external issuer whose tokens are accepted besides ours, if configured. */
async function openTrustedIssuer(config: Config, egress: Egress, io: Runtime): Promise<ExternalIssuer | undefined> {
  const { trustedIssuer, trustedJwksFile, trustedJwksUrl } = config
  if (trustedIssuer === '') return undefined
  const keys = trustedJwksUrl === ''
    ? await exitOnError(exitCodes.configuration, '--trusted-jwks-file cannot be read', io.readText(trustedJwksFile))
    : createKeyFetcher(trustedJwksUrl, egress)
  try {
    return openExternalIssuer({
      name: config.trustedIssuer, audience: config.trustedAudience, keys, tenants: 'every',
      tenantClaim: config.trustedTenantClaim, roles: { claim: config.trustedRolesClaim },
    }, io)
  } catch (error) {
    throw configurationError(`--trusted-jwks-file cannot be used: ${getErrorMessage(error)}`, { cause: error })
  }
}

/** Creates a function that fetches the key set through the egress guard: not at start, only when a token needs it. */
function createKeyFetcher(url: string, egress: Egress): () => Promise<string> {
  return async () => {
    const { keySetLengthMax: bytesMax, keySetTimeoutMs: timeoutMs } = limits.auth
    const { status, body } = await egress({ method: 'GET', url, timeoutMs, bytesMax })
    if (status !== 200) throw new Error(`fetching the trusted issuer's keys returned status ${status}`)
    return body.toString('utf8')
  }
}

/** Opens the guarded HTTP client for outbound requests of tenants. */
function openConfiguredEgress({ egressAllowCidrs, egressAllowInsecure, egressDnsServers }: Config, io: Runtime): OpenedEgress {
  try {
    return openEgress({ allowCidrs: egressAllowCidrs, allowInsecure: egressAllowInsecure, dnsServers: egressDnsServers }, io)
  } catch (error) {
    throw configurationError(`--egress-allow-cidrs or --egress-dns-servers cannot be used: ${getErrorMessage(error)}`, { cause: error })
  }
}

/** Reads the bearer token of monitoring, if configured. */
async function readScrapeToken({ metricsTokenFile }: Config, io: Runtime): Promise<string | undefined> {
  if (metricsTokenFile === '') return undefined
  const reading = io.readText(metricsTokenFile)
  const text = (await exitOnError(exitCodes.configuration, '--metrics-token-file cannot be read', reading)).trim()
  const { scrapeTokenLengthMin: min, tokenLengthMax: max } = limits.auth
  if (/^\S+$/.test(text) && min <= text.length && text.length <= max) return text
  throw configurationError(`--metrics-token-file must contain one token without blanks, of ${min} to ${max} characters`)
}

/**
 * Reads the password of the first administrator, if configured: one line, whose end is no part of it.
 *
 * @throws ExitError (78) for a file that cannot be read, and for a password that no user could choose.
 */
export async function readFirstPassword({ adminPasswordFile }: Config, io: Pick<Runtime, 'readText'>): Promise<string | undefined> {
  if (adminPasswordFile === '') return undefined
  const text = await exitOnError(exitCodes.configuration, '--admin-password-file cannot be read', io.readText(adminPasswordFile))
  const password = text.replace(/\r?\n$/, '')
  if (password === '' || /[\r\n]/.test(password)) {
    throw configurationError('--admin-password-file must contain the password as its only line')
  }
  try {
    checkNewPassword(password, firstAdminEmail)
  } catch (error) {
    throw configurationError(`--admin-password-file cannot be used: ${getErrorMessage(error)}`, { cause: error })
  }
  return password
}
