import type { Profile } from '@tripline/contract/public/profile'
import { getOutgoingTrailers } from '../../http/outgoing-trailers.ts'
import type { RequestContext } from '../../http/route.ts'
import type { ExportFile } from './run-export.ts'

/** The media types of the formats beside JSON. */
export const otherTypes = ['text/csv', 'application/x-ndjson'] as const

/** Behind the file, where the connection can carry it: the number of its rows. */
const countTrailer = 'X-Export-Count'

/** Sends a file; a request for its head alone ends the export. */
export async function sendFile(c: RequestContext, file: ExportFile, profile: Profile): Promise<Response> {
  c.header('Content-Disposition', `attachment; filename="${file.name}"`)
  c.header('Content-Type', file.mediaType)
  if (c.req.method === 'HEAD') {
    await file.cancel()
    return c.body(null, 200)
  }
  const trailers = getOutgoingTrailers(c.env)
  if (trailers !== undefined) {
    c.header('Trailer', countTrailer)
    // A short body would get a length otherwise, which trailers may not follow.
    c.header('Transfer-Encoding', 'chunked')
  }
  return c.body(file.print(profile, (rowCount) => trailers?.add(countTrailer, String(rowCount))), 200)
}
