import { profiles } from '@tripline/contract/public/profile'
import type { Profile } from '@tripline/contract/public/profile'
import { createHash } from 'node:crypto'
import { z } from 'zod'
import { docsStyle, renderDocsPage } from '../docs-page.ts'
import { createOpenApi } from '../openapi.ts'
import type { OpenApiInfo } from '../openapi.ts'
import type { ApiExamples } from '../openapi/example-types.ts'
import type { Json } from '../openapi/schemas.ts'
import { respond } from '../respond.ts'
import type { RequestContext, Route } from '../route.ts'
import { readQuery } from '../validate.ts'
import { publicBase, toProfileRoute } from './public-handler.ts'
import type { PublicRoute } from './public-route.ts'

/** Title and description of the document of a profile. */
export function getPublicInfo(profile: Profile): OpenApiInfo {
  const form = {
    a: 'camelCase names, pages from 0, page objects with `content`',
    b: 'snake_case names, pages from 1, the envelope `data` with `pagination`',
  }[profile]
  const name = profile.toUpperCase()
  return {
    title: `Tripline public API, profile ${name}`,
    version: 'v1',
    description: `Alerts, incidents, searches, rules, assets, exports and webhooks for other tools, in profile ${name}: ${form}. ` +
      `A request is answered in this profile if it has the header X-API-Profile: ${name}, or if its key says so.`,
  }
}

/** Builds the OpenAPI document of a profile. */
export function createPublicOpenApi(routes: readonly PublicRoute[], profile: Profile, examples: ApiExamples): Json {
  return createOpenApi(routes.map((route) => toProfileRoute(route, profile)), getPublicInfo(profile), examples)
}

const profileParameter = z.object({ profile: z.enum(profiles).optional() })

/** Routes that serve the documents of the public API and its page, which need no key. */
export function publicDocsRoutes(routes: () => readonly PublicRoute[]): Route[] {
  const readProfile = (c: RequestContext): Profile => readQuery(c, profileParameter).query.profile ?? c.get('profile') ?? 'b'
  const buildDocument = async (profile: Profile): Promise<Json> => {
    // Read with the first document: the examples are a tenth of all that a start would load.
    const { publicExamples } = await import('../openapi/public-examples.ts')
    return createPublicOpenApi(routes(), profile, publicExamples[profile])
  }
  return [
    {
      method: 'GET', path: `${publicBase}/openapi.json`, access: 'anyone', summary: 'Returns a profile as an OpenAPI 3.1 document',
      query: profileParameter, responses: { 200: z.record(z.string(), z.unknown()) },
      handle: async (c) => respond(c, await buildDocument(readProfile(c))),
    },
    {
      method: 'GET', path: `${publicBase}/docs`, access: 'anyone', summary: 'Returns a profile as an HTML page',
      query: profileParameter, responseType: 'text/html', responses: { 200: null },
      handle: async (c) => {
        const profile = readProfile(c)
        const style = createHash('sha256').update(docsStyle).digest('base64')
        c.header('Content-Security-Policy', `default-src 'none'; style-src 'sha256-${style}'; frame-ancestors 'none'`)
        const document = await buildDocument(profile)
        return c.html(renderDocsPage(document, getPublicInfo(profile), `openapi.json?profile=${profile}`))
      },
    },
  ]
}
