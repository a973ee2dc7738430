import { createHash } from 'node:crypto'
import { z } from 'zod'
import { respond } from './respond.ts'
import { createOpenApi } from './openapi.ts'
import { renderDocsPage, docsStyle } from './docs-page.ts'
import type { RequestContext, Route } from './route.ts'

/** Title and description of the console API document. */
export const consoleInfo = {
  title: 'Tripline console API',
  version: 'v1',
  description: 'Rules, events, alerts, connectors, users and settings of the tenant that the access token names.',
} as const

/**
 * Routes that serve the console API as an OpenAPI document and as an HTML page, generated from its routes. The page loads
 * nothing from elsewhere. `answerSender` answers the root to clients of Elasticsearch, which ask for it before they send events.
 */
export function apiDocsRoutes(routes: () => readonly Route[], answerSender: Route['handle']): Route[] {
  // Read with the first document: the examples are a tenth of all that a start would load.
  const buildDocument = async () => createOpenApi(routes(), consoleInfo, (await import('./openapi/examples.ts')).apiExamples)
  return [
    {
      method: 'GET', path: '/', access: 'anyone', summary: 'Leads to the description of the API',
      // Relative, so that it works behind a proxy that serves this server under a path.
      headers: ['Location'], responses: { 302: null },
      handle: (c) => (isElasticClient(c) ? answerSender(c) : c.redirect('v1/docs', 302)),
    },
    {
      method: 'GET', path: '/v1/openapi.json', access: 'anyone', summary: 'Returns this API as an OpenAPI 3.1 document',
      responses: { 200: z.record(z.string(), z.unknown()) }, handle: async (c) => respond(c, await buildDocument()),
    },
    {
      method: 'GET', path: '/v1/docs', access: 'anyone', summary: 'Returns this API as an HTML page',
      responseType: 'text/html', responses: { 200: null },
      handle: async (c) => {
        const style = createHash('sha256').update(docsStyle).digest('base64')
        c.header('Content-Security-Policy', `default-src 'none'; style-src 'sha256-${style}'; frame-ancestors 'none'`)
        return c.html(renderDocsPage(await buildDocument(), consoleInfo, 'openapi.json'))
      },
    },
  ]
}

/** Clients of Elasticsearch show credentials in schemes that this API does not have, or ask for a media type of its own. */
function isElasticClient(c: RequestContext): boolean {
  const { authorization = '', accept = '' } = c.req.header()
  return /^(?:basic|apikey) /i.test(authorization) || accept.includes('application/vnd.elasticsearch+json')
}
