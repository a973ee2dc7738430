import {
  signOnCallbackQuerySchema, signOnOfferSchema, signOnPutSchema, signOnSchema, signOnStartQuerySchema, signOnTestSchema,
} from '@tripline/contract/console/access/sign-on'
import type { SignOnBody } from '@tripline/contract/console/access/sign-on'
import type { SignOn } from '@tripline/model/access/sign-on'
import type { z } from 'zod'
import { readIfMatch } from '../../http/etag.ts'
import { formatTimestamp } from '../../http/format-timestamp.ts'
import { readJson } from '../../http/json-body.ts'
import { readRequestInfo } from '../../http/middleware/authorize.ts'
import { respondWithEtag } from '../../http/respond-with-etag.ts'
import { respond } from '../../http/respond.ts'
import { getPrincipal } from '../../http/route.ts'
import type { RequestContext, Route } from '../../http/route.ts'
import { readQuery } from '../../http/validate.ts'
import { callbackPath, getRedirectUri, getServiceProvider } from '../../sign-on/log-in-with-provider.ts'
import type { ServiceProvider } from '../../sign-on/saml-provider.ts'
import { answerFinished, redirectToLogin, setAttemptCookie } from './attempt-cookie.ts'
import { finishLogin, getSignOnOffer, startLogin } from './log-in-at-provider.ts'
import type { SignOnDeps } from './log-in-at-provider.ts'
import { samlRoutes } from './saml-routes.ts'
import { getSignOn, putSignOn, startTest } from './sign-on-settings.ts'
import type { WantedSignOn } from './sign-on-settings.ts'

const settingsPath = '/v1/settings/sso'
const access = 'administer_tenant'

/** Routes for logins at the tenant's own identity provider, and for their settings. */
export function signOnRoutes(deps: SignOnDeps): Route[] {
  return [
    {
      method: 'GET', path: '/v1/auth/sign-on', access: 'anyone', summary: 'Tells whether login pages offer sign-on',
      responses: { 200: signOnOfferSchema },
      handle: async (c) => {
        const { isAvailable, asksOrganization } = await getSignOnOffer(deps)
        return respond(c, { is_available: isAvailable, asks_organization: asksOrganization })
      },
    },
    {
      method: 'GET', path: '/v1/auth/oidc/start', access: 'anyone', recordsRefusals: true,
      summary: 'Sends a browser to the identity provider',
      query: signOnStartQuerySchema, headers: ['Location'], optionalHeaders: ['Set-Cookie'], responses: { 303: null },
      handle: (c) => handleStart(deps, c),
    },
    {
      method: 'GET', path: callbackPath, access: 'anyone', recordsRefusals: true,
      summary: 'Takes a browser back from the identity provider',
      query: signOnCallbackQuerySchema,
      headers: ['Location'], optionalHeaders: ['Set-Cookie'], responses: { 303: null },
      handle: (c) => handleCallback(deps, c),
    },
    {
      method: 'GET', path: settingsPath, access, summary: 'Returns how users log in at the identity provider', headers: ['ETag'],
      responses: { 200: signOnSchema },
      handle: async (c) => respondWithSignOn(deps, c, await getSignOn(deps, getPrincipal(c))),
    },
    {
      method: 'PUT', path: settingsPath, access, summary: 'Sets how users log in at the identity provider',
      body: signOnPutSchema, checksVersion: true, headers: ['ETag'], errors: ['CONFLICT', 'INVALID_PARAMETER'],
      responses: { 200: signOnSchema },
      handle: async (c) => {
        const wanted = toWanted(await readJson(c, signOnPutSchema))
        return respondWithSignOn(deps, c, await putSignOn(deps, getPrincipal(c), { wanted, versions: readIfMatch(c) }))
      },
    },
    {
      method: 'POST', path: `${settingsPath}/test`, access, summary: 'Begins a test login at the identity provider',
      headers: ['Set-Cookie'], errors: ['CONFLICT'], responses: { 200: signOnTestSchema },
      handle: async (c) => {
        const { url, cookie } = await startTest(deps, getPrincipal(c))
        setAttemptCookie(deps, c, cookie)
        return respond(c, { url })
      },
    },
    ...samlRoutes(deps),
  ]
}

async function handleStart(deps: SignOnDeps, c: RequestContext): Promise<Response> {
  const { organization } = readQuery(c, signOnStartQuerySchema).query
  try {
    const { url, cookie } = await startLogin(deps, organization, readRequestInfo(c))
    setAttemptCookie(deps, c, cookie)
    return c.redirect(url, 303)
  } catch (error) {
    return redirectToLogin(c, error)
  }
}

async function handleCallback(deps: SignOnDeps, c: RequestContext): Promise<Response> {
  const [state, answer] = [c.req.query('state'), { protocol: 'oidc', query: new URL(c.req.url).search } as const]
  return await answerFinished(deps, c, async (cookie) => await finishLogin(deps, { cookie, state, answer }, readRequestInfo(c)))
}

function toWanted(said: z.output<typeof signOnPutSchema>): WantedSignOn {
  return {
    protocol: said.protocol, isEnabled: said.enabled, isEnforced: said.enforced, issuer: said.issuer, clientId: said.client_id,
    clientSecret: said.client_secret, scopes: said.scopes, loginUrl: said.login_url, certificates: said.certificates,
    emailDomains: said.email_domains, breakGlassUserId: said.break_glass_user_id ?? undefined,
  }
}

function respondWithSignOn({ logins: { publicUrl } }: SignOnDeps, c: RequestContext, signOn: SignOn): Response {
  const { lastTest } = signOn
  const { tenant } = getPrincipal(c)
  const body: SignOnBody = {
    protocol: signOn.protocol, enabled: signOn.isEnabled, enforced: signOn.isEnforced, issuer: signOn.issuer, client_id: signOn.clientId,
    has_client_secret: signOn.clientSecret !== '', scopes: [...signOn.scopes], login_url: signOn.loginUrl,
    certificates: [...signOn.certificates], email_domains: [...signOn.emailDomains],
    break_glass_user_id: signOn.breakGlassUserId ?? null, redirect_uri: publicUrl === '' ? null : getRedirectUri(publicUrl),
    service_provider: publicUrl === '' ? null : printServiceProvider(getServiceProvider(publicUrl, tenant)),
    last_test: lastTest === undefined ? null : {
      at: formatTimestamp(lastTest.at), succeeded: lastTest.problem === undefined, problem: lastTest.problem ?? null,
      email: lastTest.email ?? null, name: lastTest.name ?? null, roles: [...lastTest.roles], claims: lastTest.claims,
    },
  }
  return respondWithEtag(c, body, signOn.version)
}

function printServiceProvider({ entityId, acsUrl }: ServiceProvider): NonNullable<SignOnBody['service_provider']> {
  return { entity_id: entityId, acs_url: acsUrl, metadata_url: entityId }
}
