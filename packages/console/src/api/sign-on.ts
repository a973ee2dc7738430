import type { SignOnOfferBody } from '@tripline/contract/console/access/sign-on'

/** Asks whether login pages offer sign-on; undefined where the server does not answer: the form for passwords stands alone then. */
export async function readSignOnOffer(signal: AbortSignal): Promise<SignOnOfferBody | undefined> {
  try {
    const response = await fetch('/v1/auth/sign-on', { signal })
    return response.ok ? ((await response.json()) as SignOnOfferBody) : undefined
  } catch {
    // A server that cannot be reached shows when the user logs in; a page that was left asks no more.
    return undefined
  }
}

/**
 * Leaves for the identity provider of an organization: an email address or the id of a tenant, none on a server with one tenant.
 * In a tab of its own where the page must stay as it is, which hears then of the session.
 */
export function leaveForProvider(organization: string | undefined, target: '_self' | '_blank' = '_self'): void {
  const query = organization === undefined ? '' : `?${new URLSearchParams({ organization }).toString()}`
  // Not by a form: the policy of the page allows none, and browsers apply it to redirects as well.
  window.open(`/v1/auth/oidc/start${query}`, target, target === '_blank' ? 'noopener' : '')
}
