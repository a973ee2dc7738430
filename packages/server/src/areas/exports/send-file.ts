import type { Profile } from '@tripline/contract/public/profile'
import type { RequestContext } from '../../http/route.ts'
import type { ExportFile } from './run-export.ts'

/** The media types of the formats beside JSON. */
export const otherTypes = ['text/csv', 'application/x-ndjson'] as const

/** Sends a file; a request for its head alone ends the export. */
export async function sendFile(c: RequestContext, file: ExportFile, profile: Profile): Promise<Response> {
  c.header('Content-Disposition', `attachment; filename="${file.name}"`)
  c.header('Content-Type', file.mediaType)
  if (c.req.method !== 'HEAD') return c.body(file.print(profile), 200)
  await file.cancel()
  return c.body(null, 200)
}
