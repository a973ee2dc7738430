import { AppError } from '@tripline/contract/app-error'
import { samlFinishQuerySchema, samlResponseSchema } from '@tripline/contract/console/access/sign-on'
import { readRequestInfo } from '../../http/middleware/authorize.ts'
import { withBody } from '../../http/read-body.ts'
import type { RequestContext, Route } from '../../http/route.ts'
import { checkBody, readQuery } from '../../http/validate.ts'
import { limits } from '../../limits.ts'
import { getServiceProvider, samlPath } from '../../sign-on/log-in-with-provider.ts'
import { printSamlMetadata } from '../../sign-on/saml-provider.ts'
import { answerFinished, redirectToLogin } from './attempt-cookie.ts'
import type { SignOnDeps } from './log-in-at-provider.ts'
import { finishSamlLogin, receiveAssertion } from './receive-assertion.ts'

const metadataType = 'application/samlmetadata+xml'
const formType = 'application/x-www-form-urlencoded'
const finishPath = `${samlPath}/finish`

/** Routes for logins at providers that speak SAML: what they read of this server, and the two steps of the way back. */
export function samlRoutes(deps: SignOnDeps): Route[] {
  return [
    {
      method: 'GET', path: `${samlPath}/:tenant/metadata`, access: 'anyone',
      summary: 'Returns the metadata of this server for a SAML provider',
      responseType: metadataType, errors: ['NOT_FOUND'], responses: { 200: null },
      handle: (c) => answerMetadata(deps, c),
    },
    {
      method: 'POST', path: `${samlPath}/:tenant/acs`, access: 'anyone', recordsRefusals: true,
      summary: 'Takes an assertion of a SAML provider from a browser',
      body: samlResponseSchema, bodyTypes: [formType], headers: ['Location'], responses: { 303: null },
      handle: (c) => answerAssertion(deps, c),
    },
    {
      method: 'GET', path: finishPath, access: 'anyone', recordsRefusals: true,
      summary: 'Ends a login whose assertion was taken',
      query: samlFinishQuerySchema, headers: ['Location'], optionalHeaders: ['Set-Cookie'], responses: { 303: null },
      handle: async (c) => {
        const { code } = readQuery(c, samlFinishQuerySchema).query
        return await answerFinished(deps, c, async (cookie) => await finishSamlLogin(deps, { cookie, code }, readRequestInfo(c)))
      },
    },
  ]
}

/** The metadata derive from the id alone, so that they tell of no tenant whether it exists. */
async function answerMetadata({ logins: { publicUrl } }: SignOnDeps, c: RequestContext): Promise<Response> {
  if (publicUrl === '') throw new AppError('NOT_FOUND', 'the server has no public URL, which its metadata would state')
  const text = await printSamlMetadata(getServiceProvider(publicUrl, readTenant(c)))
  return c.body(text, 200, { 'Content-Type': metadataType })
}

async function answerAssertion(deps: SignOnDeps, c: RequestContext): Promise<Response> {
  const form = await withBody(c, limits.signOn.assertionFormBytesMax, async (bytes) => readForm(c, bytes))
  try {
    const code = await receiveAssertion(deps, { tenant: readTenant(c), response: form.SAMLResponse }, readRequestInfo(c))
    return c.redirect(`${finishPath}?${new URLSearchParams({ code }).toString()}`, 303)
  } catch (error) {
    return redirectToLogin(c, error)
  }
}

/** @throws AppError UNSUPPORTED_MEDIA_TYPE, INVALID_BODY. */
function readForm(c: RequestContext, bytes: Buffer): { readonly SAMLResponse: string } {
  const [type = ''] = (c.req.header('content-type') ?? '').toLowerCase().split(';')
  if (type.trim() === formType) return checkBody(Object.fromEntries(new URLSearchParams(bytes.toString('latin1'))), samlResponseSchema)
  throw new AppError('UNSUPPORTED_MEDIA_TYPE', `the content type must be ${formType}`, { supported: [formType] })
}

function readTenant(c: RequestContext): string {
  return c.req.param('tenant') ?? ''
}
