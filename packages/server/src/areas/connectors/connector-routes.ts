import {
  connectorChangeBodySchema, connectorHealthSchema, connectorListSchema, connectorSchema, connectorTestBodySchema,
  connectorTestSchema, newConnectorBodySchema, newConnectorId, newConnectorSchema,
} from '@tripline/contract/console/sources/connector'
import { connectorTypeListSchema, connectorTypeQuerySchema } from '@tripline/contract/console/sources/connector-type'
import type { NewConnectorBody } from '@tripline/contract/console/sources/connector'
import { isPushType } from '@tripline/model/connector'
import type { PushType } from '@tripline/model/connector'
import type { OutcomeDeps } from '../../audit/record-outcome.ts'
import { readIfMatch } from '../../http/etag.ts'
import { readIdParam } from '../../http/id-param.ts'
import { readJson } from '../../http/json-body.ts'
import { parseJsonBody, withBody } from '../../http/read-body.ts'
import { respondWithEtag } from '../../http/respond-with-etag.ts'
import { respond } from '../../http/respond.ts'
import { getPrincipal } from '../../http/route.ts'
import type { RequestContext, Route } from '../../http/route.ts'
import { checkBody, readQuery } from '../../http/validate.ts'
import { limits } from '../../limits.ts'
import { listConnectorTypes } from './catalogue/connector-catalogue.ts'
import { describeIntakeAddress } from './catalogue/intake-address.ts'
import { printConnector, printConnectorHealth, printConnectorTest } from './connector-view.ts'
import {
  createConnector, getConnector, getConnectorHealth, listConnectors, removeConnector, updateConnector,
} from './connectors.ts'
import type { ConnectorUseCaseDeps, ConnectorWithStats } from './connectors.ts'
import { testConnector } from './test-connector.ts'

const path = '/v1/connectors'
const onePath = `${path}/:id`

type ConnectorRouteDeps = ConnectorUseCaseDeps & OutcomeDeps & {
  /** The public URL of the server without a trailing slash; empty if not configured. */
  readonly publicUrl: string
}

/** Routes for the connectors of a tenant. */
export function connectorRoutes(deps: ConnectorRouteDeps): Route[] {
  return [
    {
      method: 'GET', path: '/v1/connector-types', access: 'read',
      summary: 'Lists the types of connectors, with their settings and the configuration of products that send to them',
      query: connectorTypeQuerySchema, errors: ['NOT_FOUND'], responses: { 200: connectorTypeListSchema },
      handle: (c) => handleTypes(deps, c),
    },
    {
      method: 'GET', path, access: 'read', summary: 'Lists the connectors', responses: { 200: connectorListSchema },
      handle: async (c) => respond(c, { connectors: (await listConnectors(deps, getPrincipal(c).tenant)).map(printConnector) }),
    },
    {
      method: 'POST', path, access: 'edit_connectors', isIdempotent: true,
      summary: 'Creates a connector; its push token is shown only once',
      body: newConnectorBodySchema, headers: ['ETag', 'Location'],
      responses: { 201: newConnectorSchema }, handle: (c) => handleCreate(deps, c),
    },
    {
      method: 'GET', path: onePath, access: 'read', summary: 'Returns a connector', headers: ['ETag'], responses: { 200: connectorSchema },
      handle: async (c) => respondWithConnector(c, await getConnector(deps, getPrincipal(c).tenant, readIdParam(c))),
    },
    {
      method: 'PUT', path: onePath, access: 'edit_connectors', summary: 'Updates a connector, merging its settings key by key',
      body: connectorChangeBodySchema, checksVersion: true, headers: ['ETag'], errors: ['CONFLICT'],
      responses: { 200: connectorSchema }, handle: (c) => handleChange(deps, c),
    },
    {
      method: 'DELETE', path: onePath, access: 'edit_connectors', summary: 'Deletes a connector; its events are kept',
      checksVersion: true, errors: ['CONFLICT'], responses: { 204: null },
      handle: async (c) => {
        await removeConnector(deps, getPrincipal(c), readIdParam(c), { versions: readIfMatch(c) })
        return c.body(null, 204)
      },
    },
    {
      method: 'GET', path: `${onePath}/health`, access: 'read', summary: "Returns a connector's health and its status history",
      responses: { 200: connectorHealthSchema },
      handle: async (c) => {
        const { connector, history } = await getConnectorHealth(deps, getPrincipal(c).tenant, readIdParam(c))
        return respond(c, printConnectorHealth(connector, history))
      },
    },
    {
      method: 'POST', path: `${onePath}/test`, access: 'edit_connectors',
      summary: "Tests a connector, or unsaved settings under the id 'new'",
      body: connectorTestBodySchema, isBodyOptional: true, errors: ['CONFLICT'], responses: { 200: connectorTestSchema },
      handle: (c) => handleTest(deps, c),
    },
  ]
}

