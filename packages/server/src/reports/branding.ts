import { getErrorMessage } from '@tripline/common/error-message'
import type { Runtime } from '@tripline/common/runtime'
import { AppError } from '@tripline/contract/app-error'
import { limits } from '@tripline/contract/limits'
import type { Principal } from '@tripline/model/access/principal'
import type { ReportBranding, ReportLogo } from '@tripline/model/report'
import type { TenantId } from '@tripline/model/tenant'
import type { StateStore } from '@tripline/state/ports/state-store'
import { checkVersion, unwrapChange } from '@tripline/state/ports/version-conflict'
import type { ExpectedVersions } from '@tripline/state/ports/version-conflict'
import { createHash } from 'node:crypto'
import { recordAudit } from '../audit/record-audit.ts'
import { readPng } from './read-png.ts'
import type { ReportBrand } from './report.ts'

const { logoBytesMax } = limits.reports

/** What branding needs of the server. */
export type BrandingDeps = { readonly state: StateStore; readonly clock: Pick<Runtime, 'now'> }

/** What an administrator sets: base64 of a PNG; undefined keeps the logo, null removes it. */
type WantedBranding = { readonly name: string; readonly logo?: string | null | undefined }

/**
 * Replaces what stands at the head of a tenant's reports: of those that are made from now on.
 *
 * @throws AppError INVALID_PARAMETER for a logo that cannot be used or has no name; PRECONDITION_FAILED for an unexpected version.
 */
export async function putBranding(
  { state, clock }: BrandingDeps, caller: Principal,
  { wanted: { name, logo: text }, versions }: { readonly wanted: WantedBranding; readonly versions: ExpectedVersions },
): Promise<ReportBranding> {
  const read = typeof text === 'string' ? readLogo(text) : undefined
  const at = clock.now()
  return await state.transaction(async (stores) => {
    const before = await stores.reports.getBranding(caller.tenant)
    checkVersion(before, versions, 'branding')
    const logo = text === undefined ? before.logo : read
    if (logo !== undefined && name === '') throw invalid('name', 'a logo needs a name, which stands for it where it cannot be seen')
    const terms = { expectedVersion: before.version, at }
    const after = unwrapChange(await stores.reports.putBranding(caller.tenant, { name, logo }, terms), 'branding')
    const diff = { name: [before.name, name], logo: [describeLogo(before.logo), describeLogo(logo)] }
    await recordAudit(stores, caller, { at, action: 'branding.update', target: { type: 'tenant', id: caller.tenant }, diff })
    return after
  })
}

/** What reports of a tenant have at their head; undefined where nothing is set. */
export async function readBrand({ state }: Pick<BrandingDeps, 'state'>, tenant: TenantId): Promise<ReportBrand | undefined> {
  const { name, logo } = await state.reports.getBranding(tenant)
  if (name === '') return undefined
  return logo === undefined ? { name } : { name, logo: printLogo(logo) }
}

/** A logo as text, for bodies and documents. */
export function printLogo({ png, width, height }: ReportLogo): NonNullable<ReportBrand['logo']> {
  return { base64: Buffer.from(png).toString('base64'), width, height }
}

function readLogo(text: string): ReportLogo {
  const file = Buffer.from(text, 'base64')
  if (file.length > logoBytesMax) throw invalid('logo', `it has ${file.length} bytes; at most ${logoBytesMax} are allowed`)
  try {
    return readPng(file)
  } catch (error) {
    throw invalid('logo', getErrorMessage(error))
  }
}

/** A logo on the audit trail: its size and hash. */
function describeLogo(logo: ReportLogo | undefined): string | null {
  if (logo === undefined) return null
  return `${logo.width} x ${logo.height}, sha256 ${createHash('sha256').update(logo.png).digest('hex')}`
}

function invalid(parameter: string, reason: string): AppError {
  return new AppError('INVALID_PARAMETER', `${parameter}: ${reason}`, { parameter, reason })
}
