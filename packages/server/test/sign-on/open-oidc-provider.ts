import { createServer } from 'node:http'
import Provider from 'oidc-provider'
import { listenOnLoopback } from './listen-on-loopback.ts'

/** A real identity provider on a port of loopback, whose users are what tests name. */
export type RunningProvider = {
  readonly issuer: string
  /** Logs a user in as a browser would, from the address at which a login begins to the one to which it comes back. */
  readonly logIn: (url: string, user: string) => Promise<string>
  readonly close: () => Promise<void>
}

export const clientId = 'tripline'
export const clientSecret = 'a secret of the client'

/** Claims of a user by name. */
export type ProviderUsers = { readonly [name: string]: { readonly [claim: string]: unknown } }

export async function openOidcProvider(redirectUri: string, users: ProviderUsers): Promise<RunningProvider> {
  const http = createServer()
  const { url: issuer, close } = await listenOnLoopback(http)
  const provider = new Provider(issuer, {
    clients: [{ client_id: clientId, client_secret: clientSecret, redirect_uris: [redirectUri] }],
    claims: { openid: ['sub'], profile: ['name', 'groups'], email: ['email', 'email_verified'] },
    findAccount: (_context, id) => ({ accountId: id, claims: () => Promise.resolve({ sub: id, ...users[id] }) }),
    pkce: { required: () => true },
  })
  const handle = provider.callback()
  http.on('request', (request, response) => void handle(request, response))
  return { issuer, close, logIn: (url, user) => logIn(url, user, redirectUri) }
}

/** Follows redirects with cookies, and fills in the forms of the provider: login, then consent. */
async function logIn(start: string, user: string, redirectUri: string): Promise<string> {
  const cookies = new Map<string, string>()
  let [url, form]: [string, URLSearchParams | undefined] = [start, undefined]
  for (let step = 0; step < 12; step++) {
    const response = await fetch(url, {
      redirect: 'manual', headers: { cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; ') },
      ...(form && { method: 'POST', body: form }),
    })
    for (const text of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(text) ?? []
      cookies.set(name, value)
    }
    const location = response.headers.get('location')
    const page = await response.text()
    if (location !== null) {
      ;[url, form] = [new URL(location, url).href, undefined]
      if (url.startsWith(redirectUri)) return url
      continue
    }
    const prompt = /name="prompt" value="(\w+)"/.exec(page)?.[1]
    if (prompt === undefined) throw new Error(`the provider answers ${response.status}: ${page.slice(0, 500)}`)
    form = new URLSearchParams({ prompt, ...(prompt === 'login' && { login: user, password: 'any' }) })
  }
  throw new Error('the provider does not come to an end')
}
