import type { MiddlewareHandler } from 'hono'
import { matchesEtag } from '../http/etag.ts'
import type { Env, RequestContext } from '../http/route.ts'
import type { Site, SiteEncoding, SiteFile } from './open-site.ts'

/** What is never a page, whatever a client accepts. */
const reserved = /^\/(?:v1|api|ingest|metrics|healthz|readyz|\.well-known|files)(?:\/|$)/

/**
 * The policy of the pages (CSP level 3 with Trusted Types): scripts, styles, fonts and connections of this server alone, no
 * inline code, no frames, no HTML made of text.
 */
const policy = [
  "default-src 'none'", "script-src 'self'", "style-src 'self'", "font-src 'self'", "img-src 'self'", "connect-src 'self'",
  "worker-src 'self'", "manifest-src 'self'", "base-uri 'none'", "form-action 'none'", "frame-ancestors 'none'",
  "require-trusted-types-for 'script'", 'trusted-types default',
].join('; ')

/** Features of browsers that no page needs. */
const deniedFeatures = ['camera', 'display-capture', 'geolocation', 'hid', 'microphone', 'midi', 'payment', 'serial', 'usb']
  .map((feature) => `${feature}=()`).join(', ')

const pageHeaders = [
  ['Content-Security-Policy', policy], ['Cross-Origin-Opener-Policy', 'same-origin'], ['Permissions-Policy', deniedFeatures],
] as const

/**
 * Serves the built console before any route: its files by path, and `index.html` for every address that asks for a page and is
 * not reserved, because pages have addresses of their own. Everything else goes on to the routes.
 */
export function serveSite(site: Site): MiddlewareHandler<Env> {
  return async (c, next) => {
    if (c.req.method !== 'GET' && c.req.method !== 'HEAD') return await next()
    const { path } = c.req
    const file = site.get(path === '/' ? '/index.html' : path)
    const isPage = path === '/' || path === '/index.html' || file === undefined
    if (isPage && (reserved.test(path) || c.req.header('accept')?.includes('text/html') !== true)) return await next()
    const shown = isPage ? site.get('/index.html') : file
    return shown === undefined ? await next() : respondWithFile(c, shown, isPage)
  }
}

function respondWithFile(c: RequestContext, { type, etag, isImmutable, bodies }: SiteFile, isPage: boolean): Response {
  for (const [name, value] of pageHeaders) c.header(name, value)
  if (isPage) {
    c.header('Cache-Control', 'no-store')
  } else {
    c.header('Cache-Control', isImmutable ? 'public, max-age=31536000, immutable' : 'no-cache')
    c.header('ETag', etag)
    const wanted = c.req.header('if-none-match')
    if (wanted !== undefined && matchesEtag(wanted, etag)) return c.body(null, 304)
  }
  c.header('Vary', 'Accept-Encoding', { append: true })
  const encoding = chooseEncoding(c.req.header('accept-encoding') ?? '', bodies)
  if (encoding !== 'identity') c.header('Content-Encoding', encoding)
  c.header('Content-Type', type)
  const body = bodies.get(encoding)
  return body === undefined ? c.body(null) : c.body(body)
}

/** The best encoding that a client accepts (RFC 9110, 12.5.3) and that the build made. */
function chooseEncoding(accepted: string, bodies: SiteFile['bodies']): SiteEncoding {
  const names = accepted.split(',').flatMap((part) => {
    const [name = '', weight = ''] = part.trim().toLowerCase().split(/\s*;\s*q=/)
    return weight !== '' && Number(weight) === 0 ? [] : [name]
  })
  return (['br', 'gzip'] as const).find((encoding) => names.includes(encoding) && bodies.has(encoding)) ?? 'identity'
}
