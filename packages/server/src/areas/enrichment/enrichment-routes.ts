import { AppError } from '@tripline/contract/app-error'
import { importResultSchema } from '@tripline/contract/console/enrichment/enrichment'
import type { ImportResultBody } from '@tripline/contract/console/enrichment/enrichment'
import { z } from 'zod'
import { readIfMatch } from '../../http/etag.ts'
import { readIdParam } from '../../http/id-param.ts'
import { withBody } from '../../http/read-body.ts'
import { respondWithEtag } from '../../http/respond-with-etag.ts'
import { respond } from '../../http/respond.ts'
import { getPrincipal } from '../../http/route.ts'
import type { RequestContext, Route } from '../../http/route.ts'
import type { FactsRow, FileFormat } from '../../ingestion/imports/open-import-file.ts'
import { limits } from '../../limits.ts'
import type { ListRouteDeps } from '../../http/lists/list-route.ts'
import type { CursorDeps } from '../../http/lists/cursor.ts'
import { changeRecord, getRecord, importRecords, removeRecord } from './enrichment-records.ts'
import type { EnrichmentKind, EnrichmentRecordDeps, ImportReport } from './enrichment-records.ts'

/** The HTTP resource of one kind of enrichment record. */
type EnrichmentResource<Entry, New, Change> = {
  readonly kind: EnrichmentKind<Entry, New, Change>
  readonly path: string
  /** Names for route summaries. */
  readonly names: { readonly many: string; readonly one: string }
  /** The schemas of an entry, of a change and of a row of a file, for the documentation. */
  readonly schemas: { readonly entry: z.ZodType; readonly change: z.ZodType; readonly row: z.ZodType }
  readonly listRoute: Route
  readonly print: (entry: Entry, now: number) => object
  /** Reads the change in a request. */
  readonly readChange: (c: RequestContext) => Promise<Change>
  readonly openFile: (bytes: Uint8Array, format: FileFormat) => Promise<AsyncIterable<FactsRow<New>>>
}

export type EnrichmentRouteDeps = EnrichmentRecordDeps & CursorDeps & ListRouteDeps

const formats: readonly (readonly [type: string, format: FileFormat])[] = [
  ['text/csv', 'csv'],
  ['application/json', 'json'],
  ['application/x-ndjson', 'json'],
]

/** Creates the routes of one kind: list, get, import, update, delete. Reading requires `read`, changing `edit_connectors`. */
export function enrichmentRoutes<Entry extends { readonly version: number }, New, Change extends object>(
  deps: EnrichmentRouteDeps, { kind, path, names, schemas, listRoute, ...resource }: EnrichmentResource<Entry, New, Change>,
): Route[] {
  const answerEntry = (c: RequestContext, entry: Entry): Response =>
    respondWithEtag(c, resource.print(entry, deps.clock.now()), entry.version)

  const answerChange = async (c: RequestContext): Promise<Response> => {
    const change = await resource.readChange(c)
    if (Object.keys(change).length === 0) throw new AppError('INVALID_BODY', 'the body must contain at least one change')
    return answerEntry(c, await changeRecord(deps, kind, getPrincipal(c), { id: readIdParam(c), change, versions: readIfMatch(c) }))
  }

  const answerImport = async (c: RequestContext): Promise<Response> =>
    await withBody(c, limits.imports.bodyBytesMax, async (bytes) => {
      const rows = await resource.openFile(bytes, readFileFormat(c))
      return respond(c, printReport(await importRecords(deps, kind, getPrincipal(c), rows)))
    })

  const answerRemoval = async (c: RequestContext): Promise<Response> => {
    await removeRecord(deps, kind, getPrincipal(c), readIdParam(c))
    return c.body(null, 204)
  }

  return [
    listRoute,
    {
      method: 'POST', path: `${path}/import`, access: 'edit_connectors', isIdempotent: true,
      summary: `Imports ${names.many} from a CSV or JSON file`,
      body: z.array(schemas.row), bodyTypes: formats.map(([type]) => type),
      responses: { 200: importResultSchema }, handle: answerImport,
    },
    {
      method: 'GET', path: `${path}/:id`, access: 'read', summary: `Returns ${names.one}`,
      headers: ['ETag'], responses: { 200: schemas.entry }, handle: async (c) => answerEntry(c, await getRecord(deps, kind,
        getPrincipal(c).tenant, readIdParam(c))),
    },
    {
      method: 'PUT', path: `${path}/:id`, access: 'edit_connectors', summary: `Updates ${names.one}`,
      body: schemas.change, checksVersion: true, headers: ['ETag'], errors: ['CONFLICT'],
      responses: { 200: schemas.entry }, handle: answerChange,
    },
    {
      method: 'DELETE', path: `${path}/:id`, access: 'edit_connectors', summary: `Deletes ${names.one}`,
      responses: { 204: null }, handle: answerRemoval,
    },
  ]
}

function printReport({ rowCount, created, changed, unchanged, rejectedCount, problems }: ImportReport): ImportResultBody {
  return {
    rows: rowCount, created, changed, unchanged, rejected: rejectedCount,
    errors: problems.map(({ line, problem }) => ({ line, message: problem })),
    errors_truncated: problems.length < rejectedCount,
  }
}

/** @throws AppError UNSUPPORTED_MEDIA_TYPE. */
function readFileFormat(c: RequestContext): FileFormat {
  const [given = ''] = (c.req.header('content-type') ?? '').toLowerCase().split(';')
  const found = formats.find(([type]) => type === given.trim())
  if (found !== undefined) return found[1]
  const supported = formats.map(([type]) => type)
  throw new AppError('UNSUPPORTED_MEDIA_TYPE', `the content type is not supported; use one of ${supported.join(', ')}`, { supported })
}