/** The ingest path of each push connector type. */
const pushPaths: { readonly [Type in PushType]: string } = {
  http_ndjson: '/ingest/v1/events',
  elastic_bulk: '/ingest/elastic/_bulk',
  splunk_hec: '/services/collector',
  otlp_http: '/ingest/otlp/v1/logs',
}

async function handleTypes(deps: ConnectorRouteDeps, c: RequestContext): Promise<Response> {
  const { query: { connector_id: id } } = readQuery(c, connectorTypeQuerySchema)
  const shown = id === undefined ? undefined : await getConnector(deps, getPrincipal(c).tenant, id)
  return respond(c, { connector_types: listConnectorTypes(describeIntakeAddress(getBaseUrl(deps, c), shown?.connector)) })
}

/** The public URL of the server, or the one that the caller used. */
function getBaseUrl({ publicUrl }: ConnectorRouteDeps, c: RequestContext): string {
  return publicUrl === '' ? new URL(c.req.url).origin : publicUrl
}

async function handleCreate(deps: ConnectorRouteDeps, c: RequestContext): Promise<Response> {
  const { name, type, enabled, config } = await readJson(c, newConnectorBodySchema)
  const { created, token } = await createConnector(deps, getPrincipal(c), { name, type, isEnabled: enabled, config })
  c.header('Location', `${path}/${created.connector.id}`)
  const place = isPushType(type) ? `${getBaseUrl(deps, c)}${pushPaths[type]}` : undefined
  const body: NewConnectorBody = {
    ...printConnector(created),
    ...(place !== undefined && token !== undefined && { ingest: { url: place, token } }),
  }
  return respondWithEtag(c, body, created.connector.version, 201)
}

async function handleChange(deps: ConnectorUseCaseDeps, c: RequestContext): Promise<Response> {
  const { name, enabled, config } = await readJson(c, connectorChangeBodySchema)
  const change = { patch: { name, isEnabled: enabled, config }, versions: readIfMatch(c) }
  return respondWithConnector(c, await updateConnector(deps, getPrincipal(c), readIdParam(c), change))
}

/** The version counts configuration changes only; health and counters change without one. */
function respondWithConnector(c: RequestContext, shown: ConnectorWithStats): Response {
  return respondWithEtag(c, printConnector(shown), shown.connector.version)
}

async function handleTest(deps: ConnectorRouteDeps, c: RequestContext): Promise<Response> {
  return await withBody(c, limits.request.bodyBytesMax, async (bytes) => {
    // The body is optional; without one the stored configuration is tested.
    const { type, config } = checkBody(bytes.length === 0 ? {} : parseJsonBody(c, bytes), connectorTestBodySchema)
    const id = readIdParam(c) === newConnectorId ? undefined : readIdParam(c)
    return respond(c, printConnectorTest(await testConnector(deps, getPrincipal(c), { id, type, config })))
  })
}
