import { AppError } from '@tripline/contract/app-error'
import { importResultSchema } from '@tripline/contract/console/enrichment'
import type { ImportResultBody } from '@tripline/contract/console/enrichment'
import { listParameters } from '@tripline/contract/list'
import { z } from 'zod'
import { readIfMatch } from '../../http/etag.ts'
import { readIdParam } from '../../http/id-param.ts'
import { readJson } from '../../http/json-body.ts'
import type { ListDefinition } from '../../http/lists/list-definition.ts'
import { printList } from '../../http/lists/print-list.ts'
import { readList } from '../../http/lists/read-list.ts'
import { withBody } from '../../http/read-body.ts'
import { respondWithEtag } from '../../http/respond-with-etag.ts'
import { respond } from '../../http/respond.ts'
import { getPrincipal } from '../../http/route.ts'
import type { RequestContext, Route } from '../../http/route.ts'
import { readQuery } from '../../http/validate.ts'
import { openImportFile } from '../../ingestion/imports/open-import-file.ts'
import type { FileFormat, RowReader } from '../../ingestion/imports/open-import-file.ts'
import { limits } from '../../limits.ts'
import { readListPage } from '../shared/list-page.ts'
import type { CursorDeps } from '../shared/list-page.ts'
import { recordListRead } from '../shared/record-list-read.ts'
import type { OutcomeDeps } from '../shared/record-outcome.ts'
import { changeRecord, getRecord, importRecords, listRecords, removeRecord } from './enrichment-records.ts'
import type { ImportReport, EnrichmentKind, EnrichmentQuery, EnrichmentRecordDeps } from './enrichment-records.ts'

/** The HTTP resource of one kind of enrichment record. */
type EnrichmentResource<
  Entry extends { readonly version: number },
  New,
  Change extends object,
  Query,
  Field extends string,
  QuerySchema extends z.ZodObject,
  ChangeSchema extends z.ZodType,
  RowSchema extends z.ZodType,
> = {
  readonly kind: EnrichmentKind<Entry, New, Change, Query>
  readonly path: string
  /** Names for route summaries, and the name of the list in its response. */
  readonly names: { readonly many: string; readonly one: string; readonly list: string }
  readonly schemas: { readonly entry: z.ZodType; readonly list: z.ZodType; readonly query: QuerySchema; readonly change: ChangeSchema }
  readonly sortFields: readonly Field[]
  readonly definition: ListDefinition
  readonly toQuery: (query: z.output<QuerySchema>, terms: ListParams<Field>) => Query
  readonly print: (entry: Entry, now: number) => object
  readonly toChange: (change: z.output<ChangeSchema>) => Change
  readonly rows: RowReader<New, RowSchema>
}

/** The query parts that all lists share, and the time of the request. */
export type ListParams<Field extends string> = { readonly page: Omit<EnrichmentQuery<unknown, Field>, 'filter'>; readonly now: number }

export type EnrichmentRouteDeps = EnrichmentRecordDeps & CursorDeps & OutcomeDeps

/** Creates the routes of one kind: list, get, import, update, delete. Reading requires `read`, changing `edit_connectors`. */
export function enrichmentRoutes<
  Entry extends { readonly version: number },
  New,
  Change extends object,
  Query,
  Field extends string,
  QuerySchema extends z.ZodObject,
  ChangeSchema extends z.ZodType,
  RowSchema extends z.ZodType,
