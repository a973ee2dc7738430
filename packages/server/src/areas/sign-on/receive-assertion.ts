import type { TenantId } from '@tripline/model/tenant'
import { createHash } from 'node:crypto'
import { limits } from '../../limits.ts'
import { openSamlClient } from '../../sign-on/log-in-with-provider.ts'
import type { SamlAssertion } from '../../sign-on/read-assertion.ts'
import { getStateOf } from '../../sign-on/saml-provider.ts'
import { openAttempt } from '../../sign-on/sign-on-attempt.ts'
import { SignOnError } from '../../sign-on/sign-on-error.ts'
import { countAttempt, finishLogin, finishTest, recordFailedLogin } from './log-in-at-provider.ts'
import type { Circumstances, FinishedLogin, SignOnDeps } from './log-in-at-provider.ts'

/**
 * Takes the assertion that a browser posts from the site of a tenant's provider, and verifies it. The cookie of the login does not
 * come with it; the code that is returned leads the browser to the rest with its cookie. A refusal is recorded, and goes that way too.
 */
export async function receiveAssertion(
  deps: SignOnDeps, { tenant, response }: { readonly tenant: TenantId; readonly response: string }, circumstances: Circumstances,
): Promise<string> {
  const outcome = await verify(deps, tenant, response, circumstances).catch((error: unknown) => {
    recordFailedLogin(deps, { tenant, protocol: 'saml', error, circumstances })
    if (error instanceof SignOnError && error.problem !== 'limited') return error
    throw error
  })
  const code = Buffer.from(deps.logins.randomBytes(limits.signOn.randomBytes)).toString('base64url')
  deps.logins.answers.put(code, { protocol: 'saml', tenant, outcome }, deps.clock.now())
  return code
}

/**
 * Ends the login whose assertion was received. What was refused shows in the result of a test, whose browser is known now.
 *
 * @throws SignOnError
 */
export async function finishSamlLogin(
  deps: SignOnDeps, { cookie, code }: { readonly cookie: string | undefined; readonly code: string }, circumstances: Circumstances,
): Promise<FinishedLogin> {
  const answer = deps.logins.answers.take(code, deps.clock.now())
  if (answer === undefined) {
    const error = new SignOnError('not_started')
    recordFailedLogin(deps, { tenant: openAttempt(deps.identity.secrets, cookie)?.tenant, protocol: 'saml', error, circumstances })
    throw error
  }
  const { tenant, outcome } = answer
  if (!(outcome instanceof SignOnError)) return await finishLogin(deps, { cookie, state: getStateOf(outcome), answer }, circumstances)
  const attempt = openAttempt(deps.identity.secrets, cookie)
  if (attempt?.purpose !== 'test' || attempt.tenant !== tenant) throw outcome
  await finishTest(deps, attempt, answer, circumstances)
  return { purpose: 'test' }
}

async function verify(deps: SignOnDeps, tenant: TenantId, response: string, circumstances: Circumstances): Promise<SamlAssertion> {
  countAttempt(deps, circumstances)
  const at = deps.clock.now()
  const assertion = await deps.logins.verifier.verify(tenant, await openSamlClient(deps, tenant), { base64: response, nowMs: at })
  const hash = createHash('sha256').update(JSON.stringify([assertion.issuer, assertion.id])).digest('base64url')
  // Its request is at most that old, or the login is refused as expired.
  const isNew = await deps.state.signOn.useAssertion(tenant, { hash, expiresAt: at + limits.signOn.attemptMs }, at)
  if (isNew) return assertion
  throw new SignOnError('not_started', 'this assertion was used before')
}
