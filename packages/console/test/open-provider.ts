import { createServer } from 'node:http'
import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import Provider from 'oidc-provider'
import type { Page } from 'playwright-core'

/** A real identity provider on a port of loopback. */
type RunningProvider = { readonly issuer: string; readonly close: () => void }

export const client = { id: 'tripline', secret: 'a secret of the client' } as const

/** Opens a provider whose users have the claims that are named; its forms take any password. */
export async function openProvider(
  redirectUri: string, users: { readonly [name: string]: { readonly [claim: string]: unknown } },
): Promise<RunningProvider> {
  const http = createServer()
  const issuer = `http://127.0.0.1:${await listen(http)}`
  const provider = new Provider(issuer, {
    clients: [{ client_id: client.id, client_secret: client.secret, redirect_uris: [redirectUri] }],
    claims: { openid: ['sub'], profile: ['name', 'groups'], email: ['email', 'email_verified'] },
    findAccount: (_context, id) => ({ accountId: id, claims: () => Promise.resolve({ sub: id, ...users[id] }) }),
    pkce: { required: () => true },
  })
  const handle = provider.callback()
  http.on('request', (request, response) => void handle(request, response))
  return {
    issuer,
    close: () => {
      http.close()
      http.closeAllConnections()
    },
  }
}

/** Logs in at the provider and consents, as far as it asks, until the browser is back at the console. */
export async function passProvider(page: Page, issuer: string, user: string): Promise<void> {
  await page.waitForURL((url) => url.href.startsWith(issuer))
  const login = page.getByPlaceholder('Enter any login')
  const consent = page.getByRole('button', { name: 'Continue' })
  await login.or(consent).waitFor()
  if (await login.isVisible()) {
    await login.fill(user)
    await page.getByPlaceholder('and password').fill('any')
    await page.getByRole('button', { name: 'Sign-in' }).click()
    await consent.waitFor()
  }
  await consent.click()
  await page.waitForURL((url) => !url.href.startsWith(issuer))
}

/** A port of loopback that is free now, for a server whose address must be known before it starts. */
export async function findFreePort(): Promise<number> {
  const probe = createServer()
  const port = await listen(probe)
  await new Promise((resolve) => probe.close(resolve))
  return port
}

async function listen(server: Server): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return (server.address() as AddressInfo).port
}