>(
  app: EnrichmentRouteDeps,
  face: EnrichmentResource<Entry, New, Change, Query, Field, QuerySchema, ChangeSchema, RowSchema>,
): Route[] {
  const { kind, path, names, schemas } = face

  const answerList = async (c: RequestContext): Promise<Response> => {
    const { entries, now, warnings, ...page } = await recordListRead(app, c, names.list, () => readPage(c))
    return respond(c, {
      [names.list]: entries.map((entry) => face.print(entry, now)),
      ...printList(page, { tookMs: app.clock.elapsedMs() - c.get('startedMs'), warnings }),
    })
  }

  const readPage = async (c: RequestContext) => {
    const { query, warnings } = readQuery(c, schemas.query)
    const { query: paging } = readQuery(c, pagingSchema)
    const listed = readList(face.definition, paging, [])
    const now = app.clock.now()
    const simple = Object.fromEntries(Object.entries(query).filter(([name]) => !Object.hasOwn(listParameters, name)))
    const name = { tenant: getPrincipal(c).tenant, endpoint: names.list, narrowing: simple }
    const page = await readListPage(app, name, listed.request, ({ sort, filter, ...rest }) => {
      const fields = sort.flatMap(({ field, direction }) => {
        return face.sortFields.filter((known) => known === field).map((field) => ({ field, direction }))
      })
      const terms = { page: { ...rest, sort: fields, filters: filter === undefined ? [] : [filter] }, now }
      return listRecords(app, kind, name.tenant, face.toQuery(query, terms))
    })
    return { ...page, now, warnings: [...warnings, ...listed.warnings] }
  }

  const answerEntry = (c: RequestContext, entry: Entry): Response =>
    respondWithEtag(c, face.print(entry, app.clock.now()), entry.version)

  const answerChange = async (c: RequestContext): Promise<Response> => {
    const change = face.toChange(await readJson(c, schemas.change))
    if (Object.keys(change).length === 0) throw new AppError('INVALID_BODY', 'the body must contain at least one change')
    return answerEntry(c, await changeRecord(app, kind, getPrincipal(c), { id: readIdParam(c), change, versions: readIfMatch(c) }))
  }

  const answerImport = async (c: RequestContext): Promise<Response> =>
    await withBody(c, limits.imports.bodyBytesMax, async (bytes) => {
      const rows = await openImportFile(bytes, readFileFormat(c), face.rows)
      return respond(c, printReport(await importRecords(app, kind, getPrincipal(c), rows)))
    })

  const answerRemoval = async (c: RequestContext): Promise<Response> => {
    await removeRecord(app, kind, getPrincipal(c), readIdParam(c))
    return c.body(null, 204)
  }

  return [
    {
      method: 'GET', path, access: 'read', summary: `Lists ${names.many}`,
      query: schemas.query, list: face.definition, responses: { 200: schemas.list }, handle: answerList,
    },
    {
      method: 'POST', path: `${path}/import`, access: 'edit_connectors', isIdempotent: true,
      summary: `Imports ${names.many} from a CSV or JSON file`,
      body: z.array(face.rows.schema), bodyTypes: formats.map(([type]) => type),
      responses: { 200: importResultSchema }, handle: answerImport,
    },
    {
      method: 'GET', path: `${path}/:id`, access: 'read', summary: `Returns ${names.one}`,
      headers: ['ETag'], responses: { 200: schemas.entry }, handle: async (c) => answerEntry(c, await getRecord(app, kind,
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

const pagingSchema = z.object(listParameters)

function printReport({ rowCount, created, changed, unchanged, rejectedCount, problems }: ImportReport): ImportResultBody {
  return {
    rows: rowCount, created, changed, unchanged, rejected: rejectedCount,
    errors: problems.map(({ line, problem }) => ({ line, message: problem })),
    errors_truncated: problems.length < rejectedCount,
  }
}

const formats: readonly (readonly [type: string, format: FileFormat])[] = [
  ['text/csv', 'csv'],
  ['application/json', 'json'],
  ['application/x-ndjson', 'json'],
]

/** @throws AppError UNSUPPORTED_MEDIA_TYPE. */
function readFileFormat(c: RequestContext): FileFormat {
  const [given = ''] = (c.req.header('content-type') ?? '').toLowerCase().split(';')
  const found = formats.find(([type]) => type === given.trim())
  if (found !== undefined) return found[1]
  const supported = formats.map(([type]) => type)
  throw new AppError('UNSUPPORTED_MEDIA_TYPE', `the content type is not supported; use one of ${supported.join(', ')}`, { supported })
}
